"""Numbers that the kernels and Python agree on: states, contexts. The tables are in structs.py.

A state is an int64 "code", a tag and what the tag needs (codes.py takes codes apart):
    STRUCTURAL  context << 6 | whitespace state, between lexemes; or context << 6 | bytes of a literal, inside of it
    STRING      class map << 32 | DFA state, inside a JSON string; the class map is an index into the class maps
    NUMBER      the same, inside a number
    COUNTED     counter << 44 | characters so far << 20 | DFA state, in a string whose characters are counted
    WORDS       word set << 38 | first word that begins with the bytes read << 18 | number of bytes read, in a string
                that is one of a set of words
    OVERLAY     the same; beside the words there is a base lexeme, whose state follows from the bytes read
    CORRECTION  as OVERLAY; no state, but what an entry of a mask's queue is to do (see masks.py)
    LOCAL       count of units << 32 | a local state of rules, outside of documents (see rules/layout.py)
    QUOTED      a place in a source text, in a string that is a quote of it (see quotes/)
    CHOICE      first word << 29 | last word + 1, in a text that is one of a list of words
    STYLED      context << 50 | bytes of a mark << 42 | spaces << 36 | which ones, between the members of an object that
                is written in a style (see documents/styled_steps.py)
DEAD is no state: no text goes on like this.
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
LOCAL: Final = 7
CHOICE: Final = 8
QUOTED: Final = 9
STYLED: Final = 10
DEAD: Final = -1
BESIDE: Final = -4  # of `advance`: there is more than one configuration

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
CHOICE_BITS: Final = 29
MAX_CHOICES: Final = (1 << CHOICE_BITS) - 1
MAX_CLASS_MAPS: Final = 1 << (TAG_SHIFT - 32)

# Contexts: what comes at a STRUCTURAL state. Each has WS_STATES whitespace states, 0 first.
CONTEXT_SHIFT: Final = 6
WS_STATES: Final = 1 << CONTEXT_SHIFT
ROOT_VALUE: Final = 0
VALUE: Final = 1  # after `:`, or after `,` in an array
FIRST_ITEM: Final = 2  # after `[`
FIRST_KEY: Final = 3  # after `{`
KEY: Final = 4  # after `,` in an object
COLON: Final = 5
AFTER_MEMBER: Final = 6
AFTER_ITEM: Final = 7
NUM_CONTEXTS: Final = 8
LITERAL: Final = 8  # inside of a literal; instead of a whitespace state: literal << LITERAL_SHIFT | bytes read
DONE: Final = 9 << CONTEXT_SHIFT  # the whole code: the document has ended, and nothing comes after it

# STYLED codes. Spaces are numbered as columns of a whitespace row, 2 bits each.
STYLED_SHIFT: Final = 50
MARK_SHIFT: Final = 42
MAX_MARK_BYTES: Final = (1 << STYLED_SHIFT - MARK_SHIFT) - 1
MAX_STYLED_SPACES: Final = 18
SPACES_SHIFT: Final = 2 * MAX_STYLED_SPACES
STYLED_START: Final = 0  # nothing is read; the document's frame is on top
BETWEEN: Final = 1  # members, also in the beginning of a mark
STYLED_VALUE: Final = 2  # a value begins, or has ended but for its mark
AFTER_BREAK: Final = 3  # the same after a line break that belongs to the mark
BESIDE_TEXT: Final = 4  # no state: what may come at the two above beside the text of a value
AFTER_BREAK_BESIDE: Final = 5

# Literals, in the order of their texts in `Tables.literals`, each 1 << LITERAL_SHIFT bytes long with zeros at its end.
LITERAL_SHIFT: Final = 3
TRUE: Final = 0
FALSE: Final = 1
NULL: Final = 2

# A DFA row holds for each byte the next state, DEAD, UNBUILT, or FIRST_END - i: the lexeme ends with its language i.
UNBUILT: Final = -2
FIRST_END: Final = -16

# What a position reads, where it is no set of characters.
JUMP: Final = -1
END: Final = -2
PRODUCT: Final = -3
NUM_ENDS: Final = 16  # the first positions: the ends of a lexeme's languages
TEXT_SPELLING: Final = 1  # how characters are spelled: plain
STRING_SPELLING: Final = 2  # as in a JSON string
NUMBER_SPELLING: Final = 3
SOURCE_SPELLING: Final = 4  # of a state that is no set, but a place in a source text

# Items of sets: places inside characters and in products.
FIRST_SET_ITEM: Final = 1 << 28  # members of sets are positions below it, items from it on
CHARACTER_END: Final = -1  # in a node's row; of classes of characters, less the number of the class
MAX_CLASSES: Final = 60
ALL_OTHERS: Final = 1  # the node before all characters from U+0080 on
NO_USUAL: Final = 0  # of the characters from U+0080 on whose byte class is WIDE, those that a set holds
SOME_USUAL: Final = 1
ALL_USUAL: Final = 2
INTERSECTION: Final = -1  # operations of products, beside the numbers of leaves
COMPLEMENT: Final = -2
UNDECIDED: Final = 0  # the life of a product state
LIVE: Final = 1
LIFELESS: Final = 2

# Frames on the stack. Those of rules have a bit that those of documents have not; below it is a content.
RULE_FRAME: Final = 1 << 30

# Kinds of frames of documents. Frame 0 is none.
ROOT_FRAME: Final = 1
VALUE_FRAME: Final = 2
OBJECT_FRAME: Final = 3
ARRAY_FRAME: Final = 4

# Taints (masks.py says what they are for). Others are 1 + the stack below the frame of a container.
UNTAINTED: Final = 0
VERIFY: Final = 0x3FFFFFFF

# `FrameRow.captures`: what the text of a value says about what may come later, beside its class (see ValueSpec).
EXCLUDES: Final = 1  # it takes away some texts
DECIDES: Final = 2  # anything may depend on it

# Bits of `FrameRow.fragile`: what one more excluded key or item may do to a frame.
MAY_LEAVE_NOTHING: Final = 1  # no key or item may be left
MAY_LEAVE_NO_STRING: Final = 2  # no string may be left

# Instead of the bit of a word of a set (see `Word`), of a text that is none.
NO_WORD: Final = -1

# Which capture: one byte can end two. In `[[1]` the bracket ends the number before it, then the inner array.
NUMBER_CAPTURE: Final = 0
OTHER_CAPTURE: Final = 1
