"""`PushdownMatcher`: a place in a text of a general grammar, with the tokens that led there."""

from __future__ import annotations

from ..automaton.automaton import Config
from ..automaton.matcher import AutomatonMatcher
from .automaton import worlds_of


class PushdownMatcher(AutomatonMatcher):
    """See `Matcher`. Tokens without text are accepted where the grammar names them."""

    __slots__ = ()

    def _names_tokens(self, config: Config) -> bool:
        return bool(worlds_of(config))
