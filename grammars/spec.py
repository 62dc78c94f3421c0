"""What a user asks for: one grammar, as plain data that can be hashed and compared (so it can key a cache)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["json_schema", "regex", "choice", "ebnf", "structural_tag", "all_of"]


VALUES = ("any", "canonical")
READINGS = {"pattern": ("search", "full"), "objects": ("open", "closed")}
"""How a schema is read, the default first: see `GrammarSpec`."""


@dataclass(frozen=True)
class StyledWriting:
    """How the documents of a schema are written that are no JSON.

    style: of `styles.STYLES`. excludes: what no string may hold, beside marks. stops: what no string may hold that is
    the whole document. max_spaces: characters of whitespace between members; there are never more than 18.
    tokens: special tokens that marks hold, by their names in these.
    """

    style: str
    excludes: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    max_spaces: int = 8
    tokens: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class GrammarSpec:
    """One grammar request.

    kind: what `source` is written in.
    source: JSON Schema as JSON text; the regex (Python `re` syntax, full match); a JSON list of the strings of a
        choice; the text of an EBNF grammar; a structural tag as JSON text; "" for kind "all_of".
    dialect: of an EBNF grammar; "" where it is to be recognised.
    whitespace: between JSON tokens, for kind "json_schema": "compact" (none), "spaced" (one space after each comma and
        colon), "flexible" (up to two of space, newline and tab at each place inside the document) or a regex for one
        place.
    property_order: "schema" (keys come in the order that the schema lists them: properties, then required keys that are
        not among them, then others) or "any".
    values: how numbers and times are written, in every schema of the grammar: "any" (every form that JSON Schema calls
        valid) or "canonical" (as writers write them, see docs/json_schema.md).
    pattern, objects: how the schema was read before it became `source`, for kind "json_schema": "search" or "full"
        (each `pattern` matches the whole string); "open" or "closed" (objects have no members but those that the schema
        names).
    styled: how documents are written, for the schemas of structural tags; None: as JSON.
    resources: documents that `$ref` may name: pairs of URI and JSON text, sorted.
    parts, banned_substrings: for kind "all_of": the grammars, at most one of which is not regular, and the texts that
        must not occur.
    sources: the texts that quotes in it are taken from, a `Sources`; None: there are none. Compared by identity.
    read: of kinds whose `source` is JSON text: the data that it says, and what each of `resources` says, which nobody
        may change. None: they are parsed when `data` and `documents` are asked for.
    """

    kind: Kind
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
        """What `source` says, where it is JSON text; not to be changed."""
        return json.loads(self.source) if self.read is None else self.read[0]

    @property
    def documents(self) -> dict[str, Any]:
        """URI -> what `resources` say; not to be changed."""
        if self.read is None:
            return {uri: json.loads(text) for uri, text in self.resources}
        return {uri: document for (uri, _), document in zip(self.resources, self.read[1], strict=True)}

    @property
    def is_canonical(self) -> bool:
        """True for values="canonical"."""
        return self.values == "canonical"

    @property
    def readings(self) -> dict[str, str]:
        """`pattern` and `objects`, as far as they are not the default."""
        given = {"pattern": self.pattern, "objects": self.objects}
        return {name: value for name, value in given.items() if value != READINGS[name][0]}

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments of `compile_grammar` that come to this again, as plain data that JSON holds.

        With them another process compiles the same grammar, for its own vocabulary.
        """
        if self.kind == "all_of":
            parts = [part.arguments for part in self.parts]
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
