"""`KnownEnds`: known completions of one text, so that the text's own next tokens need no new search.

Drafts are accepted and taken back, and often repeated. Rolling back therefore forgets nothing: an entry holds for every
text that begins with the entry's text. The knowledge then depends on the text alone, and so do masks near a budget,
with drafts or without.
"""

from __future__ import annotations

from collections.abc import Sequence

_MANY_COMPLETIONS = 32


class KnownEnds:
    """The known completions of one matcher."""

    __slots__ = ("_completions", "_hopeless")

    def __init__(self) -> None:
        # Pairs of a text and a completion of it; later texts are longer.
        self._completions: tuple[tuple[list[int], list[int]], ...] = ()
        self._hopeless: tuple[list[int], int] | None = None

    def copy(self) -> KnownEnds:
        """Return an independent copy."""
        copy = KnownEnds()
        copy._completions, copy._hopeless = self._completions, self._hopeless
        return copy

    def completion(self, token_ids: Sequence[int]) -> list[int] | None:
        """Take the longest known text that this text begins with, and return the rest of its completion.

        Returns None if the text has left that completion or reached its end.
        """
        for text, completion in reversed(self._completions):
            if _begins(token_ids, text):
                done = len(token_ids) - len(text)
                is_on_it = done < len(completion) and token_ids[len(text) :] == completion[:done]
                return completion[done:] if is_on_it else None
        return None

    def add(self, token_ids: Sequence[int], completion: list[int]) -> None:
        """Add a completion of a text. The new one takes precedence over those of this text and its beginnings.
        Completions of other texts are dropped.
        """
        beginnings = [one for one in self._completions if _begins(token_ids, one[0])]
        self._completions = (*beginnings[1 - _MANY_COMPLETIONS :], (list(token_ids), completion))

    def is_hopeless(self, token_ids: Sequence[int], num_tokens: int) -> bool:
        """Return True if no completion is known to fit a text, or a beginning of it, into `num_tokens` tokens in
        all.
        """
        if self._hopeless is None:
            return False
        text, most = self._hopeless
        return num_tokens <= most and _begins(token_ids, text)

    def give_up(self, token_ids: Sequence[int], num_tokens: int) -> None:
        """Note that no completion fits a text into `num_tokens` tokens in all."""
        self._hopeless = list(token_ids), num_tokens


def _begins(token_ids: Sequence[int], text: list[int]) -> bool:
    length = len(text)
    if length > len(token_ids) or (length and token_ids[length - 1] != text[-1]):
        return False
    return token_ids[:length] == text
