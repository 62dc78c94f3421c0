"""The plain meaning of a formula: whether a JSON value satisfies it. The oracle of the translation's tests."""

from __future__ import annotations

from typing import Any

from guided.grammars.backends.json_equality import equality_key
from guided.grammars.json_schema import formula as f
from guided.grammars.json_schema import numbers
from guided.grammars.regex import algebra as lang


def evaluate(formula: f.Formula, value: Any) -> bool:
    """Whether the value (of `json.loads`) satisfies the formula."""
    if isinstance(formula, f.Constant):
        return formula.value
    if isinstance(formula, f.Reference):
        return evaluate(formula.target, value)
    if isinstance(formula, f.Not):
        return not evaluate(formula.part, value)
    if isinstance(formula, f.And):
        return all(evaluate(part, value) for part in formula.parts)
    if isinstance(formula, f.Or):
        return any(evaluate(part, value) for part in formula.parts)
    if isinstance(formula, f.ExactlyOne):
        return sum(evaluate(part, value) for part in formula.parts) == 1
    if isinstance(formula, f.Kinds):
        return kind_of(value) in formula.kinds
    assert isinstance(formula, f.Atom)
    return formula.kind != kind_of(value) or _holds(formula, value)


def kind_of(value: Any) -> f.JsonKind:
    """The kind of a JSON value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def _holds(atom: f.Atom, value: Any) -> bool:
    if isinstance(atom, f.StringIn):
        return lang.matches(atom.language, value)
    if isinstance(atom, f.NumberIn):
        return lang.matches(atom.language, number_text(value, atom.plain_only))
    if isinstance(atom, f.Has):
        return atom.key in value
    if isinstance(atom, f.NamesIn):
        return all(lang.matches(atom.language, key) for key in value)
    if isinstance(atom, f.PartCount):
        return _is_within(sum(evaluate(atom.value, part) for part in value), atom.low, atom.high)
    if isinstance(atom, f.UniqueItems):
        return len({equality_key(item) for item in value}) == len(value)
    if isinstance(atom, f.Items):
        inside = atom.prefix[atom.offset :]
        return all(
            evaluate(inside[index] if index < len(inside) else atom.rest, item) for index, item in enumerate(value)
        )
    assert isinstance(atom, f.Each)
    return all(_member_holds(atom, key, member) for key, member in value.items())


def _member_holds(atom: f.Each, key: str, member: Any) -> bool:
    inside = [formula for language, formula in atom.patterns if lang.matches(language, key)]
    if key in atom.properties:
        inside.append(atom.properties[key])
    return all(evaluate(formula, member) for formula in inside or [atom.additional])


def _is_within(count: int, low: int, high: int | None) -> bool:
    return count >= low and (high is None or count <= high)


def number_text(value: int | float, is_plain: bool) -> str:
    """The number as JSON text; is_plain: without exponent."""
    text = str(value)
    if not is_plain or "e" not in text:
        return text
    return next(spelling for spelling in numbers.spellings(value) if "e" not in spelling)
