"""`ProductMatcher`: a configuration in a text of several grammars at once, with the tokens that led there."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..errors import LimitExceededError
from ..product.automaton import ProductAutomaton, ProductConfig
from .automaton_matcher import AutomatonMatcher
from .text_pointer import located


class ProductMatcher(AutomatonMatcher):
    """See `Matcher`. Tokens without text are accepted where the grammar names them."""

    __slots__ = ()

    def _names_tokens(self, config: Config) -> bool:
        assert isinstance(config, ProductConfig)
        return config.config < 0

    def _located(self, error: LimitExceededError) -> LimitExceededError:
        automaton = self._automaton
        assert isinstance(automaton, ProductAutomaton)
        configs = [automaton.left_of(config) for config in (*self._history, self._config)]
        return located(error, automaton.rules, configs, self._token_ids)
