"""`PushdownAutomaton`: one grammar on one vocabulary: the configurations that its texts got to, and their masks.

Everything is done under the lock of the vocabulary tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ..automaton import layout as at
from ..automaton.tables import Tail
from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from ..rules.network import Network
from ..spec import GrammarSpec
from . import layout as pd
from .branches import GENERAL, Branch, Branches
from .documents import EmbeddedAutomaton
from .steps import forced_byte, known_mask, next_config
from .tables import Mask, RuleTables

_CONFIG_BYTES = 500  # of a configuration with its steps. A guess
TOKEN_BITS: Final = 32
ENDED: Final = -1
"""The configuration after an end token."""


class PushdownAutomaton(RuleTables):
    """The tables of one grammar and its configurations. `start` is that of the empty text, `ended` the one after an end
    token.

    Places are numbers: at most of them there is one local state with a stack, and only bytes come: local state << 32 |
    stack. Where several things may come, of different kinds, they are branches: configurations below ENDED.
    steps: configuration << TOKEN_BITS | token -> the configuration after it, where it was met and does not depend on
    the text before. masks: of the configurations where they were made or met again. verify: configuration -> tokens
    that its mask leaves open, because they depend on the text before.
    """

    ended: Final = ENDED

    def __init__(
        self,
        network: Network,
        vocabulary_tables: VocabularyTables,
        documents: Mapping[GrammarSpec, EmbeddedAutomaton],
        limits: Limits,
    ) -> None:
        super().__init__(network, vocabulary_tables, documents, limits)
        self.masks: dict[int, Mask] = {ENDED: (vocabulary_tables.zero_row, 0, 0)}
        self.verify: dict[int, tuple[int, ...]] = {}
        self.steps: dict[int, int] = {}
        self._forced: dict[int, int] = {}  # configuration -> the only byte that may come, -1 for none
        self._branches_at: list[tuple[Branch, ...]] = [()]  # of configuration ENDED - i
        self._configs_of: dict[tuple[Branch, ...], int] = {}
        self._branches = Branches(self)
        with self.lock:
            self.start = self._config_of_state(*self.follow_entry(self.states.start(), 0))

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""
        return super().num_bytes + _CONFIG_BYTES * (len(self.masks) + len(self.states.content))

    def is_complete_at(self, config: int) -> bool:
        """True when the text may end at a configuration."""
        if config >= 0:
            return self.states.is_complete(config >> 32)
        return self._branches.is_complete(self.branches_at(config))

    def make_mask(self, config: int) -> Mask:
        """The mask of a configuration, made if that is not done yet."""
        with self.lock:
            mask = self.masks.get(config)
            if mask is None:
                if config >= 0:
                    mask = self._mask_of(config)
                else:
                    mask, verify = self._branches.mask(self.branches_at(config))
                    if verify:
                        self.verify[config] = verify
                self.masks[config] = mask
            return mask

    def _mask_of(self, config: int) -> Mask:
        """The mask of a configuration with one local state."""
        state, stack = config >> 32, config & at.MASK32
        known: int = known_mask(self._address, state, stack)
        if known >= 0:
            return self._known_masks[known]
        mask, begins = self.mask_under(0, state, stack)
        if begins:
            mask, verify = self._branches.mask((Branch(GENERAL, state, stack),))
            if verify:
                self.verify[config] = verify
        else:
            self._keep_mask(mask, state, stack)
        return mask

    def follow(self, config: int, token_id: int, tail: Tail) -> int | None:
        """The configuration after a token; None when it is not allowed."""
        with self.lock:
            if config >= 0:
                following, mask = next_config(self._address, config, token_id) or self._next_further(token_id)
                if following >= 0:
                    if mask >= 0:
                        self.masks[following] = self._known_masks[mask]
                    self.steps[config << TOKEN_BITS | token_id] = following
                    return following
                if following == pd.DEAD:
                    return None
            found, is_sure = self._branches.follow(self.branches_at(config), token_id, tail)
            if not found:
                return None
            following = self._config_of_branches(found)
            if is_sure:
                self.steps[config << TOKEN_BITS | token_id] = following
            return following

    def _next_further(self, token_id: int) -> tuple[int, int]:
        """As `next_config`, where something must be built on the way."""
        state, stack = self._advance_further(token_id)
        if self.machine.meets_documents or (state >= 0 and self.states.is_beside(state)):
            return pd.BESIDE, -1
        return (state << 32 | stack, known_mask(self._address, state, stack)) if state >= 0 else (state, -1)

    def is_allowed(self, config: int, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(config, token_id, tail) is not None

    def keeps_guards(self, following: int, token_id: int, tail: Tail) -> bool:
        """True: `follow` has looked at everything."""
        return True

    def uncertain_tokens(self, config: int, tail: Tail) -> Iterable[int]:
        """The tokens of a configuration that must be tried out in spite of its mask."""
        verify = self.verify.get(config, ())
        if not self.has_guards:
            return verify
        with self.lock:
            return {*verify, *self._branches.guarded_tokens(self.branches_at(config), tail)}

    def forced_byte(self, config: int, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        if config < 0:
            return self._only_byte(config, tail)
        forced = self._forced.get(config)
        if forced is None:
            with self.lock:
                forced = self.requests.run(lambda: forced_byte(self._address, config >> 32))
                forced = self._forced[config] = -1 if self.is_complete_at(config) else forced
        return None if forced < 0 else forced

    def _only_byte(self, config: int, tail: Tail) -> int | None:
        """As `forced_byte`, by trying all bytes."""
        by_id = any(self.tokens_by_id(branch) for branch in self.branches_at(config))
        if by_id or self.is_complete_at(config):
            return None
        size = self.vocabulary_tables.vocabulary.size
        found = [byte for byte in range(256) if self.is_allowed(config, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def _config_of_state(self, state: int, stack: int) -> int:
        """The configuration of a state that does not return, and a stack."""
        if self.states.is_beside(state):
            return self._config_of_branches(self._branches.begun(state, stack))
        return state << 32 | stack

    def _config_of_branches(self, branches: tuple[Branch, ...]) -> int:
        """The configuration of some branches, sorted."""
        if len(branches) == 1 and branches[0].document == GENERAL:
            state, stack = branches[0].code, branches[0].stack
            if not self.states.is_beside(state):
                return state << 32 | stack
        config = self._configs_of.get(branches)
        if config is None:
            config = self._configs_of[branches] = ENDED - len(self._branches_at)
            self._branches_at.append(branches)
        return config

    def branches_at(self, config: int) -> tuple[Branch, ...]:
        """The branches of a configuration; where there is one local state, that."""
        return (
            (Branch(GENERAL, config >> 32, config & at.MASK32),) if config >= 0 else self._branches_at[ENDED - config]
        )

    def branches_after(self, state: int, stack: int) -> tuple[Branch, ...]:
        """The branches that begin at a local state."""
        return self._branches.begun(state, stack)

    def begun_inside(self, branch: Branch, code: int, stack: int) -> Iterable[Branch]:
        """The branches that begin in the middle of a token, when a branch has got to a code and a stack."""
        return self._branches.begun_inside(branch, code, stack)

    def tokens_by_id(self, branch: Branch) -> set[int]:
        """The tokens that may come in a branch by their ids."""
        return self._branches.tokens_by_id(branch)

    def running(self, branch: Branch) -> PushdownAutomaton | EmbeddedAutomaton:
        """The automaton whose machine runs in a branch."""
        return self if branch.document == GENERAL else self._branches.machine(branch.document)

    def document_of(self, branch: Branch) -> EmbeddedAutomaton:
        """The automaton of a branch's document."""
        return self._branches.machine(branch.document)
