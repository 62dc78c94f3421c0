"""`diagram_of`: the railroad diagram of a grammar, made of texts, characters, sequences, choices and loops.

The diagram shows the enforced rules, as their dialect's reader understood them, and regexes as regular
languages (`[a-c]` and `a|b|c` look the same). Intersections and complements, which lookaheads become, have no
railroad: each is one box with a note.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from guided.grammars.backends.native import rule_graph
from guided.grammars.errors import LimitExceededError, UnsupportedGrammarError
from guided.grammars.limits import Limits
from guided.grammars.regex import charset as cs
from guided.grammars.regex import nodes
from guided.grammars.rules.expressions import (
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleRef,
    Sequence,
    Terminal,
)
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import checkpoint

MAX_PARTS = 4000
"""Maximum number of parts in one diagram; a larger one would not be readable."""

MAX_WORDS = 40
"""Maximum number of texts shown for a set of texts."""

MAX_DEPTH = 60
"""Maximum nesting depth; deeper parts become one note."""

MAX_RANGES = 12
"""Maximum number of ranges shown for a set of characters."""

Part = dict[str, Any]
"""One part of a diagram as JSON data. `kind` decides the other keys:

text: `text`, a string to show literally.
characters: `text`, a character class for one character.
rule: `name`, the name of another rule.
sequence, choice: `parts`, a list of parts.
repeat: `part`, `low`, `high` (null: unbounded).
note: `text`, words for something that cannot be drawn.
"""


@dataclass(frozen=True)
class GrammarDiagram:
    """start: name of the rule where texts begin. rules: name -> part, the start rule first."""

    start: str
    rules: dict[str, Part]


def diagram_of(spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits | None = None) -> GrammarDiagram:
    """Return the diagram of a grammar.

    Raises what `compile_grammar` raises for an invalid grammar.
    Raises UnsupportedGrammarError for JSON Schemas and combinations, which have no rules.
    Raises LimitExceededError for more than MAX_PARTS parts.
    """
    drawer = _Drawer(vocabulary)
    if spec.kind == "choice":
        return GrammarDiagram("choice", {"choice": drawer.words(spec.data)})
    if spec.kind in ("json_schema", "all_of"):
        raise UnsupportedGrammarError(f"there are no diagrams of the kind {spec.kind}: it has no rules")
    graph = rule_graph(spec, vocabulary, Limits() if limits is None else limits)
    names = [graph.start, *(name for name in graph.rules if name != graph.start)]
    return GrammarDiagram(graph.start, {name: drawer.expression(graph.rules[name]) for name in names})


class _Drawer:
    """Makes diagram parts and counts them."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._num_parts = 0

    def expression(self, one: Expression, depth: int = 0) -> Part:
        """Return the diagram part of an expression from a rule graph."""
        self._count()
        if depth > MAX_DEPTH:
            return _note("deeper parts")
        if isinstance(one, Terminal):
            return self.language(one.language, depth)
        if isinstance(one, RuleRef):
            return {"kind": "rule", "name": one.name}
        if isinstance(one, Sequence):
            return _sequence([self.expression(part, depth + 1) for part in one.parts])
        if isinstance(one, Choice):
            return _choice([self.expression(part, depth + 1) for part in one.options])
        if isinstance(one, CountedRepeat):
            return _repeat(self.expression(one.child, depth + 1), one.low, one.high)
        if isinstance(one, JsonDocument):
            return _note("JSON that fits a schema")
        names = [
            self._vocabulary.written(token_id).decode("utf-8", "replace") for token_id in sorted(one.token_ids)[:2]
        ]
        return _note(f"the token {names[0]}" if len(one.token_ids) == 1 else f"one of {len(one.token_ids)} tokens")

    def language(self, one: nodes.Language, depth: int) -> Part:
        """Return the diagram part of a regular language."""
        self._count()
        if depth > MAX_DEPTH:
            return _note("deeper parts")
        if isinstance(one, nodes.Chars):
            return _characters(one.charset)
        if isinstance(one, nodes.Words):
            return self.words(one.sorted_words)
        if isinstance(one, nodes.Concat):
            return _sequence([self.language(part, depth + 1) for part in _links(one)])
        if isinstance(one, nodes.Union):
            return _choice([self.language(part, depth + 1) for part in one.parts])
        if isinstance(one, nodes.Repeat):
            return _repeat(self.language(one.child, depth + 1), one.low, one.high)
        return _note(_NOTES.get(one.kind, "texts of a regular language"))

    def words(self, words: list[str]) -> Part:
        """Return a choice between the given texts."""
        shown = [self._text(word) for word in words[:MAX_WORDS]]
        if len(words) > MAX_WORDS:
            shown.append(_note(f"{len(words) - MAX_WORDS:,} more"))
        return _choice(shown)

    def _text(self, text: str) -> Part:
        self._count()
        return {"kind": "text", "text": text} if text else _sequence([])

    def _count(self) -> None:
        checkpoint()
        self._num_parts += 1
        if self._num_parts > MAX_PARTS:
            raise LimitExceededError("max_diagram_parts", MAX_PARTS, "parts", "of a diagram")


