"""`IntersectionMatcher`: a place in a text of several grammars at once, with the tokens that led there."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..intersection.automaton import BothPlace
from .automaton_matcher import AutomatonMatcher


class IntersectionMatcher(AutomatonMatcher):
    """See `Matcher`. Tokens without text are accepted where the grammar names them."""

    __slots__ = ()

    def _names_tokens(self, config: Config) -> bool:
        assert isinstance(config, BothPlace)
        return config.place < 0
