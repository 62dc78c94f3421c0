"""Advice about a valid JSON Schema: keywords that look misspelled, and values without a bound.

A keyword that no draft knows is an annotation and constrains nothing, so validators silently accept `requird`.
`misspelled` finds keywords that are a small slip away from a constraining keyword, and whose value that keyword could
have. Names beginning with `x-`, and the vocabularies of OpenAPI, hyper-schema, editors and code generators, are
accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from guided.grammars.json_paths import pointer_of
from guided.grammars.json_schema.keyword_table import SHAPES, held
from guided.grammars.watch import checkpoint, paced

_NOT_GENERATED = frozenset({"not", "if", "contains", "propertyNames", "contentSchema"})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _is_schemas(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_schema(item) for item in value)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_schema(item) or isinstance(item, list) for item in value.values())


def _is_names(value: Any) -> bool:
    return isinstance(value, bool) or (isinstance(value, list) and all(isinstance(item, str) for item in value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


CONSTRAINING: dict[str, Callable[[Any], bool]] = {
    "type": lambda value: isinstance(value, str | list),
    "enum": lambda value: isinstance(value, list),
    "const": lambda value: True,
    "$ref": _is_text,
    **dict.fromkeys(("pattern", "format"), _is_text),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"), _is_count),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_count),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), _is_number),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), lambda value: isinstance(value, bool | int | float)),
    "uniqueItems": lambda value: isinstance(value, bool),
    "required": _is_names,
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs"), _is_map),
    **dict.fromkeys(("definitions", "dependentRequired"), _is_map),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _is_schemas),
    "items": lambda value: _is_schema(value) or _is_schemas(value),
    **dict.fromkeys(("additionalItems", "unevaluatedItems", "contains", "additionalProperties"), _is_schema),
    **dict.fromkeys(("unevaluatedProperties", "propertyNames", "not", "if", "then", "else"), _is_schema),
}
"""Constraining keyword -> function that tells whether a value is plausible for it."""

KNOWN_WORDS = frozenset(
    " ".join(
        (
            # all drafts: annotations, and keywords of earlier drafts
            "$schema $id id $anchor $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary "
            "$comment title description default examples deprecated readOnly writeOnly contentEncoding "
            "contentMediaType contentSchema divisibleBy disallow extends optional requires maxDecimal",
            # hyper-schema
            "base links href hrefSchema targetSchema targetMediaType targetHints headerSchema submissionSchema "
            "rel rels submissionMediaType templatePointers templateRequired anchor anchorPointer encType "
            "mediaType method media binaryEncoding fragmentResolution pathStart",
            # OpenAPI
            "nullable discriminator xml externalDocs example examples",
            # keywords of editors, forms and code generators
            "markdownDescription enumDescriptions markdownEnumDescriptions enumItemLabels defaultSnippets "
            "errorMessage patternErrorMessage patternDescription deprecationMessage markdownDeprecationMessage "
            "doNotSuggest suggestSortText allowComments allowTrailingCommas completionDetail editPresentation "
            "scope order tags propertyOrder propertyOrdering options headerTemplate enumNames enum_titles ui "
            "widget tsType tsEnumNames javaType existingJavaType javaName javaEnumNames javaInterfaces goType "
            "pyType customTypePath customDynamicRef",
            # validation keywords of ajv and others
            "instanceof typeof transform regexp uniqueItemProperties formatMinimum formatMaximum "
            "formatExclusiveMinimum formatExclusiveMaximum formatLimit patternRequired prohibited deepProperties "
            "deepRequired allRequired anyRequired oneRequired range exclusiveRange dynamicDefaults select "
            "selectCases selectDefault switch until units unit version constants",
        )
    ).split()
)
"""Names of known vocabularies, which are never reported as slips."""


@dataclass(frozen=True)
class Suspect:
    """A keyword that constrains nothing but resembles a constraining keyword. pointer: of the schema that contains it.
    meant: the keyword that it resembles.
    """

    pointer: str
    keyword: str
    meant: str

    def __str__(self) -> str:
        return (
            f"{self.pointer or '(root)'}: {_short(self.keyword)} is no keyword and constrains nothing; "
            f"did you mean {self.meant!r}?"
        )


@dataclass(frozen=True)
class Unbounded:
    """A value that may grow until the tokens are used up. bound: keywords with values that would limit it."""

    pointer: str
    what: str
    bound: str

    def __str__(self) -> str:
        return f"{self.pointer or '(root)'}: {self.what} without a bound; {self.bound} would bound it"


def misspelled(schema: Any) -> list[Suspect]:
    """The keywords of a schema that look misspelled, in the schema's order."""
    found = []
    for pointer, part, _ in schemas_in(schema):
        for keyword, value in part.items():
            meant = meant_keyword(keyword, value)
            if meant is not None:
                found.append(Suspect(pointer, keyword, meant))
    return found


