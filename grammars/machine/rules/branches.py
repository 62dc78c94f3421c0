"""`Branches`: steps and masks of texts with several configurations at once, and of tokens that the grammar names by id.

Example: a document or other text may begin. A mask allows every token that one of the branches allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...bitset import bit
from ...memory.structs import address_of
from .. import layout as at
from ..codes import local_count_of, local_state_of, styled_context_of
from ..row_copies import copy_row
from ..tables import Mask
from ..tails import Tail, longer
from .tables import RuleTables

Row = NDArray[np.int32]


class Branch(NamedTuple):
    """A configuration of a text: (code, stack). An ambiguous text has several branches."""

    code: int
    stack: int

    @property
    def is_in_rules(self) -> bool:
        """True outside of documents."""
        return self.code >> at.TAG_SHIFT == at.LOCAL

    @property
    def local_state(self) -> int:
        """Local state of a branch that is in rules."""
        state: int = local_state_of(self.code)
        return state

    @property
    def may_end_object(self) -> bool:
        """True between the members of an object in a style, and before the first one."""
        return self.code >> at.TAG_SHIFT == at.STYLED and styled_context_of(self.code) < at.STYLED_VALUE

    @property
    def num_units(self) -> int:
        """Number of units of a counted repetition read so far, for a branch in rules; 0 if none. See `counters`."""
        count: int = local_count_of(self.code)
        return count


class Branches:
    """Steps and masks for the branches of one automaton. The caller holds the automaton's lock."""

    def __init__(self, automaton: RuleTables) -> None:
        self.automaton = automaton
        self._states = automaton.states
        self._vocabulary_tables = automaton.vocabulary_tables
        self._rows: list[Row] = []  # rows that masks hold by address
        self._scratch = np.zeros((1, automaton.vocabulary_tables.num_words), dtype=np.int32)

    @property
    def num_bytes(self) -> int:
        """Memory of its masks, in bytes."""
        return self._scratch.nbytes * len(self._rows)

    def at(self, state: int, stack: int, count: int = 0) -> tuple[Branch, ...]:
        """Return the branches at a local state: the state itself, and the documents that may begin there.

        count: see `Branch.num_units`.

        A state where only documents may come is no branch of its own.
        """
        content = self._states.item_set(state)
        is_beside = bool(content.items or content.tokens or content.is_complete)
        found = [Branch(at.LOCAL << at.TAG_SHIFT | count << 32 | state, stack)] if is_beside else []
        return (*found, *self._documents_at(state, stack))

    def _documents_at(self, state: int, stack: int) -> Iterable[Branch]:
        """Return the branches of the documents that may begin at a local state."""
        documents = self._states.item_set(state).documents
        begun = [Branch(*self.automaton.begin_document(number, gss_node, stack)) for number, gss_node in documents]
        return [one for branch in begun for one in self.of(branch)]

    def of(self, branch: Branch) -> tuple[Branch, ...]:
        """Return the branches of a configuration that the machine has reached."""
        if branch.is_in_rules:
            return self.at(branch.local_state, branch.stack, branch.num_units)
        return (branch, *self._behind_object(branch)) if branch.may_end_object else (branch,)

    def _behind_object(self, branch: Branch) -> tuple[Branch, ...]:
        """Return the branches after a styled object that may end here, if documents or tokens by id may follow it."""
        ended = self.automaton.ended_object(*branch)
        if ended is None or not self._states.is_beside(ended[0]):
            return ()
        return self.at(*ended)

    def beside(self, branch: Branch) -> Iterable[Branch]:
        """Return the branches of the documents that may begin at a branch's local state."""
        return self._documents_at(branch.local_state, branch.stack)

    def tokens_by_id(self, branch: Branch) -> set[int]:
        """Return the tokens that the grammar names by their ids and that may come in a branch."""
        if not branch.is_in_rules:
            return set()
        sets = [self._states.token_ids(number) for number, _ in self._states.item_set(branch.local_state).tokens]
        return set[int]().union(*sets)

    def mark_tokens(self, branch: Branch) -> set[int]:
        """Return the special tokens that may come in a branch as parts of marks."""
        if branch.is_in_rules:
            return set()
        return {one for one in self.automaton.mark_tokens if self.automaton.after_mark_token(*branch, one)}

    def follow(self, branches: tuple[Branch, ...], token_id: int, tail: Tail) -> tuple[tuple[Branch, ...], bool]:
        """Return the branches after a token, read by its bytes and by its id; and True if the result is the same for
        all texts that lead to `branches`.
        """
        found: dict[Branch, None] = {}
        is_sure = True
        if token_id in self.automaton.barred:
            return (), True
        mark_byte = self.automaton.mark_tokens.get(token_id)
        for branch in branches:
            if mark_byte is not None and not branch.is_in_rules:
                byte_id = self._vocabulary_tables.vocabulary.size + mark_byte
                (code, stack, _), is_captured = self.automaton.step(*branch, byte_id, tail)
                is_sure &= not is_captured
                if code >= 0 and not Branch(code, stack).is_in_rules:  # the byte would be text if it led into rules
                    found.update(dict.fromkeys(self.of(Branch(code, stack))))
            if self._vocabulary_tables.has_text(token_id):
                following, is_sure_here = self._follow_text(branch, token_id, tail)
                found.update(dict.fromkeys(following))
                is_sure &= is_sure_here
            if branch.is_in_rules:
                found.update(dict.fromkeys(self._follow_id(branch, token_id)))
        return tuple(sorted(found)), is_sure

    def _follow_id(self, branch: Branch, token_id: int) -> list[Branch]:
        found: list[Branch] = []
        for number, gss_node in self._states.item_set(branch.local_state).tokens:
            if token_id in self._states.token_ids(number):
                entry = self._states.after(gss_node)
                found.extend(self.at(*self.automaton.follow_entry(entry, branch.stack)))
        return found

    def _follow_text(self, branch: Branch, token_id: int, tail: Tail) -> tuple[Iterable[Branch], bool]:
        """Like `follow`, for one branch and a token's bytes."""
        (code, stack, _), is_captured = self.automaton.step(*branch, token_id, tail)
        if code == at.BESIDE:
            return self._follow_bytes(branch, token_id, tail)
        return self.of(Branch(code, stack)) if code >= 0 else (), not is_captured

    def _follow_bytes(self, branch: Branch, token_id: int, tail: Tail) -> tuple[Iterable[Branch], bool]:
        """Like `_follow_text`, byte by byte."""
        token, size = self._vocabulary_tables.token_bytes(token_id), self._vocabulary_tables.vocabulary.size
        branches, is_sure = {branch: None}, True
        for index, byte in enumerate(token):
            so_far = longer(tail, token[:index])
            found: dict[Branch, None] = {}
            for here in branches:
                following, is_sure_here = self._follow_text(here, size + byte, so_far)
                is_sure &= is_sure_here
                found.update(dict.fromkeys(following))
            branches = found
        return branches, is_sure

    def mask(self, branches: tuple[Branch, ...]) -> tuple[Mask, tuple[int, ...]]:
        """Return the mask of branches, and the tokens that must be tried out besides."""
        automaton, row, unsure = self.automaton, np.zeros_like(self._scratch[0]), set[int]()
        self._rows.append(row)
        waiting = [(0, branch) for branch in branches]
        seen = set(waiting)
        while waiting:
            node, branch = waiting.pop()
            mask = automaton.fill(*branch, node)
            copy_row(self._scratch, 0, *mask, 32 * self._scratch.shape[1])
            row |= self._scratch[0]
            unsure.update(self._vocabulary_tables.tokens_to_verify())
            for below, taint, *fork in self._vocabulary_tables.forks():
                if taint == at.VERIFY:
                    unsure.update(self._vocabulary_tables.tokens_under(below))
                    continue
                for begun in self.beside(Branch(*fork)):
                    if (below, begun) not in seen:
                        seen.add((below, begun))
                        waiting.append((below, begun))
            if not node:
                for token_id in self.tokens_by_id(branch) | self.mark_tokens(branch):
                    row[token_id >> 5] |= bit(token_id)
        for token_id in automaton.barred:
            if token_id < self._vocabulary_tables.vocabulary.size:
                row[token_id >> 5] &= ~bit(token_id)
        unsure -= automaton.barred
        return (address_of(row), 0, 0), tuple(sorted(unsure))
