"""A user's request for one grammar, as plain data that can be hashed and compared, so that it can key a cache."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Literal

GrammarKind = Literal["json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of"]


VALUES = ("any", "canonical")
READINGS = {"pattern": ("search", "full"), "objects": ("open", "closed")}
"""Options for reading a schema -> their values, the default first; see `GrammarSpec`."""


@dataclass(frozen=True)
class StyledWriting:
    """How a schema's documents are written in a style other than JSON.

    Attributes:
        style: a name in `styles.STYLES`.
        excludes: strings that no string value may contain, besides the style's marks.
        stops: strings that a string may not contain if it is the whole document.
        max_spaces: maximum number of whitespace characters between members, default 8; never more than 18.
        tokens: pairs (name, id) of special tokens that occur in the style's marks.
    """

    style: str
    excludes: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    max_spaces: int = 8
    tokens: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class GrammarSpec:
    """A request for one grammar.

    Attributes:
        kind: language of `source`.
        source: a JSON Schema as JSON text; a regex (Python `re` syntax, full match); a JSON list of a choice's strings;
            the text of an EBNF grammar; a structural tag as JSON text; "" for kind "all_of".
        dialect: dialect of an EBNF grammar; "": recognised from the text.
        whitespace: whitespace between JSON tokens, for kind "json_schema". "compact": none. "spaced": one space after
            each comma and colon. "flexible": up to two of space, newline and tab at each place inside the document. Any
            other value is a regex for one place.
        property_order: "schema" or "any". With "schema" keys come in the schema's order: properties, then required keys
            that are not among them, then others.
        values: form of numbers and times in every schema of the grammar. "any": every form that JSON Schema calls
            valid. "canonical": the forms that JSON writers produce, see docs/json_schema.md.
        pattern: how `pattern` was read before the schema became `source`: "search", or "full" for the whole string.
        objects: how objects were read before the schema became `source`: "open", or "closed" for no members but named
            ones.
        styled: how documents of a structural tag's schemas are written; None: as JSON.
        resources: documents that `$ref` may name, as sorted pairs of URI and JSON text.
        parts: the grammars of kind "all_of"; at most one of them is not regular.
        banned_substrings: strings that must not occur: in the text, for kind "all_of"; in string values and keys, for
            kind "json_schema".
        sources: a `Sources` with the texts for quotes; None if there are none. Compared by identity.
        read: parsed data of `source` and of each of `resources`, which must not be changed. None: parsed by `data` and
            `documents` on demand.
    """

    kind: GrammarKind
    source: str
    whitespace: str = "flexible"
    property_order: str = "schema"
    resources: tuple[tuple[str, str], ...] = ()
    dialect: str = ""
    parts: tuple[GrammarSpec, ...] = ()
    banned_substrings: tuple[str, ...] = ()
    values: str = "any"
    pattern: str = "search"
    objects: str = "open"
    styled: StyledWriting | None = None
    sources: Any = field(default=None, repr=False)
    read: tuple[Any, tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)

    @property
    def data(self) -> Any:
        """Parsed JSON of `source`, for kinds whose source is JSON text. The caller must not change it."""
        return json.loads(self.source) if self.read is None else self.read[0]

    @property
    def documents(self) -> dict[str, Any]:
        """URI -> parsed JSON of that resource. The caller must not change it."""
        if self.read is None:
            return {uri: json.loads(text) for uri, text in self.resources}
        return {uri: document for (uri, _), document in zip(self.resources, self.read[1], strict=True)}

    @property
    def is_canonical(self) -> bool:
        """True for values="canonical"."""
        return self.values == "canonical"

    @property
    def readings(self) -> dict[str, str]:
        """`pattern` and `objects`, where they differ from their defaults."""
        given = {"pattern": self.pattern, "objects": self.objects}
        return {name: value for name, value in given.items() if value != READINGS[name][0]}

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of `compile_grammar` that lead to this spec again, as plain data that JSON can hold.

        Another process can compile the same grammar with them, for its own vocabulary.
        """
        if self.kind == "all_of" or self.banned_substrings:
            whole = [] if self.kind == "all_of" else [replace(self, banned_substrings=(), sources=None)]
            parts = [part.arguments for part in (*whole, *self.parts)]
            banned = [{"banned_substrings": list(self.banned_substrings)}] if self.banned_substrings else []
            return {"all_of": [*parts, *banned], **self._given_sources}
        found: dict[str, Any] = {self.kind: self.data if self.kind == "choice" else self.source}
        if self.kind == "json_schema":
            found["whitespace"] = self.whitespace
            found["property_order"] = self.property_order
            found |= self.readings
        if self.resources:
            found["resources"] = dict(self.resources)
        if self.dialect:
            found["dialect"] = self.dialect
        if self.is_canonical:
            found["values"] = self.values
        return found | self._given_sources

    @property
    def _given_sources(self) -> dict[str, Any]:
        return {} if self.sources is None else {"sources": dict(self.sources.texts)}
