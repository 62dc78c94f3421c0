"""Numbers that the kernels and Python agree on, beside those of `automaton.layout`.

A place in a text is a local state and a node of the hash-consed stack. A row of a local state holds for each byte the
next local state, DEAD, UNBUILT, or FIRST_ACTION - i: action i, which pushes a frame (if it has one) and goes to a local
state; from a state that returns, frames are then popped (table of returns) until a state is reached that does not.
"""

from __future__ import annotations

from typing import Final

from ..automaton import layout as at

DEAD: Final = at.DEAD
NEED: Final = at.NEED
UNBUILT: Final = -3
FIRST_ACTION: Final = -16
BESIDE: Final = -4  # of `next_place`: what comes there is more than one local state

ACTION_FIELDS: Final = 2
A_FRAME: Final = 0  # 0 for none
A_STATE: Final = 1

STATE_FIELDS: Final = 8
G_RETURNS: Final = 0  # 1: a frame must be popped
G_COMPLETE: Final = 1  # 1: the text may end here
G_SEGMENT: Final = 2  # -1 unbuilt
G_DOCUMENTS: Final = 3  # 1: a JSON document may begin here
G_CONTENT: Final = 4
G_ROW: Final = 5  # NO_ROW, SOME_ENTRIES or ALL_ENTRIES
G_BESIDE: Final = 6  # 1: JSON documents may begin here, or tokens count by their ids
G_MASK: Final = 7  # 1 + number of its mask; -i: that depends on the top frame, see P_MASK_KEYS; 0 unknown

NO_ROW: Final = 0
SOME_ENTRIES: Final = 1  # P_ROW_EDGES are there, and those entries that were asked for
ALL_ENTRIES: Final = 2  # and P_LOOPS

# A content: numbers that were interned. Those of a local state are threads (state of a terminal << 32 | continuation,
# ascending), those of other things are told apart by their C_REST. Content 0 has none.
CONTENT_FIELDS: Final = 5
C_FIRST: Final = 0  # first of C_COUNT numbers
C_COUNT: Final = 1
C_REST: Final = 2  # what a local state holds beside threads: a content of kind REST, 0 for nothing
C_ENTRY: Final = 3  # as in a row; UNBUILT; of a REST bits HAS_...; of a PUSH an index into P_PUSHES
C_HASH: Final = 4

REST: Final = -1  # kind << 60 | number << 32 | continuation, ascending
PUSH: Final = -2  # continuations before which the same is pushed, ascending
FRAME: Final = -3  # what a frame keeps: continuations by their labels. Frame 0, of none, is content 0

# Kinds of numbers of a REST.
DOCUMENT: Final = 1
TOKENS: Final = 2
LABEL: Final = 3  # a continuation of the frame on top, by its label, goes on here
COMPLETE: Final = 4  # the text may end here
KIND_SHIFT: Final = 60

NUMBER_BITS: Final = (1 << 28) - 1

# What a rest holds, as bits.
HAS_DOCUMENTS: Final = 1 << DOCUMENT
HAS_TOKENS: Final = 1 << TOKENS
HAS_LABELS: Final = 1 << LABEL
HAS_COMPLETE: Final = 1 << COMPLETE
IS_DEEP: Final = 1  # a continuation of its documents or tokens is

PUSH_FIELDS: Final = 2
U_FRAME: Final = 0
U_FIRST: Final = 1  # in P_THREADS, first of the continuations that take the place of the set's, in the set's order

# A continuation: a set of ways to go on, each position << 32 | continuation after the position's rule, ascending.
CONTINUATION_FIELDS: Final = 11
K_FIRST: Final = 0  # first of K_COUNT ways
K_COUNT: Final = 1
K_HASH: Final = 2
K_DEEP: Final = 3  # 1: what is behind a recursive call must be pushed
K_FLAT: Final = 4  # 1: it has only END and labels
K_LEFT: Final = 5  # content of what goes on after it, -1 unbuilt
K_SEEN: Final = 6  # the epoch in which a closure went on with it
K_KNOWN_IN: Final = (
    7  # the epoch in which labels took the place of what it has behind recursive calls, or were replaced
)
K_KNOWN: Final = 8  # what it became
K_LABEL_IN: Final = 9  # the epoch in which it got a label
K_LABEL: Final = 10
END: Final = 0  # the continuation of which all that comes is the end of the text
END_WAY: Final = -1
FIRST_LABEL: Final = -2  # the way of label i is (FIRST_LABEL - i) << 32

