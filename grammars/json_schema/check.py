"""Check a schema and everything that it refers to: each keyword's value, each reference, each pattern.

Done instead of validating against the meta-schema, which takes 10 us a byte; this takes about a microsecond a keyword.
Schemas that only wait in `definitions` for a reference that never comes are checked for their form alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..errors import InvalidRegexError, InvalidSchemaError, LimitExceededError, UnsupportedSchemaError
from ..json_paths import Path, kind_name, pointer
from ..limits import Limits
from ..quote_sources import Sources
from ..regex import ecma
from ..regex.algebra import Language
from ..watch import checkpoint
from . import formats
from .drafts import DRAFTS, Draft
from .keyword_table import Keyword, Shape, held
from .resolve import Node, Resolver, Scope, Target, UnresolvedError
from .value_checks import object_of_schemas

_Visit = Callable[["Checker", Any], str | None]
Found = tuple[Any, Scope, Path]
"""A schema, the scope that it stands in, and where it stands."""

_PACE = 16  # schemas from one checkpoint to the next


class DynamicReferenceError(Exception):
    """The schema has dynamic references, and the resolver does not track dynamic anchors."""


class Checker:
    """The check of one schema.

    sources: texts that may be quoted.
    is_canonical: True: formats are narrowed to the texts of writers.
    reached: attribute; the schemas that constrain, in the order found: (schema, scope inside it, path).
    inexact: attribute; the schemas with a `format` whose Language lacks some valid strings.
    holders: attribute; pairs of a schema and the schemas that it contains or refers to.
    languages: attribute; the languages of the patterns.
    """

    def __init__(self, resolver: Resolver, sources: Sources | None = None, *, is_canonical: bool = False) -> None:
        self.resolver = resolver
        self.sources = sources
        self.is_canonical = is_canonical
        self.reached: dict[Node, tuple[dict[str, Any], Scope, Path]] = {}
        self.inexact: list[Node] = []
        self.holders: list[tuple[Node, list[Found]]] = []
        self.languages: list[Language] = []
        self.path: Path = None
        self.scope = resolver.root
        self.is_reachable = True
        self._node: Node = (0, resolver.root)
        self._pending: list[Found] = []
        self._waiting: list[Found] = []
        self._in_place: dict[Node, list[Node]] = {}
        self._has_references = False

    def check(self, schema: Any, limits: Limits) -> None:
        """Raises InvalidSchemaError, UnsupportedSchemaError, LimitExceededError or DynamicReferenceError."""
        self._pending.append((schema, self.resolver.root, None))
        self._visit_pending(self.reached)
        if self._has_references:
            self._check_progress(limits)
        self.is_reachable = False
        form_only: dict[Node, tuple[dict[str, Any], Scope, Path]] = {}
        while self._waiting:
            self._pending = [entry for entry in self._waiting if (id(entry[0]), entry[1]) not in self.reached]
            self._waiting = []
            self._visit_pending(form_only)

    def _visit_pending(self, seen: dict[Node, tuple[dict[str, Any], Scope, Path]]) -> None:
        pending = self._pending
        while pending:
            schema, scope, path = pending.pop()
            if type(schema) is not dict:
                self._check_boolean(schema, scope, path)
                continue
            node = (id(schema), scope)
            if node in seen:
                continue
            if not len(seen) % _PACE:
                checkpoint()
            outer = scope
            if scope.draft.id_keyword in schema or "$schema" in schema:
                scope = self._enter(schema, scope, path)
                if scope is not outer and "$ref" in schema and not self.resolver.names_draft:
                    self._check_base(schema["$ref"], outer, scope, path)
            seen[node] = (schema, scope, path)
            self.scope, self.path, self._node = scope, path, node
            draft = scope.draft
            if "$ref" in schema and draft.ref_stands_alone and self.is_reachable:
                self._visit_lone_reference(schema, scope, path)
                continue
            visits = _VISITS[draft.number]
            for keyword, value in schema.items():
                visit = visits.get(keyword)
                if visit is not None:
                    problem = visit(self, value)
                    if problem is not None:
                        raise InvalidSchemaError(problem, pointer((path, keyword)))

    def _enter(self, schema: dict[str, Any], scope: Scope, path: Path) -> Scope:
        try:
            return self.resolver.enter(schema, scope, pointer(path))
        except ValueError as error:
            raise InvalidSchemaError(f"not a URI: {error}", pointer((path, scope.draft.id_keyword))) from None

    def _check_base(self, reference: Any, outer: Scope, inner: Scope, path: Path) -> None:
        """Raise if a `$ref` beside an id has two meanings: up to draft 7 the id has no effect there, later it has."""
        if not isinstance(reference, str) or inner.draft.ref_stands_alone:
            return
        targets = []
        for scope in (outer, inner):
            try:
                targets.append(self.resolver.resolve(reference, scope)[0])
            except (UnresolvedError, ValueError):
                return
        if targets[0] is not targets[1]:
            raise UnsupportedSchemaError(
                pointer(path),
                "$ref",
                f"up to draft 7 it leads elsewhere, as the {inner.draft.id_keyword!r} beside it does not count there",
                'name the draft with "$schema"',
            )

    def _visit_lone_reference(self, schema: dict[str, Any], scope: Scope, path: Path) -> None:
        """A schema whose other keywords say nothing beside `$ref`: their form is checked later."""
        problem = _visit_reference(self, schema["$ref"])
        if problem is not None:
            raise InvalidSchemaError(problem, pointer((path, "$ref")))
        if len(schema) > 1:
            ignored = {key: value for key, value in schema.items() if key not in ("$ref", scope.draft.id_keyword)}
            self._waiting.append((ignored, scope, path))

    def _check_boolean(self, schema: Any, scope: Scope, path: Path) -> None:
        if type(schema) is not bool:
            kinds = "an object or a boolean" if scope.draft.number > 4 else "an object"
            raise InvalidSchemaError(f"expected a schema ({kinds}), not {kind_name(schema)}", pointer(path))
        if scope.draft.number == 4:
            raise InvalidSchemaError('draft 4 has no boolean schemas; write {} or {"not": {}}', pointer(path))

    def add(self, found: list[Found], is_in_place: bool) -> None:
        """Visit subschemas of the present schema later."""
        self._pending += found
        if self.is_reachable:
            self.holders.append((self._node, found))
            if is_in_place:
                self._in_place.setdefault(self._node, []).extend([(id(one), scope) for one, scope, _ in found])

    def note_inexact(self) -> None:
        """Note that the present schema has a format whose Language lacks some valid strings."""
        self.inexact.append(self._node)

    def nodes_that_reach(self, targets: Iterable[Node]) -> frozenset[Node]:
        """The targets, and all schemas that reach one of them through subschemas and references."""
        holders: dict[Node, list[Node]] = {}
        for holder, inside in self.holders:
            for schema, scope, _ in inside:
                holders.setdefault((id(schema), scope), []).append(holder)
        found = set(targets)
        pending = list(found)
        while pending:
            for holder in holders.get(pending.pop(), ()):
                if holder not in found:
                    found.add(holder)
                    pending.append(holder)
        return frozenset(found)

    def wait(self, found: list[Found]) -> None:
        """Check the form of definitions later, unless a reference leads to them."""
        self._waiting += found

    def refer(self, find: Callable[[], Target], *, is_dynamic: bool = False) -> str | None:
        """Visit what a reference leads to, if the present schema constrains; why it leads to nothing."""
        if not self.is_reachable:
            return None
        if is_dynamic and not self.resolver.is_dynamic:
            raise DynamicReferenceError
        try:
            schema, scope, name = find()
        except (UnresolvedError, ValueError) as error:  # ValueError: not a URI
            return str(error)
        self._has_references = True
        self.add([(schema, scope, name or None)], is_in_place=True)
        return None

    def _check_progress(self, limits: Limits) -> None:
        """Raise if a schema leads back to itself for the same value, or to too many schemas one after the other."""
        depths: dict[Node, int] = {}  # longest chain from each node; 0 while it is being found
        for start in self._in_place:
            if start in depths:
                continue
            checkpoint()
            depths[start] = 0
            stack = [(start, iter(self._in_place[start]))]
            while stack:
                node, rest = stack[-1]
                following = next(rest, None)
                if following is None:
                    depth = 1 + max((depths[one] for one in self._in_place[node] if one in depths), default=0)
                    depths[node] = depth
                    stack.pop()
                    if depth > limits.max_schema_depth:
                        raise LimitExceededError(
                            "max_schema_depth", limits.max_schema_depth, "levels", "schemas that apply to one value"
                        )
                elif following in depths:
                    if depths[following] == 0:
                        raise InvalidSchemaError(
                            "a reference leads back to this schema for the same value, so it says nothing that could "
                            "be checked",
                            pointer(self.reached[following][2]),
                        )
                elif following in self._in_place:
                    depths[following] = 0
                    stack.append((following, iter(self._in_place[following])))


def _visit_reference(checker: Checker, value: Any) -> str | None:
    if type(value) is not str:
        return f"expected a URI reference (a string), not {kind_name(value)}"
    return checker.refer(lambda: checker.resolver.resolve(value, checker.scope))


def _visit_dynamic_reference(checker: Checker, value: Any) -> str | None:
    if type(value) is not str:
        return f"expected a URI reference (a string), not {kind_name(value)}"
    return checker.refer(lambda: checker.resolver.resolve_dynamic(value, checker.scope), is_dynamic=True)


def _visit_recursive_reference(checker: Checker, value: Any) -> str | None:
    if value != "#":
        return "expected '#', the only value that it may have"
    return checker.refer(lambda: checker.resolver.resolve_recursive(checker.scope), is_dynamic=True)


def _visit_pattern(checker: Checker, value: Any) -> str | None:
    if type(value) is not str:
        return f"expected a regular expression (a string), not {kind_name(value)}"
    return _pattern_problem(checker, value, "pattern")


def _pattern_problem(checker: Checker, pattern: str, keyword: str) -> str | None:
    if not checker.is_reachable:
        return None
    try:
        checker.languages.append(ecma.search(pattern))  # kept here, so that the pattern is not parsed again
    except InvalidRegexError as error:
        if "can't be enforced" in error.reason:
            raise UnsupportedSchemaError(pointer(checker.path), keyword, error.reason) from None
        return str(error)
    return None


def _visit_format(checker: Checker, value: Any) -> str | None:
    if type(value) is not str:
        return f"expected a string, not {kind_name(value)}"
    if checker.is_reachable and not formats.has_exact_complement(value, is_canonical=checker.is_canonical):
        checker.note_inexact()
    return None


def _check_patterns(checker: Checker, value: Any) -> str | None:
    """Of `patternProperties`."""
    problem = object_of_schemas(checker, value)
    if problem is None:
        found = (_pattern_problem(checker, pattern, "patternProperties") for pattern in value)
        problem = next(filter(None, found), None)
    return problem


def _found(value: Any, shape: Shape, scope: Scope, path: Path) -> list[Found]:
    """The schemas in the value of a keyword. PERF: `held` is asked for shapes that are rare."""
    if shape == "one":
        return [(value, scope, path)]
    if shape == "map":
        return [(one, scope, (path, key)) for key, one in value.items()]
    found: list[Found] = []
    for keys, one in held(value, shape):
        inner = path
        for key in keys:
            inner = (inner, key)
        found.append((one, scope, inner))
    return found


def _visitor(keyword: Keyword, shape: Shape, draft: Draft) -> _Visit:
    """The function that visits the value of a keyword with schemas."""
    check = _check_patterns if keyword.name == "patternProperties" else keyword.check
    name, is_waiting, is_in_place = keyword.name, keyword.role == "names", keyword.is_in_place
    may_be_boolean = draft.number == 4 and name.startswith("additional")

    def visit(checker: Checker, value: Any) -> str | None:
        problem = None if check is None else check(checker, value)
        if problem is None and not (may_be_boolean and type(value) is bool):
            path: Path = (checker.path, name)
            found = _found(value, shape, checker.scope, path)
            if is_waiting:
                checker.wait(found)
            else:
                checker.add(found, is_in_place)
        return problem

    return visit


_OWN_VISITS: dict[str, _Visit] = {
    "$ref": _visit_reference,
    "$dynamicRef": _visit_dynamic_reference,
    "$recursiveRef": _visit_recursive_reference,
    "pattern": _visit_pattern,
    "format": _visit_format,
}


def _visits(draft: Draft) -> dict[str, _Visit]:
    """The function that visits the value of each keyword; other keywords are not visited."""
    table: dict[str, _Visit] = {}
    for name, keyword in draft.keywords.items():
        if keyword.shape is not None and keyword.role != "annotates":
            table[name] = _visitor(keyword, keyword.shape, draft)
        elif name in _OWN_VISITS:
            table[name] = _OWN_VISITS[name]
        elif keyword.check is not None:
            table[name] = keyword.check
    return table


_VISITS = {draft.number: _visits(draft) for draft in DRAFTS}
