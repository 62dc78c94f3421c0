"""Structural tags: free text in which constrained regions begin, such as tool calls, as rule graphs.

`read_structural_tag` reads two forms, as JSON text or as what JSON text holds:

- `{"type": "structural_tag", "format": {...}}`, the protocol that XGrammar-2 documents: a tree of formats;
- `{"structures": [{"begin", "schema", "end"}], "triggers": [...]}`, the older form, with or without
  `"type": "structural_tag"`.

What the protocol leaves open is settled like this:

- **Free text stops where a stop first begins.** Stops are triggers and the ends of the tag around; of several that
  begin at the same place each may be meant. So triggers may overlap, and be prefixes of each other.
- **A string that holds the name of a special token means that token** (`tokens.py`), in every string of the protocol
  but patterns, grammars and schemas. Free text has no special tokens; formats of tokens do.
- **at_least_one** means that a tag comes first, as documented, not that one comes somewhere.
- **any_order** of a schema still asks for its required keys, each once.
- **Arguments of calls** in the styles of `styles.py` are documents that hold no marks.
- What is not enforced exactly is refused: other styles, strings excluded from JSON documents, max_tokens of text, and
  unknown fields.

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
from .places import Place
from .reader import Reader
from .regions import Scope


def read_structural_tag(
    value: dict[str, Any] | str,
    vocabulary: Vocabulary,
    limits: Limits,
    sources: Sources | None = None,
    *,
    is_plain: bool = False,
) -> RuleGraph:
    """The grammar of a structural tag, every embedded grammar in it.

    value: the structural tag or its JSON text. vocabulary: whose tokens and special tokens it may name.
    sources: the texts that it may quote.
    is_plain: the value is an object that was parsed from JSON text whose limits were checked.
    limits: `max_schema_bytes` and `max_schema_depth` bound the whole of it, `max_repeat` the counts in it.
    Raises InvalidStructuralTagError with a JSON pointer into it, UnsupportedSchemaError with the pointer of a format
    and the field in it that can't be enforced, LimitExceededError. Schemas are checked when the graph is compiled.
    """
    try:
        plain = value if is_plain else read_plain_schema(value, limits)
    except InvalidSchemaError as error:
        is_other = error.reason.startswith("a schema is ")
        reason = "a structural tag is a JSON object" if is_other else error.reason
        raise InvalidStructuralTagError(reason, error.pointer) from error
    place, reader = Place(plain, ""), Reader(vocabulary, limits, sources)
    if place.object().get("type", "structural_tag") != "structural_tag":
        raise place.field("type").error("expected 'structural_tag', with the format in the field 'format'")
    if place.has("structures"):
        return reader.graph(reader.legacy(place))
    place.check_fields(frozenset({"format"}), frozenset({"type"}))
    return reader.graph(reader.read(place.field("format"), Scope()))
