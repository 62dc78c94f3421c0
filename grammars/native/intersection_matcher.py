"""`IntersectionMatcher`: a place in a text of several grammars at once, with the tokens that led there."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..errors import LimitExceededError
from ..intersection.automaton import BothPlace, IntersectionAutomaton
from .automaton_matcher import AutomatonMatcher
from .text_place import located


class IntersectionMatcher(AutomatonMatcher):
    """See `Matcher`. Tokens without text are accepted where the grammar names them."""

    __slots__ = ()

    def _names_tokens(self, config: Config) -> bool:
        assert isinstance(config, BothPlace)
        return config.place < 0

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        automaton = self._automaton
        assert isinstance(automaton, IntersectionAutomaton)
        places = [automaton.left_of(config) for config in (*self._history, self._config)]
        return located(error, automaton.rules, places, self._token_ids)
