"""`RuleRopes`: the shortest way to the end of a text of a general grammar, from any of its configurations.

A position of the network has the shortest rest of its rule. A GSS node over a stack has the shortest rest of the text.
A `Solver` finds both kinds of unknowns, so rules may be recursive, and stacks deep.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TypeAlias

from ..machine.rules.automaton import PushdownAutomaton
from ..machine.rules.branches import Branch
from ..machine.rules.counted_terminals import dfa_state_of_lexeme
from ..machine.rules.layout import END_EDGE, FIRST_LABEL, FRESH
from ..machine.tails import Tail, whole
from ..regex import algebra as lang
from ..rules.expressions import JsonDocument
from ..solver import Solver
from .documents import DocumentRopes
from .ropes import EMPTY, Rope, Trust, Way, best, best_of, join, of_token
from .spelling import Speller
from .texts import Texts

Unknown: TypeAlias = tuple[int, int, int]
"""POSITION and a position; or REST, a GSS node and a stack node."""

POSITION, REST = 0, 1
NO_WAY = Rope(1 << 60, 1 << 60, ())
"""No way is known."""


class RuleRopes:
    """The ways to the ends of a general grammar's texts; see `Ropes`. The caller holds the automaton's lock.

    texts: shortest texts of terminals.
    """

    many_tokens = 16

    def __init__(self, automaton: PushdownAutomaton) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._network = automaton.states.network
        self._speller = automaton.vocabulary_tables.attached(Speller)
        self.texts = Texts(automaton.vocabulary_tables)
        self._solver: Solver[Unknown, Rope] = Solver(self._evaluate, NO_WAY, Rope.is_better_than)
        self._documents: dict[int, DocumentRopes] = {}  # first row of the whitespace table -> ropes
        self._of_states: dict[tuple[int, int, int], Rope | None] = {}
        self._of_lexemes: dict[tuple[int, int], Rope | None] = {}

    def of_state(self, state: int, stack: int, count: int = 0) -> Rope | None:
        """Return the shortest way to the end from a local state, None if unknown. count: see `Branch.num_units`."""
        key = (state, stack, count)
        if key not in self._of_states:
            self._of_states[key] = self._from_state(state, stack, count)
        return self._of_states[key]

    def rope(self, branch: Branch, tail: Tail | None, capture: int = 0) -> Way:
        """Return the shortest way to the end from a branch; see `Ropes.rope`."""
        if branch.is_in_rules:
            return self.of_state(branch.local_state, branch.stack, branch.num_units), Trust.SURE
        if self._automaton.is_held_back(branch.code):
            ended = self._automaton.ended_object(*branch)
            if ended is not None and (rope := self.of_state(*ended)) is not None:
                return rope, Trust.SURE
        rope, trust = self._of_document(branch.stack).rope(branch, tail, capture)
        after = self.of_state(*self._automaton.after_document(self._automaton.root_of(branch.stack)))
        return (None if rope is None or after is None else join(rope, after)), trust

    def _of_document(self, stack: int) -> DocumentRopes:
        """Return the ropes of the document that a stack is in."""
        first_space = self._automaton.first_space(stack)
        ropes = self._documents.get(first_space)
        if ropes is None:
            ropes = self._documents[first_space] = DocumentRopes(self._automaton, first_space)
        return ropes

    def of_documents(self) -> list[DocumentRopes]:
        """Return the ropes of all documents."""
        for root in self._automaton.documents.values():
            self._of_document(self._automaton.push(0, root))
        return list(self._documents.values())

    def of_position(self, position: int) -> Rope | None:
        """Return the shortest way from a position to the end of its rule; None if there is none."""
        rope = self._solver((POSITION, position, 0))
        return None if rope is NO_WAY else rope

    def by_id(self, branch: Branch) -> Iterator[tuple[frozenset[int], Way]]:
        """See `Ropes.by_id`."""
        if branch.is_in_rules:
            for number, gss_node in self._states.item_set(branch.local_state).tokens:
                entry = self._states.after(gss_node)
                following = self._automaton.branches.at(*self._automaton.follow_entry(entry, branch.stack))
                yield self._states.token_ids(number), best_of([self.rope(one, None) for one in following])
            return
        for token_id in self._automaton.mark_tokens:
            after = self._automaton.after_mark_token(*branch, token_id)
            if after is not None:
                following = self._automaton.branches.of(Branch(*after))
                yield frozenset([token_id]), best_of([self.rope(one, None) for one in following])

    def _from_state(self, state: int, stack: int, count: int) -> Rope | None:
        content = self._states.item_set(state)
        if content.is_complete:
            return EMPTY
        found = []
        for lexeme, gss_node in content.items:
            found.append(self._then(self._rest_of_lexeme(lexeme, count), gss_node, stack))
        for number, gss_node in content.tokens:
            found.append(self._then(of_token(min(self._states.token_ids(number))), gss_node, stack))
        for number, gss_node in content.documents:
            found.append(self._then(self.of_whole(self._states.document(number)), gss_node, stack))
        return best(found)

    def _then(self, rope: Rope | None, gss_node: int, stack: int) -> Rope | None:
        if rope is None:
            return None
        rest = self._solver((REST, gss_node, stack))
        return None if rest is NO_WAY else join(rope, rest)

    def _rest_of_lexeme(self, lexeme: int, count: int) -> Rope | None:
        """Return the shortest rest of a terminal from one of its states. count: see `Branch.num_units`."""
        counted = self._states.positions.counted.of_item(lexeme)
        missing = 0 if counted is None else max(counted.count.low - count * (not lexeme & FRESH), 0)
        key = (lexeme, missing)
        if key not in self._of_lexemes:
            ends = self.texts.ends_of_units(dfa_state_of_lexeme(lexeme), counted, missing)
            self._of_lexemes[key] = best([self._speller.rope(text) for text in ends])
        return self._of_lexemes[key]

    def _evaluate(self, unknown: Unknown) -> Generator[Unknown, Rope, Rope]:
        kind, first, second = unknown
        return self._rest(first, second) if kind == REST else self._position(first)

    def _position(self, number: int) -> Generator[Unknown, Rope, Rope]:
        position = self._network.position(number)
        if position.is_final:
            return EMPTY
        found = NO_WAY
        for language, target in position.terminals:
            rest = yield POSITION, target, 0
            found = _better(found, self._terminal(language), rest)
        for rule, target in position.calls:
            inner = yield POSITION, self._network.starts[rule], 0
            rest = yield POSITION, target, 0
            found = _better(found, inner, rest)
        for document, target in position.documents:
            rest = yield POSITION, target, 0
            found = _better(found, self.of_whole(document), rest)
        for token_ids, target in position.tokens:
            rest = yield POSITION, target, 0
            found = _better(found, of_token(min(token_ids)), rest)
        return found

    def _rest(self, gss_node: int, stack: int) -> Generator[Unknown, Rope, Rope]:
        found = NO_WAY
        for position, then in self._states.gss_edges(gss_node):
            if position == END_EDGE:
                return EMPTY
            if position >= 0:
                first = yield POSITION, position, 0
                rest = yield REST, then, stack
                found = _better(found, first, rest)
            else:
                kept, below = self._automaton.kept_below(stack)
                rest = yield REST, kept[FIRST_LABEL - position], below
                found = _better(found, EMPTY, rest)
        return found

    def _terminal(self, language: lang.Language) -> Rope | None:
        """Return a shortest nonempty text of a terminal: terminals never read the empty text."""
        if language.nullable:
            language = lang.difference(language, lang.EMPTY_TEXT)
        text = self.texts.of(language, "text")
        return None if text is None else self._speller.rope(text)

    def of_whole(self, document: JsonDocument) -> Rope | None:
        """Return a shortest document."""
        root = self._automaton.documents[document.spec]
        stack = self._automaton.push(0, root)
        rope, _ = self._of_document(stack).rope(Branch(self._automaton.first_code(root), stack), whole(b""))
        return rope


def _better(found: Rope, first: Rope | None, rest: Rope) -> Rope:
    """Return the shorter one of a known way and another way in two parts."""
    if first is None or first is NO_WAY or rest is NO_WAY:
        return found
    whole = join(first, rest)
    return whole if whole.is_better_than(found) else found
