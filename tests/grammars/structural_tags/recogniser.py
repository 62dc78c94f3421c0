"""A slow, plain recogniser of rule graphs: where a text of an expression that starts here may end."""

from __future__ import annotations

from collections.abc import Sequence as Items

from guided.grammars.compile import compile_grammar
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import (
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)
from guided.grammars.spec import GrammarSpec
from tests.grammars.vocabularies import byte_vocabulary

_VOCABULARY = byte_vocabulary()


class Recogniser:
    """Of one graph, without left recursion. A text is characters and, for tokens, their ids."""

    def __init__(self, graph: RuleGraph) -> None:
        self._graph = graph
        self._documents: dict[GrammarSpec, CompiledGrammar] = {}

    def matches(self, *items: str | int) -> bool:
        """True if the graph derives the strings and tokens, one after the other."""
        text: list[str | int] = []
        for item in items:
            text.extend(item if isinstance(item, str) else (item,))
        self._memo: dict[tuple[int, int], frozenset[int]] = {}
        return len(text) in self._ends(RuleRef(self._graph.start), text, 0)

    def _ends(self, expression: Expression, text: Items[str | int], start: int) -> frozenset[int]:
        key = (id(expression), start)
        if key not in self._memo:
            self._memo[key] = frozenset(self._find(expression, text, start))
        return self._memo[key]

    def _find(self, expression: Expression, text: Items[str | int], start: int) -> set[int]:
        match expression:
            case Terminal(language):
                return _terminal_ends(language, text, start)
            case RuleRef(name):
                return set(self._ends(self._graph.rules[name], text, start))
            case Sequence(parts):
                places = {start}
                for part in parts:
                    places = {end for place in places for end in self._ends(part, text, place)}
                return places
            case Choice(options):
                return {end for option in options for end in self._ends(option, text, start)}
            case CountedRepeat(child, low, high):
                return self._repeat_ends(child, low, high, text, start)
            case TokenRef(ids):
                return {start + 1} if start < len(text) and text[start] in ids else set()
            case JsonDocument(spec):
                return self._document_ends(spec, text, start)

    def _repeat_ends(
        self, child: Expression, low: int, high: int | None, text: Items[str | int], start: int
    ) -> set[int]:
        places, ends = {start}, {start} if low == 0 else set()
        seen: set[tuple[int, int]] = set()
        count = 0
        while places and (high is None or count < high):
            count += 1
            places = {end for place in places for end in self._ends(child, text, place)}
            if count >= low:
                ends |= places
            places = {place for place in places if (min(count, low), place) not in seen}
            seen.update((min(count, low), place) for place in places)
        return ends

    def _document_ends(self, spec: GrammarSpec, text: Items[str | int], start: int) -> set[int]:
        if spec not in self._documents:
            self._documents[spec] = compile_grammar(
                _VOCABULARY,
                json_schema=spec.source,
                whitespace=spec.whitespace,
                property_order=spec.property_order,
                cache=None,
            )
        matcher = self._documents[spec].matcher()
        ends = set()
        for place in range(start, len(text)):
            item = text[place]
            if isinstance(item, int) or not all(matcher.accept_token(byte) for byte in item.encode()):
                break
            if matcher.is_accepting():
                ends.add(place + 1)
        return ends


def _terminal_ends(language: lang.Language, text: Items[str | int], start: int) -> set[int]:
    ends = {start} if language.nullable else set()
    for place in range(start, len(text)):
        item = text[place]
        if isinstance(item, int):
            break
        language = language.step(ord(item))
        if language is lang.NOTHING:
            break
        if language.nullable:
            ends.add(place + 1)
    return ends
