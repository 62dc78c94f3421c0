"""`IntersectionMatcher`: a place in a text of several grammars at once, with the tokens that led there."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..automaton.matcher import AutomatonMatcher
from ..pushdown.automaton import worlds_of
from .automaton import BothPlace


class IntersectionMatcher(AutomatonMatcher):
    """See `Matcher`. Tokens without text are accepted where the grammar names them."""

    __slots__ = ()

    def fork(self) -> IntersectionMatcher:
        copy = IntersectionMatcher(self._automaton)
        copy._config = self._config
        copy._history, copy._token_ids = self._history.copy(), self._token_ids.copy()
        return copy

    def _follow(self, config: Config, token_id: int) -> Config | None:
        """The place after a token; None when it is not allowed."""
        automaton = self._automaton
        vocabulary = automaton.lexicon.vocabulary
        if not 0 <= token_id < vocabulary.size or config is automaton.ended:
            return None
        if token_id in vocabulary.eos_token_ids:
            return automaton.ended if config.is_complete else None
        assert isinstance(config, BothPlace)
        if vocabulary.tokens[token_id] is None and not worlds_of(config.place):
            return None
        return automaton.follow(config, int(token_id), self._tail)
