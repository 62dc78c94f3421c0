"""`PushdownAutomaton`: one grammar on one vocabulary: the configurations that its texts got to, and their masks.

Everything is done under the lock of the vocabulary tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from ..automaton import layout as at
from ..automaton.running import CONFIG_BYTES, NOT_MADE, RunningAutomaton
from ..automaton.tables import Mask
from ..automaton.tails import Tail
from ..automaton.vocabulary_tables import VocabularyTables
from ..errors import LimitExceededError
from ..limits import Limits
from ..rules.network import Network
from ..spec import GrammarSpec
from . import layout as pd
from .branches import GENERAL, Branch, Branches
from .documents import EmbeddedAutomaton
from .steps import forced_byte, known_mask, next_config
from .tables import RuleTables
from .text_places import only_document, pointer_in_document

State = int | tuple[Branch, ...]
"""At most configurations there is one local state with a stack, and only bytes come: local state << 32 | stack.
Where several things may come, of different kinds, they are branches."""


class PushdownAutomaton(RuleTables, RunningAutomaton[State]):
    """The tables of one grammar and its configurations; see `RunningAutomaton`. branches: what these can do."""

    names_tokens: ClassVar[bool] = True

    def __init__(
        self,
        network: Network,
        vocabulary_tables: VocabularyTables,
        documents: Mapping[GrammarSpec, EmbeddedAutomaton],
        limits: Limits,
    ) -> None:
        RuleTables.__init__(self, network, vocabulary_tables, documents, limits)
        RunningAutomaton.__init__(self, ())
        self.branches = Branches(self)
        with self.lock:
            self.start = self.config(self._state_at(*self.follow_entry(self.states.start(), 0)))

    @property
    def num_bytes(self) -> int:
        """See `RunningAutomaton.num_bytes`."""
        return super().num_bytes + CONFIG_BYTES * (len(self.states_at) + len(self.states))

    def is_complete_at(self, config: int) -> bool:
        """See `RunningAutomaton.is_complete_at`."""
        state = self.states_at[config]
        return self.states.is_complete(state >> 32) if isinstance(state, int) else self.branches.is_complete(state)

    def branches_at(self, config: int) -> tuple[Branch, ...]:
        """The branches of a configuration; where there is one local state, that."""
        return _branches_of(self.states_at[config])

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """See `RunningAutomaton.follow`."""
        with self.lock:
            state = self.states_at[config]
            if isinstance(state, int):
                found = next_config(self._address, state, token_id) or self._next_further(token_id)
                if found[0] != pd.BESIDE:
                    return self._noted_with_mask(config, token_id, *found)
            return super().follow(config, token_id, tail)

    def follow_made(self, config: int, token_id: int) -> int | None:
        """See `RunningAutomaton.follow_made`."""
        state = self.states_at[config]
        if not isinstance(state, int):
            return NOT_MADE
        with self.lock:
            found = next_config(self._address, state, token_id)
            if found is None or found[0] == pd.BESIDE:
                return NOT_MADE
            return self._noted_with_mask(config, token_id, *found)

    def located(self, error: LimitExceededError, configs: list[int], token_ids: list[int]) -> LimitExceededError:
        """See `RunningAutomaton.located`."""
        history = [self.branches_at(config) for config in configs]
        branch = only_document(history)
        if branch is None:
            return super().located(error, configs, token_ids)
        pointer = pointer_in_document(self.branches.machine(branch.document), branch, history, token_ids)
        place = self.states.documents[branch.document].place
        return error.located(f"for the value at {pointer!r} of a document of the schema {place}".rstrip())

    def _guarded_tokens(self, state: State, tail: Tail) -> set[int]:
        return self.branches.guarded_tokens(_branches_of(state), tail)

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        if not isinstance(state, int):
            return self.branches.mask(state)
        local_state, stack = state >> 32, state & at.MASK32
        known: int = known_mask(self._address, local_state, stack)
        if known >= 0:
            return self._known_masks[known], ()
        mask, begins = self.mask_under(0, local_state, stack)
        if begins:
            return self.branches.mask(_branches_of(state))
        self._keep_mask(mask, local_state, stack)
        return mask, ()

    def _next_further(self, token_id: int) -> tuple[int, int]:
        """As `next_config`, where something must be built on the way."""
        state, stack = self._advance_further(token_id)
        if self.machine.meets_documents or (state >= 0 and self.states.is_beside(state)):
            return pd.BESIDE, -1
        return (state << 32 | stack, known_mask(self._address, state, stack)) if state >= 0 else (state, -1)

    def _noted_with_mask(self, config: int, token_id: int, state: int, mask: int) -> int | None:
        """As `_noted`, of what `next_config` finds."""
        if state < 0:
            return None
        following = self._noted(config, token_id, state, True)
        if mask >= 0:
            self.masks[following] = self._known_masks[mask]
        return following

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        found, is_sure = self.branches.follow(_branches_of(state), token_id, tail)
        return self._state_of(found) if found else None, is_sure

    def _only_byte(self, state: State) -> int | None:
        if not isinstance(state, int):
            return None
        byte: int = self.requests.run(lambda: forced_byte(self._address, state >> 32))
        return byte

    def _possible_bytes(self, state: State) -> Iterable[int]:
        return () if any(self.branches.tokens_by_id(branch) for branch in _branches_of(state)) else range(256)

    def _state_at(self, local_state: int, stack: int) -> State:
        """The state of a configuration where a local state, which does not return, has come."""
        if self.states.is_beside(local_state):
            return self._state_of(self.branches.begun(local_state, stack))
        return local_state << 32 | stack

    def _state_of(self, branches: tuple[Branch, ...]) -> State:
        """The state of some branches, sorted."""
        if len(branches) == 1 and branches[0].document == GENERAL and not self.states.is_beside(branches[0].code):
            return branches[0].code << 32 | branches[0].stack
        return branches


def _branches_of(state: State) -> tuple[Branch, ...]:
    return (Branch(GENERAL, state >> 32, state & at.MASK32),) if isinstance(state, int) else state
