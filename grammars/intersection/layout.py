"""Numbers that the kernels of this package and Python agree on, beside those of `automaton.layout`.

A pair is a place of the machine (code, stack node) with a state of the regular side, q. Machines are of two kinds: that
of rules (`pushdown`) and that of JSON documents (`automaton`). The registers X_... are those of one intersection, the
registers G_... those of one goal: what a document must leave q in, see `goals.py`.
"""

from __future__ import annotations

from typing import Final

OF_RULES: Final = 0
OF_DOCUMENTS: Final = 1

DEAD: Final = -1
UNBUILT: Final = -2

# Registers of an intersection. Those of a column are three: address, used, capacity.
X_ROWS: Final = 0  # int32 (Q, 256): for each byte the next q, or DEAD
X_LOOPS: Final = 3  # int64 (Q,): the kinds of bytes that leave q as it is
X_NEED: Final = 6  # what a kernel that returned NEED waits for
X_NEED_A: Final = 7
X_QUEUE: Final = 8  # int64 (., QUEUE_FIELDS)
X_HEAD: Final = 9
X_TAIL: Final = 10
X_CURSOR: Final = 11
X_OUT: Final = 12  # int32 pairs (node, pair): tokens that end at a node, with SUBTREE all under it
X_NUM_OUT: Final = 13
X_EVENTS: Final = 14  # int32 pairs (node, pair): where a document ends, or may begin
X_NUM_EVENTS: Final = 15
X_PAIRS: Final = 16  # int64 (., PAIR_FIELDS)
X_NUM_PAIRS: Final = 17
X_TABLE: Final = 18  # int32: hash table of pairs, 1 + number, 0 empty
X_TABLE_MASK: Final = 19
X_CAPACITY: Final = 20  # of the queue and the lists
X_PREFERENCE: Final = 21  # uint8 (256,): the bytes in the order in which a search tries them
X_PAIR_CAPACITY: Final = 22
X_LARGE: Final = 23  # tokens under a node from which a walk waits for an inside; 0: it never does
X_EXITS: Final = 24  # address of the exits of an inside that is being taken; 0 none yet, NO_INSIDE
X_NUM_EXITS: Final = 25
NUM_FIELDS: Final = 26

NO_INSIDE: Final = -1

# Registers of the walk of an inside.
I_QUEUE: Final = 0  # addresses of int32 pairs (node, q or count), as those of X_OUT
I_OUT: Final = 1
I_EXITS: Final = 2
I_HEAD: Final = 3
I_TAIL: Final = 4
I_NUM_OUT: Final = 5
I_NUM_EXITS: Final = 6
NUM_INSIDE_FIELDS: Final = 7

# What Python must do before the kernel goes on (X_NEED).
NEED_ROW: Final = 1  # build the row of q X_NEED_A
NEED_MACHINE: Final = 2  # what the machine's own register M_NEED says
NEED_ROOM: Final = 3  # more room in the lists, or in the goal's table
NEED_ANSWER: Final = 4  # say whether a document may leave q X_NEED_A
NEED_INSIDE: Final = 5  # the inside of the entry X_HEAD of the queue, which kinds X_NEED_A of bytes leave as it is

QUEUE_FIELDS: Final = 6  # node, code, stack, q, capture, pair
PAIR_FIELDS: Final = 5  # code, stack, q, capture, place in the hash table
SUBTREE: Final = 1 << 30
ROOM: Final = 300  # entries that one node of the trie may add

# Captures of a walk: 0 none, else 1 + the stack node below the frame that took one without its text; or SEVERAL.
SEVERAL: Final = -1

# Registers of a goal.
G_KEYS: Final = 0  # int64 (., 2): code, stack << 32 | q
G_VALUES: Final = 1  # int32: 0 empty, else what is known of the pair
G_MASK: Final = 2
G_COUNT: Final = 3
G_ANSWERS: Final = 4  # int32 (Q,): UNKNOWN, YES or NO: may a document leave this q?
G_PATH: Final = 5  # int64 (., PATH_FIELDS)
G_DEPTH: Final = 6  # entries of the path; in a sweep, of the queue
G_CAPACITY: Final = 7  # of the path and the log
G_LOG: Final = 8  # int32: places of the table visited by this search
G_NUM_LOG: Final = 9
G_SEARCH: Final = 10  # number of this search; its visited pairs have the value FIRST_SEARCH + that
G_BUDGET: Final = 11
G_GUARDED: Final = 12  # 1: any capture makes a text doubtful
G_HEAD: Final = 13
NUM_GOAL_FIELDS: Final = 14

PATH_FIELDS: Final = 8  # code, stack, q, next byte to try, capture on the way here, place in the table, parent, byte

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
WAITING: Final = -1  # for X_NEED
OVER_BUDGET: Final = -2
