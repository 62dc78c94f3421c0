"""`x-guidance` of a schema that a Lark grammar embeds: llguidance's options for how a document is written.

Options that choose among a schema's documents are read. Options that would permit other documents are refused, since
nothing in a schema is ignored.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_SEPARATORS = {(",", ":"): "compact", (", ", ": "): "spaced"}
_ESCAPES = set('nrbtf\\"u')


@dataclass(frozen=True)
class SchemaOptions:
    """The meaning of the options.

    problem: why they can't be enforced; "" if they can.
    whitespace: as in `GrammarSpec`.
    notes: notes for the user.
    """

    problem: str = ""
    whitespace: str = "flexible"
    notes: tuple[str, ...] = ()


def schema_options(given: Any) -> SchemaOptions:
    """Read the value of `x-guidance`."""
    if not isinstance(given, dict):
        return SchemaOptions("x-guidance is an object of options")
    left = dict(given)
    pattern, is_flexible = left.pop("whitespace_pattern", None), left.pop("whitespace_flexible", True)
    separators = left.pop("item_separator", ","), left.pop("key_separator", ":")
    if pattern is not None:
        whitespace = f"(?:{pattern})?" if isinstance(pattern, str) and separators == (",", ":") else None
    elif is_flexible is True:
        whitespace = "flexible" if separators == (",", ":") else None
    else:
        whitespace = _SEPARATORS.get(separators) if is_flexible is False else None
    if whitespace is None:
        shown = json.dumps(given, ensure_ascii=False)
        return SchemaOptions(f'x-guidance: {shown} can\'t be enforced; separators are "," and ":", or ", " and ": "')
    notes = []
    for name, value in left.items():
        if name in ("coerce_one_of", "lenient") and isinstance(value, bool):
            notes += [f"{name} of x-guidance lets in nothing that the schema does not; it is ignored"] if value else []
        elif name != "json_allowed_escapes" or not isinstance(value, str) or set(value) != _ESCAPES:
            known = "whitespace_flexible, whitespace_pattern, item_separator, key_separator, coerce_one_of and lenient"
            return SchemaOptions(f"x-guidance: {name} can't be enforced; there are {known}")
    return SchemaOptions("", whitespace, tuple(notes))
