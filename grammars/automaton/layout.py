"""Numbers that the kernels and Python agree on: states, registers, rows of tables.

A state is an int64 "code", a tag and what the tag needs:
    STRUCTURAL  place << 6 | whitespace state, between lexemes and inside literals
    STRING      class map << 32 | DFA state, inside a JSON string; the class map is an index into the class maps
    NUMBER      the same, inside a number
    COUNTED     counter << 44 | characters so far << 20 | DFA state, in a string whose characters are counted
    WORDS       word set << 38 | first word << 18 | bytes read, in a string that is one of a set of words
    OVERLAY     the same; beside the words there is a base lexeme, whose state follows from the bytes read
    CORRECTION  as OVERLAY; only in the queue of a walk (see masks.py)
A negative code is no state: DEAD (no text goes on like this) or NEED (Python must build something first).
"""

from __future__ import annotations

from typing import Final

TAG_SHIFT: Final = 58
STRUCTURAL: Final = 0
STRING: Final = 1
NUMBER: Final = 2
COUNTED: Final = 3
WORDS: Final = 4
OVERLAY: Final = 5
CORRECTION: Final = 6
DEAD: Final = -1
NEED: Final = -2

MASK32: Final = 0xFFFFFFFF
STATE_BITS: Final = 20  # of a DFA state in a COUNTED code
COUNT_BITS: Final = 24
WORD_BITS: Final = 20
DEPTH_BITS: Final = 18
MAX_COUNT: Final = (1 << COUNT_BITS) - 2  # characters that a COUNTED code can count
MAX_STATES: Final = 1 << STATE_BITS
MAX_COUNTERS: Final = 1 << (TAG_SHIFT - COUNT_BITS - STATE_BITS)
MAX_SETS: Final = 1 << (TAG_SHIFT - WORD_BITS - DEPTH_BITS)
MAX_WORDS: Final = 1 << WORD_BITS
MAX_WORD_BYTES: Final = (1 << DEPTH_BITS) - 2
MAX_CLASS_MAPS: Final = 1 << (TAG_SHIFT - 32)

# Places of STRUCTURAL states. Each has WS_STATES whitespace states, 0 first.
WS_STATES: Final = 64
ROOT_VALUE: Final = 0
VALUE: Final = 1  # after `:`, or after `,` in an array
FIRST_ITEM: Final = 2  # after `[`
FIRST_KEY: Final = 3  # after `{`
KEY: Final = 4  # after `,` in an object
COLON: Final = 5
AFTER_MEMBER: Final = 6
AFTER_ITEM: Final = 7
NUM_PLACES: Final = 8
LITERAL: Final = 8  # + literal * 8 + bytes read; 0 true, 1 false, 2 null
DONE: Final = 9 << 6

# A DFA row holds for each byte the next state, DEAD, UNBUILT, or FIRST_END - i: the lexeme ends with its language i.
UNBUILT: Final = -2
FIRST_END: Final = -16

STATE_FIELDS: Final = 4
D_ACCEPT: Final = 0  # of numbers, the language that may end here, -1
D_BOUNDARY: Final = 1  # 1 between the characters of a string
D_SHORTEST: Final = 2  # characters of the shortest text (exact where a COUNTED code has the state)
D_SEGMENT: Final = 3  # segment at the vocabulary's root, -1 unbuilt

# Positions: the number of a set of characters, or one of these; then what follows, and for a JUMP another one, -1 none.
JUMP: Final = -1
END: Final = -2
POSITION_FIELDS: Final = 3
NUM_ENDS: Final = 16  # the first positions: the ends of a lexeme's languages
CHAR_SET_FIELDS: Final = 3  # a bit for each ASCII character, in two numbers; 1 if it holds all others
TEXT_SPELLING: Final = 1  # how characters are spelled: plain
STRING_SPELLING: Final = 2  # as in a JSON string
NUMBER_SPELLING: Final = 3

# Kinds of frames and the fields of a frame's row. Frame 0 is none.
ROOT_FRAME: Final = 1
VALUE_FRAME: Final = 2
OBJECT_FRAME: Final = 3
ARRAY_FRAME: Final = 4
FRAME_FIELDS: Final = 16
F_KIND: Final = 0
F_DESCRIBED: Final = 1
F_STRING: Final = 2  # code of a string's first state, DEAD where there is none
F_NUMBER: Final = 3
F_TRUE: Final = 4  # classes, -1 where there is none
F_FALSE: Final = 5
F_NULL: Final = 6
F_OBJECT: Final = 7  # frames, 0 where there is none
F_ARRAY: Final = 8
F_KEY: Final = 9  # code of a key's first state
F_CLOSE: Final = 10  # class
F_CAPTURES: Final = 11  # see ValueSpec
F_GUARDED: Final = 12  # its spec has excluded containers
F_CONTINUES: Final = 13  # another item or member can come
F_FRAGILE: Final = 14  # see masks.py: 1 one more exclusion may leave nothing, 2 may leave no string or key

