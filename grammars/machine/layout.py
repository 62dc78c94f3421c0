"""Constants that kernels and Python share: tags, contexts, taints. The tables are in structs.py.

A code is an int64: a tag, and the data that the tag needs (codes.py takes codes apart):
    STRUCTURAL  between lexemes: context << 6 | whitespace state; inside a literal: context << 6 | bytes read
    STRING      inside a JSON string: class map << 32 | DFA state; the class map is an index into the class maps
    NUMBER      like STRING, inside a number
    COUNTED     in a string whose characters are counted: counter << 44 | characters so far << 20 | DFA state
    WORDS       in a string that is one of a set of words: word set << 38 | first word that begins with the bytes read
                << 18 | number of bytes read
    OVERLAY     like WORDS, with a base lexeme beside the words; the base's state follows from the bytes read
    CORRECTION  like OVERLAY; no state, but a task in a mask's queue (see masks.py)
    LOCAL       outside of documents: number of units << 32 | local state of rules (see rules/layout.py)
    QUOTED      a place in a source text, in a string that is a quote of it (see quotes/)
    CHOICE      in a text that is one of a list of words: first word << 29 | last word + 1
    STYLED      between the members of an object in a style: context << 50 | bytes of a mark << 42 | number of spaces
                << 36 | the spaces (see documents/styled_steps.py)
DEAD is no state: no text continues.
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
BESIDE: Final = -4  # result of `advance`: the text is in more than one configuration

MASK32: Final = 0xFFFFFFFF
STATE_BITS: Final = 20  # bits of the DFA state in a COUNTED code
COUNT_BITS: Final = 24
WORD_BITS: Final = 20
DEPTH_BITS: Final = 18
MAX_COUNT: Final = (1 << COUNT_BITS) - 2  # maximum number of characters that a COUNTED code can count
MAX_STATES: Final = 1 << STATE_BITS
MAX_COUNTERS: Final = 1 << (TAG_SHIFT - COUNT_BITS - STATE_BITS)
MAX_SETS: Final = 1 << (TAG_SHIFT - WORD_BITS - DEPTH_BITS)
MAX_WORDS: Final = 1 << WORD_BITS
MAX_WORD_BYTES: Final = (1 << DEPTH_BITS) - 2
CHOICE_BITS: Final = 29
MAX_CHOICES: Final = (1 << CHOICE_BITS) - 1
MAX_CLASS_MAPS: Final = 1 << (TAG_SHIFT - 32)

# Contexts of STRUCTURAL states. Each context has WS_STATES whitespace states, 0 first.
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
LITERAL: Final = 8  # inside a literal; the whitespace state is replaced by literal << LITERAL_SHIFT | bytes read
DONE: Final = 9 << CONTEXT_SHIFT  # the whole code: the document has ended, and nothing comes after it

# Parts of STYLED codes. Each space is 2 bits, the column of a whitespace row.
STYLED_SHIFT: Final = 50
MARK_SHIFT: Final = 42
MAX_MARK_BYTES: Final = (1 << STYLED_SHIFT - MARK_SHIFT) - 1
MAX_STYLED_SPACES: Final = 18
SPACES_SHIFT: Final = 2 * MAX_STYLED_SPACES
STYLED_START: Final = 0  # nothing is read; the document's frame is on top
BETWEEN: Final = 1  # between members, also inside an opening mark
STYLED_VALUE: Final = 2  # at the beginning of a value, or after its end and before its mark
AFTER_BREAK: Final = 3  # like STYLED_VALUE, after a line break that belongs to the mark
BESIDE_TEXT: Final = 4  # 4 and 5 are no states but tasks of a mask's queue: alternatives to a value's text in 2 and 3
IN_QUOTE: Final = 6  # inside the mark before a string, if a document is JSON with such marks instead of quotes

# Literals, in the order of their texts in `Tables.literals`. Each text takes 1 << LITERAL_SHIFT bytes, padded with
# zeros.
LITERAL_SHIFT: Final = 3
TRUE: Final = 0
FALSE: Final = 1
NULL: Final = 2

# A DFA row holds one entry for each byte: the next state, DEAD, UNBUILT, or FIRST_END - i if language i ends.
UNBUILT: Final = -2
FIRST_END: Final = -16

# Values of `Position.reads` for positions that read no characters.
JUMP: Final = -1
END: Final = -2
PRODUCT: Final = -3
NUM_ENDS: Final = 16  # the first positions are the ends of a lexeme's languages
TEXT_SPELLING: Final = 1  # how characters are spelled: plain
STRING_SPELLING: Final = 2  # escaped, as in JSON strings
NUMBER_SPELLING: Final = 3
SOURCE_SPELLING: Final = 4  # the state is a place in a source text

# Items of sets: places inside characters and in products.
FIRST_SET_ITEM: Final = 1 << 28  # members of sets: smaller numbers are positions, this and larger ones are items
CHARACTER_END: Final = -1  # entry of a node's row where a character ends; the number of its class is subtracted
MAX_CLASSES: Final = 60
ALL_OTHERS: Final = 1  # the node before all characters from U+0080 on
NO_USUAL: Final = 0  # how many characters of the byte class WIDE a set holds
SOME_USUAL: Final = 1
ALL_USUAL: Final = 2
MOST_LEFT: Final = 32  # characters that a product may need to its end where copies of a repetition are alike
FAR_END: Final = MAX_COUNT >> 1  # `shortest` of positions that stand for many; no real one is as large
INTERSECTION: Final = -1  # operations of products; all other values are leaves
COMPLEMENT: Final = -2
UNDECIDED: Final = 0  # values of `ProductState.life`
LIVE: Final = 1
LIFELESS: Final = 2

# Frames on the stack. Frames of rules have this bit; the bits below are a content. Frames of documents lack the bit.
RULE_FRAME: Final = 1 << 30

# Kinds of document frames. Frame 0 means none.
ROOT_FRAME: Final = 1
VALUE_FRAME: Final = 2
OBJECT_FRAME: Final = 3
ARRAY_FRAME: Final = 4

# Taints, explained in masks.py. Any other taint is 1 + the stack below the frame of a container.
UNTAINTED: Final = 0
VERIFY: Final = 0x3FFFFFFF

# Values of `FrameRow.captures`: the effect of a value's text on later texts, beside its class (see ValueSpec).
EXCLUDES: Final = 1  # the text only excludes some later texts
DECIDES: Final = 2  # anything later may depend on the text

# Bits of `FrameRow.fragile`: the possible effect of one more excluded key or item on a frame.
MAY_LEAVE_NOTHING: Final = 1  # no key or item may be left
MAY_LEAVE_NO_STRING: Final = 2  # no string may be left

# Stands for the bit of a word of a set (see `Word`) if the text is none of the words.
NO_WORD: Final = -1

# Numbers of captures, since one byte can end two: the bracket in `[[1]` ends the number and the inner array.
NUMBER_CAPTURE: Final = 0
OTHER_CAPTURE: Final = 1
