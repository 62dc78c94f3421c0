"""`Styles`: the styles of one machine in the form that kernels read, and the special tokens in their marks."""

from __future__ import annotations

import numpy as np

from ...memory.field_order import begins_with
from ...vocabulary import Vocabulary
from ..frames import Marks
from ..machine import Machine
from ..structs import StyleRow

assert begins_with(StyleRow, ("first", "length", "max_spaces", "is_shared", "is_quote"))


class Styles:
    """The styles of one machine.

    mark_tokens: attribute; special tokens in marks, each with the byte that stands for it.
    barred: attribute; tokens that are never allowed, since they contain such a byte.
    """

    def __init__(self, machine: Machine, vocabulary: Vocabulary) -> None:
        self._machine, self._vocabulary = machine, vocabulary
        self._numbers: dict[Marks, int] = {}
        self.mark_tokens: dict[int, int] = {}
        self.barred: set[int] = set()

    def number(self, marks: Marks | None) -> int:
        """The number of a style; 0 is JSON."""
        if marks is None:
            return 0
        number = self._numbers.get(marks)
        if number is None:
            first = self._machine.mark_text.append(np.frombuffer(marks.opening, np.uint8))
            fields = (first, len(marks.opening), marks.max_spaces, marks.names_end, marks.is_quote)
            number = self._numbers[marks] = self._machine.styles.add(fields)
            for token_id, byte in marks.tokens:
                self._add_mark_token(token_id, byte)
        return number

    def _add_mark_token(self, token_id: int, byte: int) -> None:
        """Let a special token stand for a byte in marks; other tokens that hold the byte are barred."""
        vocabulary = self._vocabulary
        self.mark_tokens[token_id] = byte
        self.barred.add(vocabulary.size + byte)
        self.barred.update(one for one, text in enumerate(vocabulary.tokens) if text is not None and byte in text)
