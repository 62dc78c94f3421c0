"""`Branches`: configurations at which more than one machine, or tokens by their ids, say what may come.

A branch is a local state with its stack, or a JSON document being written with the local state and stack that follow
it. A text is in all branches of its configuration at once: where a document may begin beside something else, or a token
counts by its id and by its bytes. A mask is what any of them allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.interiors import copy_row
from ..automaton.tables import Mask
from ..automaton.tails import Tail, longer
from ..bitset import bit
from ..memory.structs import address_of
from .documents import EmbeddedAutomaton
from .tables import RuleTables

GENERAL = -1
Row = NDArray[np.int32]


class Branch(NamedTuple):
    """document: its number, or GENERAL. code, stack: a local state and stack, or those of the document's machine.

    next_state, next_stack: what comes after a document.
    """

    document: int
    code: int
    stack: int
    next_state: int = 0
    next_stack: int = 0


class Branches:
    """What the branches of one automaton do. Everything is called under the lock of the vocabulary tables."""

    def __init__(self, automaton: RuleTables) -> None:
        self._automaton = automaton
        self._states = automaton.states
        self._vocabulary_tables = automaton.vocabulary_tables
        self._machines: dict[int, EmbeddedAutomaton] = {}
        self._scratch = np.zeros((1, automaton.vocabulary_tables.num_words), dtype=np.int32)

    def machine(self, document: int) -> EmbeddedAutomaton:
        """The machine of a document."""
        machine = self._machines.get(document)
        if machine is None:
            machine = self._machines[document] = self._automaton.documents[self._states.documents[document].spec]
        return machine

    def running(self, branch: Branch) -> RuleTables | EmbeddedAutomaton:
        """The automaton whose machine runs in a branch."""
        return self._automaton if branch.document == GENERAL else self.machine(branch.document)

    def begun(self, state: int, stack: int) -> tuple[Branch, ...]:
        """The branches of a local state: itself, unless nothing but documents comes there, and these at their start."""
        content = self._states.item_set(state)
        found = [Branch(GENERAL, state, stack)] if content.items or content.tokens or content.is_complete else []
        for document, gss_node in content.documents:
            following = self._automaton.follow_entry(self._states.after(gss_node), stack)
            found.append(Branch(document, *self.machine(document).start_state, *following))
        return tuple(found)

    def begun_inside(self, branch: Branch, code: int, stack: int) -> Iterable[Branch]:
        """What begins in the middle of a token, when a branch has got to a code and a stack: documents beside the
        local state, or what comes after the branch's document, which has ended."""
        if branch.document != GENERAL:
            return self.begun(branch.next_state, branch.next_stack)
        return [begun for begun in self.begun(code, stack) if begun.document != GENERAL]

    def tokens_by_id(self, branch: Branch) -> set[int]:
        """The tokens that may come in a branch by their ids."""
        if branch.document != GENERAL:
            return set()
        sets = [self._states.token_sets[number] for number, _ in self._states.item_set(branch.code).tokens]
        return set[int]().union(*sets)

    def is_complete(self, branches: Iterable[Branch]) -> bool:
        """True when the text may end in one of the branches."""
        return any(branch.document == GENERAL and self._states.item_set(branch.code).is_complete for branch in branches)

    def follow(self, branches: tuple[Branch, ...], token_id: int, tail: Tail) -> tuple[tuple[Branch, ...], bool]:
        """The branches after a token (by its bytes and by its id), and whether that depends on nothing but
        `branches`."""
        has_text = self._vocabulary_tables.has_text(token_id)
        if len(branches) == 1 and has_text and branches[0].document != GENERAL:
            one, is_sure = self._follow_text(branches[0], token_id, tail)
            return tuple(sorted(one)), is_sure
        found: dict[Branch, None] = {}
        is_sure = True
        for branch in branches:
            following, is_sure_here = self._follow_text(branch, token_id, tail) if has_text else ((), True)
            is_sure &= is_sure_here
            found.update(dict.fromkeys(following))
            if branch.document == GENERAL:
                found.update(dict.fromkeys(self._follow_id(branch, token_id)))
        return tuple(sorted(found)), is_sure

    def _follow_id(self, branch: Branch, token_id: int) -> list[Branch]:
        found: list[Branch] = []
        for number, gss_node in self._states.item_set(branch.code).tokens:
            if token_id in self._states.token_sets[number]:
                entry = self._states.after(gss_node)
                found.extend(self.begun(*self._automaton.follow_entry(entry, branch.stack)))
        return found

    def _follow_text(self, branch: Branch, token_id: int, tail: Tail) -> tuple[Iterable[Branch], bool]:
        """As `follow`, for one branch and a token's bytes."""
        if branch.document == GENERAL:
            state, stack, meets_documents = self._automaton.advance(branch.code, branch.stack, token_id)
            if meets_documents:
                return self._follow_bytes(branch, token_id, tail)
            return (self.begun(state, stack) if state >= 0 else ()), True
        found, is_sure = self._step_document(branch, token_id, tail)
        return (found, is_sure) if found else self._follow_bytes(branch, token_id, tail)

    def _step_document(self, branch: Branch, token_id: int, tail: Tail) -> tuple[tuple[Branch, ...], bool]:
        """The branches after a token that does not go past the end of a branch's document."""
        machine = self.machine(branch.document)
        (code, stack), is_captured = machine.step(branch.code, branch.stack, token_id, tail)
        if code < 0:
            return (), False
        if machine.has_guards:
            self._automaton.has_guards = True
            if not machine.keeps_guards_in(code, stack, token_id, tail):
                return (), False
        is_sure = not is_captured and not machine.has_guards
        if code == at.DONE:
            return self.begun(branch.next_state, branch.next_stack), is_sure
        return (Branch(branch.document, code, stack, branch.next_state, branch.next_stack),), is_sure

    def _follow_bytes(self, branch: Branch, token_id: int, tail: Tail) -> tuple[Iterable[Branch], bool]:
        """A token byte by byte."""
        token, size = self._vocabulary_tables.token_bytes(token_id), self._vocabulary_tables.vocabulary.size
        branches, is_sure = {branch: None}, True
        for index, byte in enumerate(token):
            so_far = longer(tail, token[:index])
            found: dict[Branch, None] = {}
            for here in branches:
                if here.document == GENERAL:
                    state, stack, _ = self._automaton.advance(here.code, here.stack, size + byte)
                    following = self.begun(state, stack) if state >= 0 else ()
                else:
                    following, is_sure_here = self._step_document(here, size + byte, so_far)
                    is_sure &= is_sure_here
                found.update(dict.fromkeys(following))
            branches = found
        return branches, is_sure

    def guarded_tokens(self, branches: Iterable[Branch], tail: Tail) -> set[int]:
        """The tokens that may complete an item which a document excludes."""
        found: set[int] = set()
        for branch in branches:
            if branch.document != GENERAL and self.machine(branch.document).has_guards:
                found |= self.machine(branch.document).guarded_tokens(branch.code, branch.stack, tail)
        return found

    def mask(self, branches: tuple[Branch, ...]) -> tuple[Mask, tuple[int, ...]]:
        """The mask of branches, and the tokens that must be tried out in spite of it."""
        if len(branches) == 1 and branches[0].document != GENERAL:
            mask, ends, uncertain = self._document_mask(0, branches[0])
            if not ends:
                return mask, uncertain
        row = self._automaton.new_row()
        unsure: set[int] = set()
        waiting = [(0, branch) for branch in branches]
        seen = set(waiting)
        while waiting:
            node, branch = waiting.pop()
            following = self._add_general(row, node, branch) if branch.document == GENERAL else None
            if following is None:
                following, tokens = self._add_document(row, node, branch)
                unsure.update(tokens)
            for pair in following:
                if pair not in seen:
                    seen.add(pair)
                    waiting.append(pair)
        return (address_of(row), 0, 0), tuple(sorted(unsure))

    def _add_general(self, row: Row, node: int, branch: Branch) -> list[tuple[int, Branch]]:
        """Allow what a local state allows under a trie node; the documents that begin below."""
        mask, begins = self._automaton.mask_under(node, branch.code, branch.stack)
        self._unite(row, mask)
        if node == 0:
            for token_id in self.tokens_by_id(branch):
                row[token_id >> 5] |= bit(token_id)
        return [(below, begun) for below, *state in begins for begun in self.begun_inside(branch, *state)]

    def _add_document(self, row: Row, node: int, branch: Branch) -> tuple[list[tuple[int, Branch]], set[int]]:
        """Allow what a document allows under a trie node; what comes after its ends; the tokens to be tried out."""
        machine = self.machine(branch.document)
        mask, ends, tokens = self._document_mask(node, branch)
        self._unite(row, mask)
        following, unsure = [], set(tokens)
        if node and machine.has_guards:
            unsure.update(self._vocabulary_tables.tokens_at(node, whole_subtree=True))
        for below, is_unsure in ends:
            if is_unsure:
                unsure.update(self._vocabulary_tables.tokens_at(below, whole_subtree=True))
            else:
                following += [(below, begun) for begun in self.begun_inside(branch, at.DONE, 0)]
        return following, unsure

    def _document_mask(self, node: int, branch: Branch) -> tuple[Mask, list[tuple[int, bool]], tuple[int, ...]]:
        """As `EmbeddedAutomaton.mask_under`. Guards are found out about when frames are described, as it is here."""
        machine = self.machine(branch.document)
        found = machine.mask_under(node, branch.code, branch.stack)
        if machine.has_guards:
            self._automaton.has_guards = True
        return found

    def _unite(self, row: Row, mask: Mask) -> None:
        copy_row(self._scratch, 0, *mask, 32 * self._scratch.shape[1])
        row |= self._scratch[0]
