"""`PushdownAutomaton`: one grammar on one vocabulary: the configurations that its texts reached, and their masks.

All work holds the automaton's lock.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ...errors import LimitExceededError
from ...limits import Limits
from ...rules.network import Network
from .. import layout as at
from ..quotes.lexemes import QuoteLexemes
from ..running import NOT_MADE
from ..tables import Mask
from ..tails import Tail
from ..vocabulary_tables import VocabularyTables
from .branches import Branch, Branches
from .steps import find_known_mask, keep_mask
from .tables import Documents, RuleTables
from .text_places import only_document, pointer_in_document

_STATE_BYTES = 500  # estimated memory of a local state, in bytes

State = tuple[int, Any]
"""A configuration: (code, stack) for a single branch where only bytes may come; (BESIDE, branches) if there are several
branches, or tokens may come by their ids.
"""


class PushdownAutomaton(RuleTables):
    """The tables of one grammar and its configurations; see `RunningAutomaton`.

    branches: steps and masks of configurations that are several branches.
    """

    names_tokens: ClassVar[bool] = True

    def __init__(
        self,
        network: Network,
        vocabulary_tables: VocabularyTables,
        documents: Documents,
        limits: Limits,
        quotes: QuoteLexemes | None = None,
        *,
        is_alone: bool = True,
    ) -> None:
        self._known_masks: list[Mask] = []
        super().__init__(network, vocabulary_tables, documents, limits, quotes, is_alone=is_alone)
        self.branches = Branches(self)
        self.mark_bytes = {token_id: bytes([byte]) for token_id, byte in self.mark_tokens.items()}
        with self.lock:
            self.start = self.config(self._state_of(self.branches.at(*self.follow_entry(self.states.start(), 0))))

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        return super().num_bytes + _STATE_BYTES * len(self.states) + self.branches.num_bytes

    def is_complete_at(self, config: int) -> bool:
        """Return True if the text may end at a configuration."""
        return any(self.is_complete(*branch) for branch in self.branches_at(config))

    def branches_at(self, config: int) -> tuple[Branch, ...]:
        """Return the branches of a configuration."""
        return branches_of(self.states_at[config])

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """Return the configuration after a token; None if the token is not allowed. See `RunningAutomaton.follow`."""
        with self.lock:
            code, stack = self.states_at[config]
            if code != at.BESIDE and not self.mark_tokens:
                found, is_captured = self.step(code, stack, token_id, tail)
                if at.BESIDE not in found and not self._may_go_on_beside(found):
                    return self._noted_with_mask(config, token_id, found, not is_captured)
            return super().follow(config, token_id, tail)

    def follow_made(self, config: int, token_id: int) -> int | None:
        """Like `follow`, but returns NOT_MADE if something must be built first."""
        return NOT_MADE if self.mark_tokens else super().follow_made(config, token_id)

    def _may_be_beside(self, code: int) -> bool:
        """Return True if an object in a style may end at a code. Documents or tokens by id may then follow it."""
        return Branch(code, 0).may_end_object

    def _may_go_on_beside(self, found: tuple[int, int, int]) -> bool:
        """Return True if an object in a style may end after a token, and documents or tokens by id may follow it."""
        branch = Branch(*found[:2])
        return branch.may_end_object and len(self.branches.of(branch)) > 1

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """Return the error with the place in the text added: a JSON pointer into a document, or the bytes before."""
        history = [self.branches_at(config) for config in configs]
        branch = only_document(history)
        if branch is None:
            return super().located(error, configs, token_ids)
        document = self.states.document(self.document_of(self.root_of(branch.stack)))
        if document.spec.styled is not None:
            return error.located(f"for a document of the schema {document.place}".rstrip())
        with self.lock:  # the place is found by steps
            pointer, place = pointer_in_document(self, branch, history, token_ids), document.place
        return error.located(f"for the value at {pointer!r} of a document of the schema {place}".rstrip())

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        code, stack = state
        if code == at.BESIDE or self.mark_tokens:
            return self.branches.mask(branches_of(state))
        is_local = code >> at.TAG_SHIFT == at.LOCAL
        if is_local:
            known: int = find_known_mask(self._address, code, stack)
            if known >= 0:
                return self._known_masks[known], ()
        mask, verify = self.fill(code, stack), tuple[int, ...]()
        if self._mask_work.num_open:
            if self._mask_work.forks.used:
                return self.branches.mask(branches_of(state))
            verify = self.vocabulary_tables.tokens_to_verify()
        if is_local and not verify:
            keep_mask(self._address, code, stack, len(self._known_masks))
            self._known_masks.append(mask)
        return mask, verify

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        found, is_sure = self.branches.follow(branches_of(state), token_id, tail)
        return self._state_of(found) if found else None, is_sure

    def _only_byte(self, state: State) -> int | None:
        if state[0] != at.BESIDE and not self.mark_tokens:
            return super()._only_byte(state)
        others = (self.branches.tokens_by_id, self.branches.mark_tokens)
        return -1 if any(find(branch) for branch in branches_of(state) for find in others) else None

    def _state_of(self, branches: tuple[Branch, ...]) -> State:
        """Return the `State` of a text with these branches. branches: sorted, at least one."""
        if len(branches) == 1 and not self._is_beside(branches[0]):
            return branches[0].code, branches[0].stack
        return at.BESIDE, branches

    def _is_beside(self, branch: Branch) -> bool:
        """Return True if a branch's local state also allows documents, or tokens by their ids."""
        return branch.is_in_rules and self.states.is_beside(branch.local_state)


def branches_of(state: State) -> tuple[Branch, ...]:
    """Return the branches in a `State`: the inverse of `PushdownAutomaton._state_of`."""
    code, stack = state
    branches: tuple[Branch, ...] = stack if code == at.BESIDE else (Branch(code, stack),)
    return branches
