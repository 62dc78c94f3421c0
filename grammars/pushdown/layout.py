"""Numbers that the kernels and Python agree on, beside those of `automaton.layout`.

A place in a text is a local state and a node of the hash-consed stack. A row of a local state holds for each byte the
next local state, DEAD, or FIRST_ACTION - i: action i, which pushes a frame (if it has one) and goes to a local state;
from a state that returns, frames are then popped (table of returns) until a state is reached that does not.
"""

from __future__ import annotations

from typing import Final

from ..automaton import layout as at

DEAD: Final = at.DEAD
NEED: Final = at.NEED
UNBUILT: Final = -3
FIRST_ACTION: Final = -16

ACTION_FIELDS: Final = 2
A_FRAME: Final = 0  # 0 for none
A_STATE: Final = 1

STATE_FIELDS: Final = 4
G_RETURNS: Final = 0  # 1: a frame must be popped
G_COMPLETE: Final = 1  # 1: the text may end here
G_SEGMENT: Final = 2  # -1 unbuilt
G_DOCUMENTS: Final = 3  # 1: a JSON document may begin here

SEGMENT_FIELDS: Final = 3
S_ROW: Final = 0  # address of the row of tokens that stay in local states, end tokens included
S_EXITS: Final = 1  # first of S_NUM_EXITS pairs (node, local state before its byte), sorted by state and byte
S_NUM_EXITS: Final = 2

# What Python must build (register M_NEED), beside NEED_STACK, NEED_QUEUE and NEED_PATCH of `automaton.layout`.
NEED_ROW: Final = 101  # the row of local state A
NEED_RETURN: Final = 102  # what local state A becomes when frame B is popped
NEED_SEGMENT: Final = 103  # the segment of local state A

# Registers, after those of `automaton.layout`, of which M_LEXICON, M_NEED.., M_NODES.., M_PATCH.. are used.
_FIRST: Final = at.NUM_MACHINE_FIELDS
P_ROWS: Final = _FIRST  # int32 (S, 256)
P_LOOPS: Final = _FIRST + 3  # int64 (S,): the kinds of bytes that leave a state between characters as it is
P_STATES: Final = _FIRST + 6  # int32 (S, STATE_FIELDS)
P_ACTIONS: Final = _FIRST + 9  # int32 (., ACTION_FIELDS)
P_SEGMENTS: Final = _FIRST + 12  # int64 (., SEGMENT_FIELDS)
P_EXITS: Final = _FIRST + 15  # int32 pairs
P_DEPTHS: Final = _FIRST + 18  # int32: frames on the stack at each of its nodes
P_RETURN_KEYS: Final = _FIRST + 21  # int64: hash table, state << 32 | frame
P_RETURN_VALUES: Final = _FIRST + 24  # int32: as in a row
P_RETURN_MASK: Final = _FIRST + 27
P_LOWEST: Final = _FIRST + 28  # fewest frames on the stack before a pop of the mask being made
P_WORD_TEXT: Final = _FIRST + 29  # of a choice: uint8, the words one after the other
P_WORD_STARTS: Final = _FIRST + 32  # int32: where each begins; one more for the end
P_LEAVING: Final = _FIRST + 35  # 1 while a mask is at the exits of its first state
NUM_FIELDS: Final = _FIRST + 36