_NOTES = {
    "intersection": "a text that fits several patterns at once",
    "complement": "any text that does not fit a pattern",
}


def _links(one: nodes.Concat) -> Iterable[nodes.Language]:
    rest: nodes.Language = one
    while isinstance(rest, nodes.Concat):
        yield rest.head
        rest = rest.tail
    yield rest


def _sequence(parts: list[Part]) -> Part:
    flat = [inner for part in parts for inner in (part["parts"] if part["kind"] == "sequence" else [part])]
    return flat[0] if len(flat) == 1 else {"kind": "sequence", "parts": flat}


def _choice(parts: list[Part]) -> Part:
    flat = [inner for part in parts for inner in (part["parts"] if part["kind"] == "choice" else [part])]
    return flat[0] if len(flat) == 1 else {"kind": "choice", "parts": flat}


def _characters(charset: cs.CharSet) -> Part:
    if cs.is_single(charset):
        return {"kind": "text", "text": chr(charset[0][0])}
    return {"kind": "characters", "text": class_text(charset)}


def _repeat(part: Part, low: int, high: int | None) -> Part:
    return part if low == high == 1 else {"kind": "repeat", "part": part, "low": low, "high": high}


def _note(text: str) -> Part:
    return {"kind": "note", "text": text}


_CLASS_WORDS = {"d": r"any digit (\d)", "w": r"a word character (\w)", "s": r"whitespace (\s)"}
"""Words for classes of Python's `re` that have hundreds of ranges."""


def class_text(charset: cs.CharSet) -> str:
    r"""Return a character set as a regex class, such as `[0-9A-F]` or `[^"\\]`, or in words."""
    for letter, words in _CLASS_WORDS.items():
        if charset == cs.python_class(letter):
            return words
    if charset == cs.ALL:
        return "any character"
    others = cs.complement(charset)
    is_negated = cs.contains(charset, cs.MAX_CODE_POINT)
    ranges = others if is_negated else charset
    shown = "".join(_range_text(low, high) for low, high in ranges[:MAX_RANGES])
    more = "\u2026" if len(ranges) > MAX_RANGES else ""
    return f"[{'^' if is_negated else ''}{shown}{more}]"


def _range_text(low: int, high: int) -> str:
    if low == high:
        return _char_text(low)
    return f"{_char_text(low)}{'-' if high > low + 1 else ''}{_char_text(high)}"


def _char_text(code_point: int) -> str:
    char = chr(code_point)
    if char in "\\]^-":
        return f"\\{char}"
    named = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char)
    if named is not None:
        return named
    return char if char.isprintable() else f"\\u{{{code_point:x}}}"