# Taint of an entry in the queue of a mask, above the 32 bits of its node: 0 none, else as M_CAPTURED, or VERIFY.
VERIFY: Final = 0x3FFFFFFF

# A segment: what a vocabulary subtree does in a DFA state.
SEGMENT_FIELDS: Final = 8
S_ROW: Final = 0  # address of the row of tokens that stay inside (only at the vocabulary's root)
S_TOKENS: Final = 1  # elsewhere: first of S_NUM_TOKENS pairs (token, characters needed), ascending by characters
S_NUM_TOKENS: Final = 2
S_EXITS: Final = 3  # first of S_NUM_EXITS triples (node, language that ends, characters begun)
S_NUM_EXITS: Final = 4
S_COUNT_ROWS: Final = (
    5  # int64 (S_MAX_COUNT + 1,) addresses of rows: tokens that stay inside and need at most that many
)
S_MAX_COUNT: Final = 6  # no token needs more: what it begins, and then the shortest text

COUNTER_FIELDS: Final = 3
K_LOW: Final = 0
K_HIGH: Final = 1  # -1: no bound
K_CLASS: Final = 2

SET_FIELDS: Final = 8
W_FIRST: Final = 0  # the set's words are W_FIRST .. W_FIRST + W_SIZE - 1 of all words
W_SIZE: Final = 1
W_FROM: Final = 2  # words with W_FROM <= order < W_TO are allowed, the others excluded
W_TO: Final = 3
W_BASE: Final = 4  # code of the base lexeme's first state, DEAD where there is none
W_BITMAP: Final = 5  # address of int64 with a bit for each word, 1 where it is allowed; 0: W_FROM and W_TO say so
WORD_FIELDS: Final = 4
I_START: Final = 0  # where its bytes begin; they end where those of the next word begin
I_CLASS: Final = 1
I_ORDER: Final = 2
I_COMMON: Final = 3  # bytes in common with the word before

# What Python must build (register M_NEED) with its arguments (M_NEED_A, M_NEED_B).
NEED_FRAME: Final = 1  # the row of frame A
NEED_RETURN: Final = 2  # what follows frame A after class B
NEED_ROW: Final = 3  # the row of DFA state A
NEED_SEGMENT: Final = 4  # the segment of DFA state A at vocabulary node B
NEED_COUNT_ROWS: Final = 5  # the count rows of segment A
NEED_STACK: Final = 7  # more room for stack nodes
NEED_QUEUE: Final = 8  # more room for B queue entries
NEED_CAPTURE: Final = 9  # what follows frame A after class B and the text just ended
NEED_PATCH: Final = 10  # a new chunk of patches

