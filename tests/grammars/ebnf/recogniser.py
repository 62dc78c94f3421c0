"""A plain recogniser of rule graphs: which texts belong to a grammar. It is the oracle of the readers and the machine.

For a rule and the place where it begins, the places where a text of it can end: the least sets that satisfy the
rules, found by asking again whoever asked when a set grows. Any recursion and ambiguity is fine.
"""

from __future__ import annotations

import json
from typing import Any

import jsonschema

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
)

_Task = tuple[str, int]


def accepts(graph: RuleGraph, text: str) -> bool:
    """True if the text belongs to the grammar, which has no tokens."""
    return len(text) in _Reading(graph, text).rule_ends(graph.start, 0)


class _Reading:
    def __init__(self, graph: RuleGraph, text: str) -> None:
        self.graph, self.text = graph, text
        self.known: dict[_Task, set[int]] = {}
        self.askers: dict[_Task, set[_Task]] = {}
        self.waiting: list[_Task] = []
        self.leaves: dict[tuple[Any, int], set[int]] = {}
        self.asking: _Task = ("", -1)

    def rule_ends(self, name: str, start: int) -> set[int]:
        self.ask(name, start)
        while self.waiting:
            task = self.asking = self.waiting.pop()
            ends = self.ends(self.graph.rules[task[0]], task[1])
            if not ends <= self.known[task]:
                self.known[task] |= ends
                self.waiting.extend(self.askers[task])
        return self.known[name, start]

    def ask(self, name: str, start: int) -> set[int]:
        task = (name, start)
        if task not in self.known:
            self.known[task], self.askers[task] = set(), set()
            self.waiting.append(task)
        self.askers[task].add(self.asking)
        self.askers[task].discard(("", -1))
        return self.known[task]

    def ends(self, expression: Expression, start: int) -> set[int]:
        match expression:
            case Terminal(language):
                return self.leaf(language, start)
            case RuleRef(name):
                return set(self.ask(name, start))
            case Sequence(parts):
                ends = {start}
                for part in parts:
                    ends = self.after(part, ends)
                return ends
            case Choice(options):
                return set().union(*[self.ends(option, start) for option in options])
            case CountedRepeat(child, low, high):
                return self.repeated(child, low, high, start)
            case JsonDocument():
                return self.leaf(expression, start)
        raise TypeError(expression)

    def after(self, expression: Expression, starts: set[int]) -> set[int]:
        return set().union(*[self.ends(expression, start) for start in starts])

    def repeated(self, child: Expression, low: int, high: int | None, start: int) -> set[int]:
        ends = {start}
        for _ in range(low):
            ends = self.after(child, ends)
        rounds = len(self.text) + 1 if high is None else high - low
        layer = ends
        for _ in range(rounds):
            layer = self.after(child, layer) - ends
            if not layer:
                break
            ends = ends | layer
        return ends

    def leaf(self, leaf: lang.Language | JsonDocument, start: int) -> set[int]:
        key = (leaf, start)
        if key not in self.leaves:
            find = self.document_ends if isinstance(leaf, JsonDocument) else self.language_ends
            self.leaves[key] = find(leaf, start)  # type: ignore[arg-type]
        return self.leaves[key]

    def language_ends(self, language: lang.Language, start: int) -> set[int]:
        ends = {start} if language.nullable else set()
        for place in range(start, len(self.text)):
            language = language.step(ord(self.text[place]))
            if language is lang.NOTHING:
                break
            if language.nullable:
                ends.add(place + 1)
        return ends

    def document_ends(self, document: JsonDocument, start: int) -> set[int]:
        schema = json.loads(document.spec.source)
        return {end for end in range(start + 1, len(self.text) + 1) if _is_document(self.text[start:end], schema)}


def _is_document(text: str, schema: Any) -> bool:
    if text != text.strip():
        return False
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return jsonschema.Draft202012Validator(schema).is_valid(value)
