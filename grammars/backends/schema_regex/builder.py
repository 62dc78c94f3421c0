"""Any JSON Schema to the regex of its documents, or the reason why not.

Each keyword ends in one of three ways: a `ReportEntry` says how it is enforced, or that it is an annotation;
`UnsupportedSchemaError` refuses it; nothing is passed over. The regex matches documents that the schema allows, written
canonically: keys in the order of the schema, minimal escapes, and, where a schema leaves an object open, no keys beside
the listed ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import LimitExceededError
from ...jsonschema_library import jsonschema
from ...limits import Limits
from ...protocol import ReportEntry
from ...schema_input import json_text
from ..meta_schema import check_meta_schema
from ..regex.syntax import EMPTY, Node, text, union
from .arrays import array_node
from .disjoint import DisjointnessProver
from .json_text import Punctuation, literal, punctuation
from .numbers import integer_node, number_node
from .objects import object_node
from .places import Place, Schema, points_at_schema, root_place
from .strings import string_node

MAX_ONE_OF_BRANCHES = 100
"""Branches of one `oneOf`; each pair of them has to be proven disjoint."""

_DRAFT_3 = "http://json-schema.org/draft-03/schema"
_REF_STANDS_ALONE = ("draft-04/", "draft-06/", "draft-07/")
_IN_PLACE = ("$ref", "allOf", "anyOf", "oneOf")
_BY_TYPE = {
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "array": (
        *("items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems"),
        *("contains", "minContains", "maxContains", "unevaluatedItems"),
    ),
    "object": (
        *("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"),
        *("maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"),
    ),
}
_BY_TYPE["integer"] = _BY_TYPE["number"]
_TYPE_KEYWORDS = {keyword: kind for kind, keywords in _BY_TYPE.items() for keyword in keywords if kind != "integer"}
_CHECKED_ON_VALUES = frozenset(
    {
        *("type", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        *("minItems", "maxItems", "minProperties", "maxProperties", "required"),
    }
)
"""Keywords that are tried on each value of an `enum` beside them."""
_REFUSED = {
    "not": "a regex has no complement here",
    "x-quote": "quotes of a source text are no regex",
    "if": "conditions need an intersection",
    "then": "conditions need an intersection",
    "else": "conditions need an intersection",
    "$dynamicRef": "what it points at depends on the way there",
    "$recursiveRef": "what it points at depends on the way there",
}
_CONSTRAINTS = frozenset({*_IN_PLACE, *_TYPE_KEYWORDS, *_REFUSED, "type", "enum", "const"})
_SILENT = frozenset(
    {"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", "$defs", "definitions"}
)
"""Keywords that name or hold schemas and constrain nothing by themselves: no report entry."""


@dataclass(frozen=True)
class SchemaRegex:
    """The regex of a schema's documents (`EMPTY` when there are none) and how each keyword is enforced."""

    node: Node
    report: tuple[ReportEntry, ...]


def build_regex(schema: Schema, dialect: str, whitespace: str, limits: Limits) -> SchemaRegex:
    """The documents of `schema` as a regex.

    schema: valid under its meta-schema. dialect: that meta-schema's URI. whitespace: as in `GrammarSpec`.
    Raises UnsupportedSchemaError at the first keyword that can't be enforced.
    """
    place = root_place(schema, dialect)
    if dialect.rstrip("#") == _DRAFT_3:
        raise place.refuse("$schema", "draft 3 is not supported", "use draft 2020-12")
    builder = _Builder(punctuation(whitespace), limits)
    return SchemaRegex(builder.build(place), tuple(builder.report))


