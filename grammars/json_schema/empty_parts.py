"""`find_empty_part`: of a schema that no document satisfies the smallest part that is to blame, for an error.

A part is to blame if no value satisfies it, and some document satisfies the schema with `true` in its place. From the
root on, the search goes to a subschema, or to what `$ref` leads to, as long as one of them is to blame. Keywords
without which nothing changes are left out then. Each question compiles the schema again, so there are few.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from ..errors import GrammarError, LimitExceededError
from ..json_paths import pointer, unescape
from .formula import Formula
from .keyword_table import KEYWORDS, SHAPES, held
from .resolve import Schema
from .translate import CompiledSchema

MAX_QUESTIONS = 64
_CONSTRAINING = {one.name for one in KEYWORDS if one.role == "constrains"}
_CLOSING = ("additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems")
"""Keywords whose `false` only says that there are no others."""
_ALTERNATIVES = (("anyOf",), ("oneOf",))
_SHOWN_KEYWORDS = 6

Keys = tuple[str | int, ...]
"""What leads from the root to a part."""


class EmptyPart(NamedTuple):
    """pointer: of the part. keywords: its keywords that leave no value, together."""

    pointer: str
    keywords: tuple[str, ...]

    def __str__(self) -> str:
        where = repr(self.pointer) if self.pointer else "the root"
        if not self.keywords:
            return f"false at {where} allows no value"
        names = [repr(one) for one in self.keywords[:_SHOWN_KEYWORDS]]
        names += ["..."] if len(self.keywords) > _SHOWN_KEYWORDS else []
        if len(names) == 1:
            return f"{names[0]} at {where} allows no value"
        return f"{', '.join(names[:-1])} and {names[-1]} at {where} allow no value together"


def find_empty_part(
    schema: CompiledSchema, compile_again: Callable[[Schema], CompiledSchema], is_empty: Callable[[Formula], bool]
) -> EmptyPart:
    """The part of a schema without documents. compile_again: compiles changed schemas. is_empty: of a formula."""
    search = _Search(schema, compile_again, is_empty)
    try:
        return search.run()
    except LimitExceededError:  # the part that was found so far has no value either
        return search.found()


class _QuestionsSpentError(Exception):
    """As many questions were asked as may be."""


class _Search:
    def __init__(
        self,
        schema: CompiledSchema,
        compile_again: Callable[[Schema], CompiledSchema],
        is_empty: Callable[[Formula], bool],
    ) -> None:
        self._root, self._formulas = schema.schema, schema.formulas()
        self._compile_again, self._is_empty = compile_again, is_empty
        self._num_left = MAX_QUESTIONS
        self._keys: Keys = ()
        self._kept = _constraining(self._root)

    def found(self) -> EmptyPart:
        """What is known to be empty so far."""
        path: Any = None
        for key in self._keys:
            path = (path, key)
        return EmptyPart(pointer(path), tuple(self._kept))

    def run(self) -> EmptyPart:
        """The smallest part that is found."""
        seen = {self._keys}
        try:
            while (keys := self._next()) is not None and keys not in seen:
                seen.add(keys)
                self._keys, self._kept = keys, _constraining(_at(self._root, keys))
            self._leave_keywords_out()
        except _QuestionsSpentError:
            pass  # what was found so far is empty, and perhaps not the smallest
        return self.found()

    def _next(self) -> Keys | None:
        """The part inside of the present one that is to blame. None: there is none, or one of several branches is."""
        branches: list[Keys] = []
        for keys in self._parts():
            if self._has_no_value(keys) and self._has_document(keys, ()):
                if keys[len(self._keys) : -1] not in _ALTERNATIVES:
                    return keys
                branches.append(keys)
        return branches[0] if len(branches) == 1 else None

    def _parts(self) -> list[Keys]:
        """The subschemas of the present part, and what its `$ref` leads to in the same document; those of required
        keys first."""
        here = _at(self._root, self._keys)
        found = list(self._all_parts(here))
        required = here.get("required", ()) if isinstance(here, dict) else ()
        first = set(required) if isinstance(required, list) else set()
        return sorted(found, key=lambda keys: keys[-1] not in first)

    def _all_parts(self, here: Any) -> Iterator[Keys]:
        for keyword in here if isinstance(here, dict) else ():
            if keyword == "$ref" and isinstance(here[keyword], str) and here[keyword].startswith("#/"):
                yield from _keys_of(self._root, here[keyword][2:])
            elif keyword in SHAPES and keyword in _CONSTRAINING:
                yield from [(*self._keys, keyword, *keys) for keys, _ in held(here[keyword], SHAPES[keyword])]

    def _has_no_value(self, keys: Keys) -> bool:
        part = _at(self._root, keys)
        if part is False:
            return keys[-1] not in _CLOSING
        formula = self._formulas.get(id(part))
        return formula is not None and self._is_empty(formula)

    def _has_document(self, keys: Keys, kept: Collection[str]) -> bool:
        """Whether the schema has a document if only these keywords constrain at a place.

        False also if other parts refer to what is left out then.
        """
        self._num_left -= 1
        if self._num_left < 0:
            raise _QuestionsSpentError
        here = _at(self._root, keys)
        names = here.items() if isinstance(here, dict) else ()
        part = {name: value for name, value in names if name in kept or name not in _CONSTRAINING}
        try:
            compiled = self._compile_again(_replaced(self._root, keys, part))
        except GrammarError:
            return False
        try:
            return not self._is_empty(compiled.formula)
        finally:
            compiled.dismantle()

    def _leave_keywords_out(self) -> None:
        for keyword in reversed(list(self._kept)):
            if not self._has_document(self._keys, [one for one in self._kept if one != keyword]):
                self._kept.remove(keyword)


def _constraining(part: Schema) -> list[str]:
    return [keyword for keyword in part if keyword in _CONSTRAINING] if isinstance(part, dict) else []


def _at(root: Schema, keys: Keys) -> Any:
    found: Any = root
    for key in keys:
        found = found[key]
    return found


def _keys_of(root: Schema, fragment: str) -> list[Keys]:
    """The keys of a JSON pointer without its first slash; [] if it leads to no part of this document."""
    found: list[str | int] = []
    here: Any = root
    for token in fragment.split("/"):
        key: str | int = int(token) if isinstance(here, list) and token.isdigit() else unescape(token)
        if not (isinstance(here, dict) and key in here) and not (isinstance(here, list) and key in range(len(here))):
            return []
        found.append(key)
        here = here[key]  # type: ignore[index]
    return [tuple(found)]


def _replaced(root: Any, keys: Keys, part: Schema) -> Any:
    if not keys:
        return part
    copied: Any = list(root) if isinstance(root, list) else dict(root)
    copied[keys[0]] = _replaced(root[keys[0]], keys[1:], part)
    return copied
