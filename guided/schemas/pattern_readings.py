r"""Finds parts of a schema's patterns that Python's `re` reads otherwise than ECMA-262, if it may refuse a document.

`\w`, `\d`, `$` and `.` match more in Python, `\W` and `\D` less, `\s`, `\S`, `\b` and `\B` other texts. It therefore
matters whether a text has to match a pattern, or must not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from guided.grammars.json_paths import keys_of, pointer_of, resolve
from guided.grammars.json_schema.keyword_table import SHAPES, held
from guided.grammars.watch import checkpoint

_MUST, _MUST_NOT = 1, 2  # bits: a text must match the pattern, or must not
_EITHER = _MUST | _MUST_NOT
_SWAPPED = {_MUST: _MUST_NOT, _MUST_NOT: _MUST, _EITHER: _EITHER}
_LESS, _MORE = frozenset("WDsSbB"), frozenset("wdsSbB$.")
_ANYTHING = re.compile(r"\[\^\]|\[(?:\\s\\S|\\S\\s|\\d\\D|\\D\\d|\\w\\W|\\W\\w)\]")
_MARK = re.compile(r"\\(.)|\[\^|[\[\]$.]", re.DOTALL)


def read_otherwise(schema: Any) -> dict[str, list[tuple[str, list[str]]]]:
    """Pointer -> patterns of that schema that `re` may refuse a document for, each with the parts read otherwise."""
    found: dict[str, list[tuple[str, list[str]]]] = {}
    for pointer, (part, ways) in _places(schema).items():
        pattern, keys = part.get("pattern"), part.get("patternProperties")
        pairs = [(pattern, ways)] if isinstance(pattern, str) else []
        if isinstance(keys, dict):
            is_closed = len(keys) == 1 and part.get("additionalProperties") is False and not part.get("properties")
            pairs = [*((key, ways if is_closed else _EITHER) for key in keys), *pairs]
        marks = [(text, _marks(text, way)) for text, way in pairs]
        if any(one for _, one in marks):
            found[pointer] = [(text, sorted(one)) for text, one in marks if one]
    return found


def _marks(pattern: str, ways: int) -> set[str]:
    r"""The parts of a pattern that Python reads otherwise, such as `\W`."""
    pattern = _ANYTHING.sub("", pattern)
    if re.search(r"\(\?<?!(?!\))", pattern):
        ways = _EITHER
    found: set[str] = set()
    is_class = is_negated = False
    for match in _MARK.finditer(pattern):
        text = match[0]
        if not is_class and text in ("[", "[^"):
            is_class, is_negated = True, text == "[^"
        elif text == "]":
            is_class = False
        elif text in ("$", ".") or (text[0] == "\\" and text[1].isalpha()):
            name = text[-1].swapcase() if is_class and is_negated else text[-1]
            is_meant = not is_class or text[-1] in "wWdDsS"  # [$.] are characters, and so is [\b]
            if is_meant and ((ways & _MUST and name in _LESS) or (ways & _MUST_NOT and name in _MORE)):
                found.add(text)
    return found


def _places(schema: Any) -> dict[str, tuple[dict[str, Any], int]]:
    """Each schema by its pointer, and whether values must fit it, must not, or either; also by way of references."""
    known: dict[str, tuple[dict[str, Any], int]] = {}
    pending: list[tuple[str, Any, int]] = [("", schema, _MUST)]
    while pending:
        pointer, part, ways = pending.pop()
        before = known[pointer][1] if pointer in known else 0
        if not isinstance(part, dict) or before | ways == before:
            continue
        checkpoint()
        known[pointer] = part, before | ways
        pending += _inner(schema, pointer, part, before | ways)
    return known


def _inner(root: Any, pointer: str, part: dict[str, Any], ways: int) -> Iterator[tuple[str, Any, int]]:
    for keyword, value in part.items():
        if keyword in SHAPES:
            inside = _ways_inside(root, keyword, part, ways)
            for keys, one in held(value, SHAPES[keyword]):
                yield pointer + pointer_of((keyword, *keys)), one, inside
        elif keyword == "$ref" and isinstance(value, str):
            target = unquote(value)
            yield pointer_of(keys_of(target)), resolve(root, target), ways


def _ways_inside(root: Any, keyword: str, part: dict[str, Any], ways: int) -> int:
    if keyword == "not":
        return _SWAPPED[ways]
    if keyword == "if" or (keyword == "contains" and "maxContains" in part):
        return _EITHER
    if keyword == "oneOf" and "discriminator" not in part and isinstance(part["oneOf"], list):
        return ways if are_apart(root, part["oneOf"]) else _EITHER
    if keyword in ("$defs", "definitions"):
        return _MUST
    return ways


def are_apart(root: Any, branches: Sequence[Any]) -> bool:
    """True if the types of branches tell that no value fits two of them. root: the schema that their references point
    into.
    """
    seen: set[str] = set()
    for branch in branches:
        if isinstance(branch, dict) and "type" not in branch and isinstance(branch.get("$ref"), str):
            branch = resolve(root, unquote(branch["$ref"]))
        kinds = branch.get("type") if isinstance(branch, dict) else None
        names = {kinds} if isinstance(kinds, str) else set(kinds) if isinstance(kinds, list) else None
        if names is None or not all(isinstance(name, str) for name in names):
            return False
        names = {"number" if name == "integer" else name for name in names}
        if names & seen:
            return False
        seen |= names
    return True