class _Builder:
    def __init__(self, marks: Punctuation, limits: Limits) -> None:
        self.marks = marks
        self.limits = limits
        self.report: list[ReportEntry] = []
        self.done: dict[int, Node] = {}  # by identity of the schema, which the document keeps alive
        self.active: set[int] = set()
        self.num_bytes_checked = 0
        self.prover = DisjointnessProver()

    def build(self, place: Place) -> Node:
        if isinstance(place.schema, bool):
            return self.build_boolean(place)
        key = id(place.schema)
        if key in self.done:
            return self.done[key]
        if len(self.active) >= self.limits.max_schema_depth:
            raise LimitExceededError("max_schema_depth", self.limits.max_schema_depth, "levels", "following $ref")
        self.active.add(key)
        notes: dict[str, str] = {}
        first_entry = len(self.report)
        node = self.build_keywords(place, notes)
        self.note_rest(place, notes)
        self.report[first_entry:first_entry] = [
            ReportEntry(place.pointer, keyword, notes[keyword]) for keyword in place.schema if keyword in notes
        ]
        self.active.remove(key)
        self.done[key] = node
        return node

    def build_boolean(self, place: Place) -> Node:
        if place.schema:
            raise place.refuse("true", "any JSON value is allowed, which is not regular", 'give it a "type"')
        self.report.append(ReportEntry(place.pointer, "false", "nothing is allowed here"))
        return EMPTY

    def build_keywords(self, place: Place, notes: dict[str, str]) -> Node:
        for keyword, reason in _REFUSED.items():
            if keyword in place.keywords:
                raise place.refuse(keyword, reason)
        if place.keywords.get("$schema", place.dialect).rstrip("#") != place.dialect:
            raise place.refuse("$schema", "a part in another draft than the whole is not supported")
        for keyword in _IN_PLACE:
            if keyword in place.keywords:
                self.check_alone(place, keyword, notes)
                return self.build_in_place(place, keyword, notes)
        if "enum" in place.keywords or "const" in place.keywords:
            return self.build_values(place, notes)
        if "type" not in place.keywords:
            kinds = sorted({_TYPE_KEYWORDS[keyword] for keyword in place.keywords if keyword in _TYPE_KEYWORDS})
            raise place.refuse(
                "type",
                "without it any JSON value is allowed, which is not regular",
                f'add "type": "{(kinds or ["string"])[0]}"',
            )
        named = place.keywords["type"]
        if isinstance(named, str):
            return self.build_type(place, named, notes)
        node = union(
            [self.build_type(place, name, notes) for name in named if name != "integer" or "number" not in named]
        )
        notes["type"] = f"any of {', '.join(named)}"
        return node

    def check_alone(self, place: Place, keyword: str, notes: dict[str, str]) -> None:
        """Refuse another constraint beside `keyword`, save where the draft says that `$ref` hides its siblings."""
        for other in place.keywords:
            if other == keyword or other not in _CONSTRAINTS:
                continue
            if keyword != "$ref" or not any(draft in place.dialect for draft in _REF_STANDS_ALONE):
                raise place.refuse(
                    keyword, f"together with {other!r} it needs an intersection", "merge the two into one schema"
                )
            notes[other] = "ignored beside $ref, as this draft says"

    def build_in_place(self, place: Place, keyword: str, notes: dict[str, str]) -> Node:
        if keyword == "$ref":
            target = place.target()
            if id(target.schema) in self.active:
                raise place.refuse(
                    "$ref", "the schema contains itself, so its documents are not regular", "unfold it to a fixed depth"
                )
            self.check_target(place, target)
            notes["$ref"] = f"as {target.pointer or 'the root'}"
            return self.build(target)
        branches = [place.child(keyword, i) for i in range(len(place.keywords[keyword]))]
        if keyword == "allOf" and len(branches) > 1:
            raise place.refuse("allOf", "more than one schema needs an intersection", "merge them into one schema")
        node = union([self.build(branch) for branch in branches])
        if keyword == "oneOf":
            self.check_disjoint(place, branches)
        notes[keyword] = "exactly; no value fits two of the schemas" if keyword == "oneOf" else "exactly"
        return node

    def check_target(self, place: Place, target: Place) -> None:
        """Check a target that lies outside the places where the document's own check has looked for schemas."""
        if points_at_schema(place.keywords["$ref"], place.dialect) or id(target.schema) in self.done:
            return
        self.num_bytes_checked += len(json_text(target.schema))
        if self.num_bytes_checked > self.limits.max_schema_bytes:
            raise LimitExceededError("max_schema_bytes", self.limits.max_schema_bytes, "bytes", "what $ref points at")
        check_meta_schema(target.schema, place.dialect, self.limits, target.pointer)

    def check_disjoint(self, place: Place, branches: list[Place]) -> None:
        if len(branches) > MAX_ONE_OF_BRANCHES:
            raise place.refuse("oneOf", f"more than {MAX_ONE_OF_BRANCHES} schemas", "use anyOf")
        for i, first in enumerate(branches):
            for j in range(i):
                if not self.prover.are_disjoint(branches[j], first):
                    hint = "use anyOf, or give each a required property with a const of its own"
                    raise place.refuse("oneOf", f"schemas {j} and {i} may both fit a value", hint)

    def build_values(self, place: Place, notes: dict[str, str]) -> Node:
        listed = place.keywords["enum"] if "enum" in place.keywords else [place.keywords["const"]]
        for keyword in place.keywords:
            if keyword in _CONSTRAINTS - {"enum", "const"} and keyword not in _CHECKED_ON_VALUES:
                raise place.refuse(
                    keyword, "beside enum or const it is not enforced", "leave only the values that it allows"
                )
        checks = {key: value for key, value in place.keywords.items() if key in _CHECKED_ON_VALUES or key == "const"}
        notes.update(dict.fromkeys(checks, "checked on each value"))
        notes["enum" if "enum" in place.keywords else "const"] = "exactly"
        validator = jsonschema.validators.validator_for({"$schema": place.dialect})(checks)
        return union(literal(value, self.marks) for value in listed if validator.is_valid(value))

    def build_type(self, place: Place, name: str, notes: dict[str, str]) -> Node:
        match name:
            case "null":
                notes["type"] = "null"
                return text("null")
            case "boolean":
                notes["type"] = "true or false"
                return union([text("true"), text("false")])
            case "integer":
                return integer_node(place, notes)
            case "number":
                return number_node(place, notes)
            case "string":
                return string_node(place, notes)
            case "array":
                return array_node(place, self.build, self.marks, notes)
            case _:
                return object_node(place, self.build, self.marks, notes)

    def note_rest(self, place: Place, notes: dict[str, str]) -> None:
        """Account for the keywords that no rule above has looked at."""
        notes.update(dict.fromkeys(place.unknown_keywords, "annotation: not a keyword of this draft"))
        for keyword in place.keywords:
            if keyword in notes or keyword in _SILENT:
                continue
            kind: Any = _TYPE_KEYWORDS.get(keyword)
            notes[keyword] = f"no effect: applies only to type {kind}" if kind else "annotation"
