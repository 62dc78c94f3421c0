"""Constants that kernels and Python share for products, beside those of `machine.layout`."""

from __future__ import annotations

from typing import Final

# Does the entry at the head of a queue have an `Inside`?
UNASKED: Final = 0  # not requested yet
TAKEN: Final = 1  # found: the walk follows its exits
NO_INSIDE: Final = -1

SUBTREE: Final = 1 << 30  # bit beside the number of a node: all tokens below count, too

SEVERAL: Final = -1  # capture of a walk that passed captures of several frames

# Answers for a pair, the best first.
CLEAN: Final = 1  # a text without captures leads to the goal
CAPTURING: Final = 2  # a text with captures does, each capture of another frame
DOUBTFUL: Final = 3  # a text with captures may: it depends on their texts
LOST: Final = 4  # no text does

# Results of a search, or of one step of it.
EXHAUSTED: Final = 0  # no byte is left
FOUND: Final = 1  # the goal is reached
WENT_ON: Final = 2  # result of a step only: it met a pair that is new to the search
OVER_BUDGET: Final = -2
