"""`MarkedThinking`: thinking between marks of several tokens, as gpt-oss and Kimi K3 write it.

The marks are found in the text, whatever tokens spell them. A forced end mark is spelled with special tokens and the
longest tokens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

_LOOK_BACK = 256  # number of prompt tokens that one step backwards searches


def spelled(vocabulary: Vocabulary, text: str) -> tuple[int, ...] | None:
    """Tokens that write a mark; None if the vocabulary can't."""
    rest, token_ids = text.encode(), list[int]()
    names = {name: token_id for token_id, name in vocabulary.names.items()}
    while rest:
        special = max((name for name in names if name and rest.startswith(name)), key=len, default=b"")
        sizes = range(min(len(rest), vocabulary.longest_token), 0, -1)
        piece = special or next((rest[:n] for n in sizes if vocabulary.sorted_tokens.ids_of(rest[:n])), b"")
        if not piece:
            return None
        token_ids.append(names[special] if special else vocabulary.sorted_tokens.ids_of(piece)[0])
        rest = rest[len(piece) :]
    return tuple(token_ids)


class MarkedThinking:
    """The thinking state of one text, like `ThinkingState`.

    begin, end: the marks around a block.
    end_token_ids: tokens that write the end mark.
    budget: see `ThinkingState`.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        marks: tuple[str, str],
        end_token_ids: tuple[int, ...],
        prompt_token_ids: Sequence[int],
        budget: int,
    ) -> None:
        self._vocabulary = vocabulary
        self._begin, self._end = (mark.encode() for mark in marks)
        self._longest = max(len(self._begin), len(self._end))  # length of the longer mark in bytes
        self._end_token_ids = end_token_ids
        self._budget = budget
        self._num_tokens = 0
        self._last: deque[int] = deque(maxlen=len(marks[1].encode()))  # last tokens of the open block
        self.is_open, rest = self._at_end_of(prompt_token_ids)
        self._text = rest[-self._longest :]  # end of the text, which may contain the beginning of a mark

    def accept_token(self, token_id: int) -> None:
        """Take an output token."""
        mark = self._end if self.is_open else self._begin
        if self.is_open:
            self._num_tokens += 1
            self._last.append(token_id)
        self._text += self._vocabulary.written(token_id)
        place = self._text.find(mark)
        if place < 0:
            self._text = self._text[-self._longest :]
            return
        self.is_open = not self.is_open
        self._num_tokens -= 0 if self.is_open else self._num_of_end(len(self._text) - place)
        self._text = self._text[place + len(mark) :]
        self._last.clear()

    def closing_token_ids(self) -> tuple[int, ...]:
        """The next token of the end mark when the budget is used up; () while the model is free."""
        if not self.is_open:
            return ()
        last = tuple(self._last)
        most = min(len(last), len(self._end_token_ids))
        begun = next(n for n in range(most, -1, -1) if last[len(last) - n :] == self._end_token_ids[:n])
        return () if self._num_tokens - begun < self._budget else (self._end_token_ids[begun],)

    def _num_of_end(self, num_bytes: int) -> int:
        """Number of the last tokens that write this many bytes."""
        num = 0
        for token_id in reversed(self._last):
            if num_bytes <= 0:
                break
            num_bytes -= len(self._vocabulary.written(token_id))
            num += 1
        return num

    def _at_end_of(self, prompt_token_ids: Sequence[int]) -> tuple[bool, bytes]:
        """Returns (True if the last mark in the prompt begins a block, the text after that mark)."""
        text = b""
        for stop in range(len(prompt_token_ids), 0, -_LOOK_BACK):
            part = prompt_token_ids[max(0, stop - _LOOK_BACK) : stop]
            text = b"".join(map(self._vocabulary.written, part)) + text
            begin, end = text.rfind(self._begin), text.rfind(self._end)
            if begin >= 0 or end >= 0:
                is_open = begin > end
                return is_open, text[begin + len(self._begin) if is_open else end + len(self._end) :]
        return False, text
