"""`AutomatonMatcher`: a matcher of texts whose configurations are `Config`s."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..automaton.mask_rows import write_row
from ..automaton.tables import Mask
from ..bitset import Bitmask
from .text_matcher import TextMatcher


class AutomatonMatcher(TextMatcher[Config]):
    """See `Matcher`. A warm fill_bitmask copies a row, a warm accept_token follows a link."""

    __slots__ = ()

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        config = self._config
        if not config.base:
            with self._work():
                self._automaton.make_mask(config)
        write_row(bitmask, row, (config.base, config.patch, config.num_changed), self._size)
        if config.verify or self._automaton.has_guards:
            self.verify_row(bitmask[row])

    def accept_token(self, token_id: int) -> bool:
        config = self._config
        following = config.following if token_id == config.token_id else config.after(token_id)
        if following is None:
            following = self._follow(config, token_id)
            if following is None:
                return False
        automaton = self._automaton
        if automaton.has_guards and not automaton.keeps_guards(following, token_id, self._tail):
            return False
        self._history.append(config)
        self._token_ids.append(token_id)
        self._config = following
        return True

    def mask(self) -> Mask:
        config = self._config
        if not config.base:
            with self._work():
                self._automaton.make_mask(config)
        return config.base, config.patch, config.num_changed

    def sure_mask(self) -> Mask | None:
        config = self._config
        return (config.base, config.patch, config.num_changed) if config.base and not self.is_uncertain else None

    @property
    def is_masked(self) -> bool:
        return self._config.base != 0

    @property
    def is_uncertain(self) -> bool:
        return bool(self._config.verify) or self._automaton.has_guards

    def is_accepting(self) -> bool:
        return self._config.is_complete

    def is_terminated(self) -> bool:
        return self._config is self._automaton.ended

    def _follow(self, config: Config, token_id: int) -> Config | None:
        """The config after a token; None when it is not allowed."""
        vocabulary = self._automaton.vocabulary_tables.vocabulary
        if not 0 <= token_id < vocabulary.size or config is self._automaton.ended:
            return None
        if token_id in vocabulary.eos_token_ids:
            return self._automaton.ended if config.is_complete else None
        if vocabulary.tokens[token_id] is None and not self._names_tokens(config):
            return None
        with self._work():
            return self._automaton.follow(config, int(token_id), self._tail)

    def _names_tokens(self, config: Config) -> bool:
        """Whether the grammar may name tokens without text in that configuration."""
        return False