# Registers of a lexicon. Those of a column are three: address, used, capacity.
L_BYTE: Final = 0
L_FIRST_CHILD: Final = 1
L_TOKEN_START: Final = 2
L_OWN_END: Final = 3
L_TOKEN_END: Final = 4
L_SORTED: Final = 5
L_TEXT: Final = 6
L_TEXT_START: Final = 7
L_ROOT_CHILD: Final = 8  # int32 (256,): child of the root by byte, 0 where there is none
L_STRUCTURAL: Final = 9  # uint8 (N,): 1 where a child's byte is one of `,]}` or whitespace
L_NUM_WORDS: Final = 10
L_ZERO_ROW: Final = 11
L_SCRATCH: Final = 12  # int32 (W,): the changed words of the mask being made
L_EPOCHS: Final = 13  # int32 (W,): the epoch in which a word of the scratch was last changed
L_TOUCHED: Final = 14  # int32 (W,): which words were changed
L_NUM_TOUCHED: Final = 15
L_EPOCH: Final = 16
L_BASE_ROW: Final = 17
L_QUEUE: Final = 18  # int64 (L_QUEUE_CAPACITY, 3): node, code, stack node
L_QUEUE_CAPACITY: Final = 19
L_HEAD: Final = 20
L_TAIL: Final = 21
L_CURSOR: Final = 22
L_DELAYED: Final = 23  # int64 (L_DELAYED_CAPACITY, 3), as the queue
L_DELAYED_CAPACITY: Final = 24
L_NUM_DELAYED: Final = 25
L_EOS: Final = 26  # int32: end ids
L_NUM_EOS: Final = 27
L_WALK_NODE: Final = 28  # int32 (N,) each: the queue of a segment's walk
L_WALK_STATE: Final = 29
L_WALK_COUNT: Final = 30
L_OUT_TOKENS: Final = 31  # int32 pairs: what a segment's walk found
L_NUM_OUT_TOKENS: Final = 32
L_OUT_EXITS: Final = 33  # int32 triples
L_NUM_OUT_EXITS: Final = 34
L_STRUCTURAL_BYTE: Final = 35  # uint8 (256,): 1 where a byte can occur in a structural state
L_LITERALS: Final = 36  # uint8 (24,): true, false, null at 0, 8, 16
L_WALK_HEAD: Final = 46
L_WALK_TAIL: Final = 47
L_VERIFY: Final = 48  # int32 (T,): tokens that must be tried out
L_NUM_VERIFY: Final = 74
L_ROWS: Final = 37  # int32 (S, 256)
L_STATES: Final = 40  # int32 (S, STATE_FIELDS)
L_CLASS_MAPS: Final = 52  # int32
L_SEGMENTS: Final = 55  # int64 (., SEGMENT_FIELDS)
L_SEGMENT_KEYS: Final = 58  # int64: hash table, state << 32 | node, 0 empty
L_SEGMENT_VALUES: Final = 61  # int32
L_SEGMENT_MASK: Final = 64
L_TOKENS: Final = 65  # int32 pairs of all segments
L_EXITS: Final = 68  # int32 triples of all segments
L_COUNTERS: Final = 71  # int64 (., COUNTER_FIELDS)
L_BELOW: Final = 75  # int64 (N,)
L_LOOPS: Final = 76  # int64 (S,): the kinds of bytes that leave a state between characters as it is
L_OUT_MAX: Final = 82  # most characters that a token of the walk needs
L_CHARS: Final = 83  # int32 (N,)
L_MOST_CHARS: Final = 84  # int32 (N,)
L_SORTED_CHARS: Final = 85  # int32 (T,)
L_ENDS: Final = (
    86  # int32 pairs (node, 1 if tokens under it must be tried out): where a mask's document ends inside tokens
)
L_NUM_ENDS: Final = 87
L_WITHIN: Final = 88  # int64 (N,)
L_EDGES: Final = 89  # int64 (S, 4): a bit for each byte that a row has another number for than for the byte before
L_WALK_CURSOR: Final = 92  # of a general grammar's walk, as L_CURSOR of a mask
L_POSITIONS: Final = 122  # int32 (., POSITION_FIELDS)
L_CHAR_SETS: Final = 95  # int64 (., CHAR_SET_FIELDS)
L_SETS: Final = 98  # int32: the positions of all states that are sets
L_SET_OF: Final = 101  # int64 (S,): of states that are sets first place << 32 | how many << 2 | spelling; else 0
L_SET_TABLE: Final = 104  # int32: hash table of 1 + such a state, 0 empty; used: how many there are
L_SET_MASK: Final = 107
L_MARKS: Final = 108  # int32, for each position L_MARK when it is in the set that is being made
L_MARK: Final = 111
L_FOUND: Final = 112  # int32: the set that is being made
L_PENDING: Final = 115  # int32: positions whose jumps are not followed yet
L_INSIDE: Final = 118  # int32 (S,): first of the states within characters from U+0080 on that lead to a state, 0 none
L_KINDS: Final = 121  # int64 (128,): see trie.KINDS
NUM_LEXICON_FIELDS: Final = 125

# Registers of a machine.
M_LEXICON: Final = 0
M_WHITESPACE: Final = 1  # int32 (NUM_PLACES * WS_STATES, 8): next by space, tab, newline, return; then 1 if it may end
M_NEED: Final = 2
M_NEED_A: Final = 3
M_NEED_B: Final = 4
M_POSITION: Final = 5
M_CODE: Final = 6
M_STACK: Final = 7
M_EXACT: Final = 8  # 1 while a token is accepted: captures are asked for
M_CAPTURED: Final = 9  # 1 + the stack node below the frame of the last capture passed without its text; or VERIFY
M_CAPTURE_A: Final = 10  # the frame after a number's capture, after another one's; 0 unknown
M_CAPTURE_B: Final = 11
M_PATCH: Final = 12  # int32 pairs (word, value): address, used, capacity of the chunk
M_PATCH_USED: Final = 13
M_PATCH_CAPACITY: Final = 14
M_NEED_SLOT: Final = 44  # of a capture: the register that takes the frame that follows
M_BYTE: Final = 45  # where the search for a forced byte goes on
M_FOUND: Final = 46
M_NODE_MASK: Final = 15
M_RETURN_MASK: Final = 16
M_FRAMES: Final = 17  # int64 (., FRAME_FIELDS)
M_NODES: Final = 20  # int64: parent << 32 | frame; node 0 is the bottom
M_NODE_TABLE: Final = 23  # int32: hash table of nodes, 0 empty
M_RETURN_KEYS: Final = 26  # int64: hash table, frame << 32 | class, 0 empty
M_RETURN_VALUES: Final = 29  # int32: frame, 0 not allowed
M_WORD_TEXT: Final = 32  # uint8
M_WORDS: Final = 38  # int32 (., WORD_FIELDS); after each family a row for its end
M_SETS: Final = 41  # int64 (., SET_FIELDS)
NUM_MACHINE_FIELDS: Final = 47
