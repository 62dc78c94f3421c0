"""Numbers that the kernels of this package and Python agree on, beside those of `automaton.layout`.

Machines are of two kinds: that of rules (`pushdown`) and that of JSON documents (`automaton`).
"""

from __future__ import annotations

from typing import Final

OF_RULES: Final = 0
OF_DOCUMENTS: Final = 1

DEAD: Final = -1
UNBUILT: Final = -2

# The inside of the entry at the head of a queue: not asked for yet; its exits are followed; there is none.
UNASKED: Final = 0
TAKEN: Final = 1
NO_INSIDE: Final = -1

SUBTREE: Final = 1 << 30

SEVERAL: Final = -1  # the capture of a walk that passed those of several frames

# May a document leave a q?
UNKNOWN: Final = 0
YES: Final = 1
NO: Final = 2

# What is known of a pair: a text leads on to the goal without captures; with captures of different frames; with such
# that their texts decide; no text does. In this order: the first is best.
CLEAN: Final = 1
CAPTURING: Final = 2
DOUBTFUL: Final = 3
LOST: Final = 4
FIRST_SEARCH: Final = 8

# What a search returns.
EXHAUSTED: Final = 0
FOUND: Final = 1
OVER_BUDGET: Final = -2
