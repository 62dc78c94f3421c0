"""`KnownEnds`: what was found out about the ends of one text, so that its own tokens need no new search.

Drafts are accepted and taken back, and often come again. So nothing is forgotten when tokens are taken back: an entry
holds for every text that begins as the one that it was found for. What is known then depends on the text alone, and
so do masks near a budget, with drafts or without.
"""

from __future__ import annotations

from collections.abc import Sequence

_MANY_COMPLETIONS = 32


class KnownEnds:
    """Of one matcher."""

    __slots__ = ("_completions", "_hopeless")

    def __init__(self) -> None:
        # Texts, each with a completion of it; later ones are longer.
        self._completions: tuple[tuple[list[int], list[int]], ...] = ()
        self._hopeless: tuple[list[int], int] | None = None

    def copy(self) -> KnownEnds:
        """An independent copy."""
        copy = KnownEnds()
        copy._completions, copy._hopeless = self._completions, self._hopeless
        return copy

    def completion(self, token_ids: Sequence[int]) -> list[int] | None:
        """What is left of the completion of the longest beginning of a text that has one; None where the text has gone
        another way, or to the completion's end."""
        for text, completion in reversed(self._completions):
            if _begins(token_ids, text):
                done = len(token_ids) - len(text)
                is_on_it = done < len(completion) and token_ids[len(text) :] == completion[:done]
                return completion[done:] if is_on_it else None
        return None

    def add(self, token_ids: Sequence[int], completion: list[int]) -> None:
        """A completion of a text. It goes before those of its beginnings, and before an earlier one of its own."""
        beginnings = [one for one in self._completions if _begins(token_ids, one[0])]
        self._completions = (*beginnings[1 - _MANY_COMPLETIONS :], (list(token_ids), completion))

    def is_hopeless(self, token_ids: Sequence[int], num_tokens: int) -> bool:
        """True when no completion was found that leaves a text, or a beginning of it, with at most so many tokens."""
        if self._hopeless is None:
            return False
        text, most = self._hopeless
        return num_tokens <= most and _begins(token_ids, text)

    def give_up(self, token_ids: Sequence[int], num_tokens: int) -> None:
        """No completion was found that leaves a text with at most so many tokens in all."""
        self._hopeless = list(token_ids), num_tokens


def _begins(token_ids: Sequence[int], text: list[int]) -> bool:
    length = len(text)
    if length > len(token_ids) or (length and token_ids[length - 1] != text[-1]):
        return False
    return token_ids[:length] == text
