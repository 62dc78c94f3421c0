"""Numbers that the kernels and Python agree on, beside those of `machine.layout`.

A row of a local state holds for each byte the next local state, DEAD, UNBUILT, or FIRST_ACTION - i: action i, which
pushes a frame (if it has one) and goes to a local state; from a state that returns, frames are then popped (table of
returns) until a state is reached that does not.
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
SOME_ENTRIES: Final = 1  # its edges are there, and those entries that were asked for
ALL_ENTRIES: Final = 2  # and its loops

# Contents that are no local states', by their `rest`.
REST: Final = -1  # kind << 60 | number << 32 | GSS node, ascending
FRAME: Final = -2  # what a frame keeps: GSS nodes by their labels. Frame 0, of none, is content 0

# Kinds of numbers of a REST.
DOCUMENT: Final = 1
TOKENS: Final = 2
LABEL: Final = 3  # a GSS node of the frame on top, by its label, goes on here
COMPLETE: Final = 4  # the text may end here
KIND_SHIFT: Final = 60

# Kinds of symbols, beside DOCUMENT and TOKENS.
TERMINAL: Final = 5
CALL: Final = 6

# Items: state of a terminal << 32 | GSS node; of a terminal that is counted with these bits beside the state.
DFA_STATE_BITS: Final = at.MAX_STATES - 1
COUNTER_SHIFT: Final = at.STATE_BITS
MAX_COUNTERS: Final = 500  # of one grammar
COUNTER_BITS: Final = 511 << COUNTER_SHIFT  # 1 + the number of its counter
ENOUGH: Final = 1 << 29  # one unit more suffices
FRESH: Final = 1 << 30  # it has just begun: the count is 0
MANY_COUNTERS: Final = 1 << 20  # no counter's number
NO_CROSSING: Final = 1 << 28  # more than any count

NUMBER_BITS: Final = (1 << 28) - 1

# What a rest holds, as bits.
HAS_DOCUMENTS: Final = 1 << DOCUMENT
HAS_TOKENS: Final = 1 << TOKENS
HAS_LABELS: Final = 1 << LABEL
HAS_COMPLETE: Final = 1 << COMPLETE
IS_DEEP: Final = 1  # a GSS node of its documents or tokens is

# GSS nodes and their edges.
END: Final = 0  # the GSS node of which all that comes is the end of the text
END_EDGE: Final = -1
FIRST_LABEL: Final = -2  # the edge of label i is (FIRST_LABEL - i) << 32

# Flags of positions.
IS_FINAL: Final = 1
IS_LAST: Final = 2
IS_CUT: Final = 4