POSITION_FIELDS: Final = 8
T_FLAGS: Final = 0
T_EDGES: Final = 1  # in P_EDGES, first of its terminals, then calls, documents and tokens; -1 unbuilt
T_TERMINALS: Final = 2  # how many
T_CALLS: Final = 3
T_DOCUMENTS: Final = 4
T_TOKENS: Final = 5
T_SEEN: Final = 6  # the epoch in which a closure met it
T_THEN: Final = 7  # with which continuation
IS_FINAL: Final = 1
IS_LAST: Final = 2
IS_CUT: Final = 4

EDGE_FIELDS: Final = 2  # what is read (state of a terminal, rule, number of a document or of tokens), position after it

RULE_FIELDS: Final = 3
N_POSITION: Final = 0  # its first one
N_SEEN: Final = 1  # as of a position
N_THEN: Final = 2

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
NEED_POSITION: Final = 101  # the edges of position A
NEED_SEGMENT: Final = 102  # the segment of local state A
NEED_TERMINAL: Final = 103  # the row of state A of a terminal
NEED_PAIRS: Final = 104  # room for unions (A is 0) or returns (A is 1)
NEED_WAYS: Final = 105  # room for another continuation of A ways
NEED_SCRATCH: Final = 106  # room for A numbers to work with
NEED_ROOM: Final = 108  # for contents, A numbers, and if B is 1 for states
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
P_THREADS: Final = _FIRST + 43  # int64: the numbers of all contents
P_CONTINUATIONS: Final = _FIRST + 46  # int32 (., CONTINUATION_FIELDS)
P_WAYS: Final = _FIRST + 49  # int64: the ways of all continuations; behind them those that are being put together
P_CONTINUATION_TABLE: Final = _FIRST + 52  # int32: hash table, continuation + 1
P_CONTINUATION_MASK: Final = _FIRST + 55
P_UNION_KEYS: Final = _FIRST + 56  # int64: hash table of unions of two continuations, the smaller one first
P_UNION_VALUES: Final = _FIRST + 59  # int32
P_UNION_MASK: Final = _FIRST + 62
P_NUM_STATES: Final = _FIRST + 63
P_STATE_ROOM: Final = _FIRST + 64  # so many states there may be before Python must make room
P_MOVED: Final = _FIRST + 65  # int64: threads, three tables of the same size to work in
P_KEPT: Final = _FIRST + 68
P_MERGED: Final = _FIRST + 71
P_EMPTY_TEXT: Final = _FIRST + 74  # state of a terminal that can only end
P_KINDS: Final = _FIRST + 75  # int64 (128,): the kind of each ASCII byte
P_WORK: Final = _FIRST + 76  # what may be done before Python looks at the time: steps of a thread by a byte
P_PUSHES: Final = _FIRST + 77  # int64 (., PUSH_FIELDS)
P_KIND_KEYS: Final = _FIRST + 80  # int64: hash table, local state << 32 | node + 1
P_KIND_VALUES: Final = _FIRST + 83  # int32: which of the kind rows
P_KIND_MASK: Final = _FIRST + 86
P_KIND_ROWS: Final = _FIRST + 87  # int64 (., KIND_ROW_FIELDS)
P_ROW_EDGES: Final = _FIRST + 90  # int64 (S, 4): a bit for each byte that may have another entry than the byte before
P_POSITIONS: Final = _FIRST + 93  # int32 (., POSITION_FIELDS): the network's
P_EDGES: Final = _FIRST + 96  # int32 (., EDGE_FIELDS)
P_RULES: Final = _FIRST + 99  # int32 (., RULE_FIELDS): callers before the rules that they begin with
P_EPOCH: Final = _FIRST + 102  # counts closures and changes of labels
# What they work with; int64, all of the same size P_SCRATCH_ROOM.
P_COLLECTED: Final = _FIRST + 103  # threads of a closure
P_NUM_COLLECTED: Final = _FIRST + 106
P_RESTS: Final = _FIRST + 107  # its numbers of a REST
P_NUM_RESTS: Final = _FIRST + 110
P_REACHED: Final = _FIRST + 111  # its positions
P_NUM_REACHED: Final = _FIRST + 114
P_PATH: Final = _FIRST + 115  # where a search of continuations goes on
P_OUT: Final = _FIRST + 118  # the ways that it found
P_PAIRS: Final = _FIRST + 121  # unions to be made
P_LABELS: Final = _FIRST + 124  # continuations by their labels
P_NUM_LABELS: Final = _FIRST + 127
P_SCRATCH_ROOM: Final = _FIRST + 128
P_FIRST_RULE: Final = _FIRST + 129  # the rules that a closure calls lie between these
P_LAST_RULE: Final = _FIRST + 130
P_MASK_KEYS: Final = _FIRST + 131  # int64: hash table, i << 32 | frame below
P_MASK_VALUES: Final = _FIRST + 134  # int32: as G_MASK
P_MASK_MASK: Final = _FIRST + 137
NUM_FIELDS: Final = _FIRST + 138
