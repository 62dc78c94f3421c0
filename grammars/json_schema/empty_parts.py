"""`find_empty_part`: names the smallest part that is to blame if no document satisfies a schema, for the error message.

A part is to blame if no value satisfies it, and some document satisfies the schema with `true` in its place. The search
starts at the root. While a subschema, or the target of `$ref`, is to blame, the search goes on to that part. Then the
search drops keywords of the part that change nothing. Each test compiles the schema again, so their number is limited.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from ..errors import GrammarError, LimitExceededError
from ..json_paths import pointer, unescape
from .formula import Formula
from .keyword_table import KEYWORDS, SHAPES, held
from .resolve import Schema
from .translate import CompiledSchema

MAX_QUESTIONS = 64
_CONSTRAINING = {one.name for one in KEYWORDS if one.role == "constrains"}
_CLOSING = ("additionalProperties", "unevaluatedProperties", "items", "additionalItems", "unevaluatedItems")
"""Keywords with which `false` is no fault: it only forbids other members or items."""
_ALTERNATIVES = (("anyOf",), ("oneOf",))
_SHOWN_KEYWORDS = 6

Keys = tuple[str | int, ...]
"""The path from the root to a part: keys of objects and indices of arrays."""


def find_empty_part(
    schema: CompiledSchema, compile_again: Callable[[Schema], CompiledSchema], is_empty: Callable[[Formula], bool]
) -> str:
    """A sentence that names the part to blame; not always the smallest one, if limits end the search.

    schema: the compiled schema that no document satisfies.
    compile_again: function that compiles a changed schema.
    is_empty: function that returns True for a formula that no value satisfies.
    Example: "'minimum' and 'maximum' at '/properties/a' allow no value together".
    """
    search = _Search(schema, compile_again, is_empty)
    try:
        search.run()
    except LimitExceededError:  # no value satisfies the part that was found so far, either
        return search.sentence()
    return search.sentence()


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

    def sentence(self) -> str:
        """The sentence for the smallest part to blame that the search has found so far."""
        path: Any = None
        for key in self._keys:
            path = (path, key)
        where = repr(pointer(path)) if self._keys else "the root"
        if not self._kept:
            return f"false at {where} allows no value"
        names = [repr(one) for one in self._kept[:_SHOWN_KEYWORDS]]
        names += ["..."] if len(self._kept) > _SHOWN_KEYWORDS else []
        if len(names) == 1:
            return f"{names[0]} at {where} allows no value"
        return f"{', '.join(names[:-1])} and {names[-1]} at {where} allow no value together"

    def run(self) -> None:
        """Search the smallest part to blame."""
        seen = {self._keys}
        while (keys := self._next()) is not None and keys not in seen:
            seen.add(keys)
            self._keys, self._kept = keys, _constraining(_at(self._root, keys))
        for keyword in reversed(list(self._kept)):
            others = [one for one in self._kept if one != keyword]
            if self._num_left and not self._has_document(self._keys, others):
                self._kept = others

    def _next(self) -> Keys | None:
        """The path to a part to blame inside the present one.

        None if no such part exists. None also if several branches of `anyOf` or `oneOf` are to blame, and nothing else.
        """
        branches: list[Keys] = []
        for keys in self._parts():
            if self._has_no_value(keys) and self._has_document(keys, ()):
                if keys[len(self._keys) : -1] not in _ALTERNATIVES:
                    return keys
                branches.append(keys)
        return branches[0] if len(branches) == 1 else None

    def _parts(self) -> list[Keys]:
        """The paths to the subschemas of the present part and to the target of its `$ref` in the same document. The
        schemas of required keys come first.
        """
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
        """True if some document satisfies the schema when a part keeps only some of its constraining keywords.

        keys: path to the part.
        kept: the keywords that stay.
        Returns False also if no test is left, or if the changed schema does not compile, for example because a
        reference leads nowhere.
        """
        if not self._num_left:
            return False
        self._num_left -= 1
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


def _constraining(part: Schema) -> list[str]:
    return [keyword for keyword in part if keyword in _CONSTRAINING] if isinstance(part, dict) else []


def _at(root: Schema, keys: Keys) -> Any:
    found: Any = root
    for key in keys:
        found = found[key]
    return found


def _keys_of(root: Schema, fragment: str) -> list[Keys]:
    """The path that a JSON pointer means, in a list; [] if it leads to no part of this document.

    fragment: the pointer, without its first slash.
    """
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
