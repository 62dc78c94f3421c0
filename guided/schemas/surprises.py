"""`surprises`: meanings of a grammar that users of other libraries may not expect.

The meanings follow JSON Schema, Python's `re` and the EBNF dialects; other libraries read the same text differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from guided.grammars.spec import GrammarSpec

from .advice import schemas_in
from .pattern_readings import read_otherwise

_SAYS_WHICH = frozenset({"additionalProperties", "unevaluatedProperties", "patternProperties", "propertyNames"})
_DIGITS = re.compile(r"(min|max)Digits(Integer|Fraction|Exponent)?")
_CLASSES_OF_ALL_SCRIPTS = re.compile(r"(?<!\\)(?:\\\\)*\\([dDwW])")
_TEXT_END = r"(?![\s\S])"
_ASCII_FLAG = re.compile(r"\(\?[a-zA-Z]*a[a-zA-Z]*[:)-]")
_RULE = re.compile(r"^\s*([A-Za-z_][\w-]*)\s*::=", re.MULTILINE)
_QUOTED_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|#[^\n]*')
_LARK_REGEX = re.compile(r"/(?:\\.|[^/\\\n])+/[imslux]*")
_BRACKETS = re.compile(r"\[\s*([A-Za-z_][\w-]+)\s*\]")


@dataclass(frozen=True)
class Surprise:
    """Something that other libraries read differently. pointer: its place, in words or as a JSON pointer."""

    pointer: str
    what: str

    def __str__(self) -> str:
        return f"{self.pointer or '(root)'}: {self.what}"


def surprises(spec: GrammarSpec, schema: Any = None) -> list[Surprise]:
    """The parts of a grammar that may surprise its author, in order. schema: the schema as given; None: `spec.data`."""
    if spec.kind == "json_schema":
        return list(_of_schema(spec.data if schema is None else schema, spec))
    if spec.kind == "regex":
        return list(_of_regex(spec.source, "the regex"))
    if spec.kind == "ebnf":
        return list(_of_ebnf(spec.source))
    if spec.kind == "structural_tag":
        return list(_of_tag(spec.data, ""))
    return [
        Surprise(f"all_of[{number}]", str(one)) for number, part in enumerate(spec.parts) for one in surprises(part)
    ]


def _of_schema(schema: Any, spec: GrammarSpec) -> Iterator[Surprise]:
    readings = read_otherwise(schema)
    for pointer, part, around in schemas_in(schema):
        pattern = part.get("pattern")
        if spec.pattern == "search" and isinstance(pattern, str) and not is_anchored(pattern):
            yield Surprise(
                pointer,
                f"the pattern {pattern!r} may match anywhere in the string, as JSON Schema has it; some libraries "
                f"match the whole string. For that write {f'^(?:{pattern})$'!r}, or ask for --pattern full",
            )
        for other, marks in readings.get(pointer, ()):
            yield Surprise(
                pointer,
                f"{' and '.join(marks)} in the pattern {other!r}: as ECMA-262 has it, and so JSON Schema; validators "
                "that ask Python's 're' count other characters. Name the characters, as in [0-9A-Za-z_]"
                + (f"; for $ write {_TEXT_END}" if "$" in marks else ""),
            )
        keywords = part.keys() | (around or set())
        if spec.objects == "open" and around is not None and "properties" in part and not keywords & _SAYS_WHICH:
            yield Surprise(
                pointer,
                "other members than those of 'properties' may come, as JSON Schema has it; some libraries allow none. "
                'For that write "additionalProperties": false, or ask for --objects closed',
            )
        for keyword in part:
            if _DIGITS.fullmatch(keyword):
                yield Surprise(
                    pointer,
                    f"{keyword!r} is an addition of outlines and constrains nothing here; use 'minimum', 'maximum' and "
                    "'multipleOf', or a string with a pattern",
                )


def is_anchored(pattern: str) -> bool:
    """True if a pattern certainly matches whole strings only."""
    if pattern.endswith(_TEXT_END):
        pattern = pattern.removesuffix(_TEXT_END) + "$"
    body = re.sub(r"\\.", "xx", pattern, flags=re.DOTALL)
    if not (body.startswith("^") and body.endswith("$")):
        return False
    depth = 0
    for char in re.sub(r"\[[^\]]*\]", "x", body):
        depth += (char == "(") - (char == ")")
        if char == "|" and not depth:
            return False
    return True


def _of_regex(pattern: str, where: str) -> Iterator[Surprise]:
    found = sorted({f"\\{one}" for one in _CLASSES_OF_ALL_SCRIPTS.findall(pattern)})
    if found and not _ASCII_FLAG.search(pattern):
        yield Surprise(
            where,
            f"digits and letters of all scripts count for {' and '.join(found)}, as in Python; in some libraries those "
            "of ASCII alone. For that write [0-9] and [A-Za-z0-9_], or begin with (?a)",
        )


def _of_ebnf(text: str) -> Iterator[Surprise]:
    if "::=" not in text:
        for match in _LARK_REGEX.finditer(text):
            yield from _of_regex(match[0], f"line {text.count(chr(10), 0, match.start()) + 1}")
        return
    rules = set(_RULE.findall(text))
    plain = _QUOTED_OR_COMMENT.sub(lambda match: " " * len(match[0]), text)
    for match in _BRACKETS.finditer(plain):
        name = match[1]
        if name in rules:
            line = plain.count("\n", 0, match.start()) + 1
            yield Surprise(
                f"line {line}",
                f"{match[0]} is one of the characters of {name!r}, as in GBNF; in ISO EBNF it is the rule, or nothing. "
                f"For that write ({name})?",
            )


def _of_tag(value: Any, pointer: str) -> Iterator[Surprise]:
    if isinstance(value, dict) and value.get("type") == "regex" and isinstance(value.get("pattern"), str):
        yield from _of_regex(value["pattern"], pointer)
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        if key != "json_schema":
            yield from _of_tag(part, f"{pointer}/{key}")
