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

STATE_FIELDS: Final = 5
G_RETURNS: Final = 0  # 1: a frame must be popped
G_COMPLETE: Final = 1  # 1: the text may end here
G_SEGMENT: Final = 2  # -1 unbuilt
G_DOCUMENTS: Final = 3  # 1: a JSON document may begin here
G_CONTENT: Final = 4

# A content: what a local state is, or would be without the frame that is pushed before it.
CONTENT_FIELDS: Final = 5
C_FIRST: Final = 0  # first of C_COUNT threads
C_COUNT: Final = 1
C_REST: Final = 2  # a number of `Contents.rests`, 0 for nothing but threads
C_ENTRY: Final = 3  # as in a row; UNBUILT
C_HASH: Final = 4

# What a rest holds, as bits.
HAS_COMPLETE: Final = 1  # the text may end here
HAS_LABELS: Final = 2
HAS_DOCUMENTS: Final = 4
HAS_TOKENS: Final = 8
IS_DEEP: Final = 16  # a continuation of its documents or tokens is

PUSHED_REST: Final = 1  # of what is no local state: a set of continuations, whose entry is an index into P_PUSHES
PUSH_FIELDS: Final = 2
U_FRAME: Final = 0
U_FIRST: Final = 1  # in P_THREADS, first of the continuations that take the place of the set's

CONTINUATION_FIELDS: Final = 2
K_DEEP: Final = 0  # 1: what is behind a recursive call must be pushed
K_LEFT: Final = 1  # content of what goes on after it, -1 unbuilt

SEGMENT_FIELDS: Final = 3
S_ROW: Final = 0  # address of the row of tokens that stay in local states, end tokens included
S_EXITS: Final = 1  # first of S_NUM_EXITS pairs (node, local state before its byte)
S_NUM_EXITS: Final = 2

KIND_ROW_FIELDS: Final = 4  # addresses of the arrays of a `KindRow`
R_ROW: Final = 0
R_NODES: Final = 1
R_STARTS: Final = 2
R_FIRSTS: Final = 3

# What Python must build (register M_NEED), beside NEED_STACK, NEED_QUEUE and NEED_PATCH of `automaton.layout`.
NEED_RETURN: Final = 101  # what local state A becomes when frame B is popped
NEED_SEGMENT: Final = 102  # the segment of local state A
NEED_TERMINAL: Final = 103  # the row of state A of a terminal
NEED_UNION: Final = 104  # of continuations A < B
NEED_LEFT: Final = 105  # K_LEFT of continuation A
NEED_ENTRY: Final = 106  # of content A, which is deep and has documents or tokens
NEED_PUSH: Final = 107  # of the set of continuations that is content A
NEED_ROOM: Final = 108  # for contents, A threads, and if B is 1 for states
NEED_KINDS: Final = 109  # the kind row of local state A at node B
NEED_PAUSE: Final = 110  # a look at the time; P_WORK

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
P_CONTENTS: Final = _FIRST + 36  # int64 (., CONTENT_FIELDS)
P_CONTENT_TABLE: Final = _FIRST + 39  # int32: hash table, content + 1
P_CONTENT_MASK: Final = _FIRST + 42
P_THREADS: Final = _FIRST + 43  # int64: state of a terminal << 32 | continuation, ascending in a content
P_RESTS: Final = _FIRST + 46  # int32: bits of each rest
P_CONTINUATIONS: Final = _FIRST + 49  # int32 (., CONTINUATION_FIELDS)
P_UNION_KEYS: Final = _FIRST + 52  # int64: hash table of unions of two continuations, the smaller one first
P_UNION_VALUES: Final = _FIRST + 55  # int32
P_UNION_MASK: Final = _FIRST + 58
P_NUM_STATES: Final = _FIRST + 59
P_STATE_ROOM: Final = _FIRST + 60  # so many states there may be before Python must make room
P_MOVED: Final = _FIRST + 61  # int64: threads, three tables of the same size to work in
P_KEPT: Final = _FIRST + 64
P_MERGED: Final = _FIRST + 67
P_EMPTY_TEXT: Final = _FIRST + 70  # state of a terminal that can only end
P_KINDS: Final = _FIRST + 71  # int64 (128,): the kind of each ASCII byte
P_WORK: Final = _FIRST + 72  # what may be done before Python looks at the time: steps of a thread by a byte
P_PUSHES: Final = _FIRST + 73  # int64 (., PUSH_FIELDS)
P_KIND_KEYS: Final = _FIRST + 76  # int64: hash table, local state << 32 | node + 1
P_KIND_VALUES: Final = _FIRST + 79  # int32: which of the kind rows
P_KIND_MASK: Final = _FIRST + 82
P_KIND_ROWS: Final = _FIRST + 83  # int64 (., KIND_ROW_FIELDS)
NUM_FIELDS: Final = _FIRST + 86