def meant_keyword(keyword: str, value: Any) -> str | None:
    """The constraining keyword that `keyword` probably means; None for known words and for names that resemble none."""
    if keyword in CONSTRAINING or keyword in KNOWN_WORDS or keyword.startswith(("x-", "X-", "_", "ui:", "@")):
        return None
    plain = _plain(keyword)
    if plain in ("inclusiveminimum", "inclusivemaximum") and _is_number(value):
        return plain.removeprefix("inclusive")  # "minimum" and "maximum" are inclusive
    near = []
    for known, fits in CONSTRAINING.items():
        if known.startswith("$") != keyword.startswith("$") and _plain(known) != plain:
            continue
        num_slips = 0 if _plain(known) == plain else _num_slips(plain, _plain(known), _most_slips(known))
        if num_slips is not None and fits(value):
            near.append((num_slips, known))
    return min(near)[1] if near else None


def unbounded(schema: Any) -> list[Unbounded]:
    """The strings, numbers and arrays of a schema that have no bound, in the schema's order."""
    found = []
    for pointer, part, around in schemas_in(schema):
        if around is None:
            continue
        found += [Unbounded(pointer, what, bound) for what, bound in _missing_bounds(part, around | part.keys())]
    return found


def _missing_bounds(part: dict[str, Any], keywords: set[str]) -> Iterator[tuple[str, str]]:
    """Each value that may grow, and a bound for it. keywords: those of this schema and of others for the same value."""
    named = part.get("type")
    kinds = named if isinstance(named, list) else [named]
    if keywords & {"enum", "const"}:
        return
    if "string" in kinds and not keywords & {"maxLength", "pattern", "format"}:
        yield "a string", '"maxLength": 200'
    if "integer" in kinds or "number" in kinds:
        sides = {"minimum": '"minimum": 0', "maximum": '"maximum": 1000000'}
        missing = [text for side, text in sides.items() if not keywords & {side, f"exclusive{side.capitalize()}"}]
        if missing:
            yield ("an integer" if "integer" in kinds else "a number"), " and ".join(missing)
    if "array" in kinds and "maxItems" not in keywords:
        is_tuple = part.get("items") is False or part.get("additionalItems") is False
        if not is_tuple:
            yield "an array", '"maxItems": 20'


def schemas_in(schema: Any) -> Iterator[tuple[str, dict[str, Any], set[str] | None]]:
    """Each schema in a schema: its pointer, the schema, and keywords of other schemas for the same value.

    The keywords are None for a schema that generates nothing, such as one under `not`.
    """
    pending: list[tuple[str, Any, set[str] | None]] = [("", schema, set())]
    while pending:
        pointer, part, around = pending.pop()
        if not isinstance(part, dict):
            continue
        checkpoint()
        yield pointer, part, around
        pending += reversed(list(_parts(pointer, part, around)))


def _parts(pointer: str, part: dict[str, Any], around: set[str] | None) -> Iterator[tuple[str, Any, set[str] | None]]:
    for keyword, value in part.items():
        inside: set[str] | None = None if around is None or keyword in _NOT_GENERATED else set()
        if keyword in ("allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas") and inside is not None:
            inside = set(around or ()) | (part.keys() - {"type"})
        if keyword == "allOf" and inside is not None and isinstance(value, list):
            inside = inside.union(*(branch.keys() for branch in value if isinstance(branch, dict)))
        if keyword in SHAPES:
            for keys, one in paced(list(held(value, SHAPES[keyword]))):
                yield pointer + pointer_of((keyword, *keys)), one, inside


def _plain(keyword: str) -> str:
    return keyword.lower().replace("_", "").replace("-", "").replace(" ", "").replace("$", "")


def _most_slips(known: str) -> int:
    return 0 if len(known) < 4 else 1 if len(known) < 8 else 2


def _num_slips(given: str, known: str, most: int) -> int | None:
    """Number of letters to add, drop, change or swap with the next one (optimal string alignment); None if more than
    `most`.
    """
    if abs(len(given) - len(known)) > most:
        return None
    before: list[int] = []
    row = list(range(len(known) + 1))
    for i, letter in enumerate(given, start=1):
        before, last, row = row, before, [i]
        for j, other in enumerate(known, start=1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == known[j - 2] and given[i - 2] == other:
                best = min(best, last[j - 2] + 1)
            row.append(best)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _short(keyword: str) -> str:
    return repr(keyword if len(keyword) <= 60 else keyword[:60] + "...")
