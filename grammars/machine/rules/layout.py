"""Constants that kernels and Python share for rules, beside those of `machine.layout`.

A row of a local state has one entry for each byte: the next local state, DEAD, UNBUILT, or FIRST_ACTION - i. Action i
pushes a frame (if it has one) and goes to a local state. A returning state needs its caller: the
machine pops frames (`Rules.returns`) until a state does not return.
"""

from __future__ import annotations

from typing import Final

from .. import layout as at

DEAD: Final = at.DEAD
UNBUILT: Final = -3
FIRST_ACTION: Final = -16
BESIDE: Final = at.BESIDE

# Kinds of rows.
NO_ROW: Final = 0
SOME_ENTRIES: Final = 1  # the row's edges are known, and the entries asked for so far
ALL_ENTRIES: Final = 2  # all entries and the state's loops are known

# Values of `Content.rest` for contents that are no local states.
REST: Final = -1  # kind << 60 | number << 32 | GSS node, ascending
FRAME: Final = -2  # GSS nodes that a frame keeps, by their labels; frame 0 (none) is content 0

# Kinds of numbers in a REST.
DOCUMENT: Final = 1
TOKENS: Final = 2
LABEL: Final = 3  # a GSS node of the frame on top, given by its label, goes on here
COMPLETE: Final = 4  # the text may end here
KIND_SHIFT: Final = 60

# Kinds of symbols, beside DOCUMENT and TOKENS.
TERMINAL: Final = 5
CALL: Final = 6

# Items: state of a terminal << 32 | GSS node. The state of a counted terminal also has these bits:
DFA_STATE_BITS: Final = at.MAX_STATES - 1
COUNTER_SHIFT: Final = at.STATE_BITS
MAX_COUNTERS: Final = 500  # maximum number of counters in one grammar
COUNTER_BITS: Final = 511 << COUNTER_SHIFT  # 1 + the number of the item's counter
ENOUGH: Final = 1 << 29  # one more unit suffices
FRESH: Final = 1 << 30  # the item has just begun: its count is 0
MANY_COUNTERS: Final = 1 << 20  # larger than any counter's number
NO_CROSSING: Final = 1 << 28  # larger than any count

NUMBER_BITS: Final = (1 << 28) - 1

# Flags of a REST, which holds what a local state has beside its items.
HAS_DOCUMENTS: Final = 1 << DOCUMENT
HAS_TOKENS: Final = 1 << TOKENS
HAS_LABELS: Final = 1 << LABEL
HAS_COMPLETE: Final = 1 << COMPLETE
IS_DEEP: Final = 1  # a GSS node of its documents or tokens is deep

# GSS nodes and their edges.
END: Final = 0  # the GSS node for the end of the text
END_EDGE: Final = -1
FIRST_LABEL: Final = -2  # the edge of label i is (FIRST_LABEL - i) << 32

# Flags of positions.
IS_FINAL: Final = 1
IS_LAST: Final = 2
IS_CUT: Final = 4
