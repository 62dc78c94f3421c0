"""Reads structural tags as rule graphs. A structural tag describes free text with constrained regions, such as tool
calls.

`read_structural_tag` reads two forms, as JSON text or as parsed JSON:

- `{"type": "structural_tag", "format": {...}}`, the protocol that XGrammar-2 documents: a tree of formats;
- `{"structures": [{"begin", "schema", "end"}], "triggers": [...]}`, the older form, with or without
  `"type": "structural_tag"`.

The reader decides what the protocol leaves open:

- **Free text stops where a stop first begins.** Stops are the triggers and the end of the surrounding tag. If several
  stops begin at the same position, each is possible. Triggers may overlap, and may be prefixes of each other.
- **The name of a special token in a string means that token** (`tokens.py`), in all strings of the protocol except
  patterns, grammars and schemas. Free text has no special tokens; formats of tokens have.
- **at_least_one** means that a tag comes first, as documented, not that a tag comes somewhere.
- **any_order** of a schema still requires its required keys, each once.
- **Arguments of calls** in the styles of `styles.py` are documents without the marks of the style inside.
- The reader refuses all that it can't enforce exactly: other styles, strings excluded from JSON documents, max_tokens
  of text, and unknown fields.

    places.py    the JSON, read strictly             reader.py     one method for each format
    tokens.py    names of tokens                     triggers.py   which trigger opens which tag
    marks.py     strings that stop free text         regions.py    free regions with parts in them
    embedded_texts.py  grammars in JSON strings, or without marks
"""

from __future__ import annotations

from typing import Any

from ..errors import InvalidSchemaError, InvalidStructuralTagError
from ..limits import Limits
from ..quote_sources import Sources
from ..rules.expressions import RuleGraph
from ..schema_input import read_plain_schema
from ..vocabulary import Vocabulary
from .places import TagValue
from .reader import Reader
from .regions import RegionScope


def read_structural_tag(
    value: dict[str, Any] | str,
    vocabulary: Vocabulary,
    limits: Limits,
    sources: Sources | None = None,
    *,
    is_plain: bool = False,
) -> RuleGraph:
    """The rule graph of a structural tag, including all embedded grammars.

    value: the structural tag, parsed or as JSON text.
    vocabulary: the tokens and special tokens that the tag may name.
    limits: `max_schema_bytes` and `max_schema_depth` bound the whole tag, `max_repeat` the counts in it.
    sources: the texts that the tag may quote; None: no sources.
    is_plain: True: `value` is an object that was parsed from JSON text within the limits.
    Raises InvalidStructuralTagError with a JSON pointer into the tag; UnsupportedSchemaError with the pointer of a
    format and its field that can't be enforced; LimitExceededError. Schemas are checked later, by the compiler.
    """
    try:
        plain = value if is_plain else read_plain_schema(value, limits)
    except InvalidSchemaError as error:
        is_other = error.reason.startswith("a schema is ")
        reason = "a structural tag is a JSON object" if is_other else error.reason
        raise InvalidStructuralTagError(reason, error.pointer) from error
    place, reader = TagValue(plain, ""), Reader(vocabulary, limits, sources)
    if place.object().get("type", "structural_tag") != "structural_tag":
        raise place.field("type").error("expected 'structural_tag', with the format in the field 'format'")
    if place.has("structures"):
        return reader.graph(reader.legacy(place))
    place.check_fields(frozenset({"format"}), frozenset({"type"}))
    return reader.graph(reader.read(place.field("format"), RegionScope()))
