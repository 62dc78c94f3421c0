"""`ForcedDrafts`: proposes tokens that a grammar forces as drafts."""

from __future__ import annotations

from typing import Any

from guided.grammars import Matcher, Vocabulary
from guided.integrations.common.speller import TokenSpeller


class ForcedDrafts:
    """For one tokenizer. Used by the scheduler's thread only.

    The model checks these drafts like any others, so they never change a greedy text.
    """

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary) -> None:
        self._speller = TokenSpeller(tokenizer, vocabulary)

    def find(self, matcher: Matcher, maximum: int) -> list[int]:
        """Up to `maximum` tokens that must follow, as the tokenizer would write them."""
        forced = matcher.find_jump_forward_bytes() if maximum > 0 else b""
        if not forced:
            return []
        spelling = self._speller.spell(forced)
        return list(spelling.token_ids[: min(spelling.num_sure, maximum)])
