"""`Automaton`: documents that are written beside other texts, in configurations that are objects.

Documents alone have `DocumentAutomaton`, whose configurations are numbers.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ..limits import Limits
from .frames import Frame
from .guards import GuardedTables
from .tables import Tail
from .vocabulary_tables import VocabularyTables

__all__ = ["Automaton", "Config", "Tail"]


class Config:
    """A configuration in a text: a state and a stack, with what is known about it.

    base, patch, num_changed: its mask, as `interiors.copy_row` takes it; base 0: not made yet.
    token_id, following: a token that was met here, and where it led; others: the same of all other tokens, None as
    long as there are none (one dict less for the garbage collector, at nearly all configurations).
    is_complete: the document may end here. verify: tokens that the mask leaves open, because they depend on the text
    before. forced: the only byte that may come; -1 none, -2 not known.
    """

    __slots__ = (
        *("base", "code", "following", "forced", "is_complete", "num_changed", "others", "patch", "stack", "token_id"),
        "verify",
    )

    def __init__(self, code: int, stack: int, is_complete: bool) -> None:
        self.code, self.stack, self.is_complete = code, stack, is_complete
        self.base = self.patch = self.num_changed = 0
        self.token_id = -1
        self.following: Config | None = None
        self.others: dict[int, Config] | None = None
        self.verify: tuple[int, ...] = ()
        self.forced = -2

    def after(self, token_id: int) -> Config | None:
        """Where a token leads; None when that is not known."""
        if token_id == self.token_id:
            return self.following
        return None if self.others is None else self.others.get(token_id)

    def note(self, token_id: int, following: Config) -> None:
        """Remember where a token leads."""
        if self.following is None or token_id == self.token_id:
            self.token_id, self.following = token_id, following
        elif self.others is None:
            self.others = {token_id: following}
        else:
            self.others[token_id] = following


class Automaton(GuardedTables):
    """The tables of one grammar, by configs. `start` is the config of the empty text."""

    def __init__(
        self, root: Frame, vocabulary_tables: VocabularyTables, whitespace: NDArray[np.int32], limits: Limits
    ) -> None:
        super().__init__(root, vocabulary_tables, whitespace, limits)
        self.start = self.config(*self.start_state)

    def config(self, code: int, stack: int) -> Config:
        """A config of a state and a stack."""
        return Config(code, stack, self.is_complete(code, stack))

    def follow(self, config: Config, token_id: int, tail: Tail) -> Config | None:
        """The config after a token (of text); None when it is not allowed. `config` notes it if it is always so."""
        with self.vocabulary_tables.lock:
            (code, stack), is_captured = self.step(config.code, config.stack, token_id, tail)
            if code < 0:
                return None
            following = self.config(code, stack)
            if not is_captured:
                config.note(token_id, following)
            return following

    def follow_byte(self, config: Config, byte: int, text: bytes) -> Config | None:
        """The config after one byte; text: all that was written before."""
        return self.follow(config, self.vocabulary_tables.vocabulary.size + byte, lambda _: (text, True))

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """False when after a token an item could only become one that is excluded."""
        with self.vocabulary_tables.lock:
            return self.keeps_guards_in(following.code, following.stack, token_id, tail)

    def uncertain_tokens(self, config: Config, tail: Tail) -> Iterable[int]:
        """The tokens of a config that must be tried out in spite of its mask."""
        if not self.has_guards:
            return config.verify
        with self.vocabulary_tables.lock:
            return {*config.verify, *self.guarded_tokens(config.code, config.stack, tail)}
