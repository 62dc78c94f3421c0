"""Numbers that the kernels of this package and Python agree on, beside those of `machine.layout`."""

from __future__ import annotations

from typing import Final

# The inside of the entry at the head of a queue.
UNASKED: Final = 0  # not asked for yet
TAKEN: Final = 1  # found: the walk follows its exits
NO_INSIDE: Final = -1

SUBTREE: Final = 1 << 30  # a bit beside the number of a node: all tokens below count too

SEVERAL: Final = -1  # the capture of a walk that passed those of several frames

# What is known of a pair, the best first.
CLEAN: Final = 1  # a text without captures leads to the goal
CAPTURING: Final = 2  # a text with captures does, each of them of another frame
DOUBTFUL: Final = 3  # a text with captures may: it depends on what these say
LOST: Final = 4  # no text does

# What a search returns, or one step of it.
EXHAUSTED: Final = 0  # no byte is left
FOUND: Final = 1  # the goal is reached
WENT_ON: Final = 2  # of a step: a pair was met that the search did not know
OVER_BUDGET: Final = -2
