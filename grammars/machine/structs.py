"""Structs that kernels and Python share: a vocabulary's `Tables`, and the parts of machines on that vocabulary.

Rows of masks are kept by address, as plain numbers, since masks outlive all calls into machines. Everything else is
typed.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..memory.hash_map import HashMap, PairMap
from ..memory.layout import StructRow
from ..memory.structs import INT32, INT64, Array, Part, Struct, Table, int32, int64, uint8
from .sources.structs import SortedText, SuffixBuckets

ByteRow = Annotated[Array[int32], StructRow(INT32, 256)]
"""One number for each byte."""
NodeRow = Annotated[Array[int32], StructRow(INT32, 64)]
"""One number for each value of the last six bits of a byte."""
ByteBits = Annotated[Array[int64], StructRow(INT64, 4)]
"""One bit for each byte."""
AsciiBits = Annotated[Array[int64], StructRow(INT64, 2)]
"""One bit for each ASCII character."""
LiteralClasses = Annotated[Array[int64], StructRow(INT64, 3)]

_MIN_BYTES, _MAX_BYTES = 1 << 14, 1 << 18  # Size of a chunk of `MaskRoom`, in bytes.


class Trie(Struct):
    """A `VocabularyTrie`, whose docstring has the shapes, and columns computed from it once."""

    byte: Array[uint8]
    first_child: Array[int32]
    token_start: Array[int32]
    own_end: Array[int32]
    token_end: Array[int32]
    sorted_ids: Array[int32]
    below: Array[int64]
    within: Array[int64]
    chars: Array[int32]
    most_chars: Array[int32]
    sorted_chars: Array[int32]
    text: Array[uint8]
    text_start: Array[int32]
    root_child: Array[int32]  # byte -> child of the root; 0 means none
    may_end_number: Array[uint8]  # 1 if some child's byte is one of `,]}` or whitespace
    byte_classes: Array[int64]  # byte classes of each ASCII byte, see trie_kernels.py
    end_ids: Array[int32]  # ids of the end-of-sequence tokens
    num_words: int64  # number of words in a row of a bitmask


class DfaState(Struct):
    """A state of a DFA."""

    accepts: int32  # for numbers and terminals: the language that may end here, or -1
    is_between: int32  # 1 if the state is between the characters of a string
    shortest: int32  # number of characters of the shortest text; exact if a COUNTED code has the state
    mask_state: int32  # 1 + the state with the same masks; 0 unknown (see `mask_states`)


class Position(Struct):
    """A position of a regular expression: it reads a character of a set, jumps, or ends."""

    reads: int32  # number of a set of characters, or JUMP, END or PRODUCT
    following: int32  # the position after the character, or the first target of a JUMP
    other: (
        # For a JUMP: the second target, or -1. For a PRODUCT: its first state. For a reader: the end of the text if
        # any text may follow the character, else -1.
        int32
    )
    shortest: int32  # lower bound of the characters before the nearest end; exact if no PRODUCT comes
    longest: int32  # at most this many characters precede an end; above MAX_COUNT: no bound
    alike: int32  # the position that replaces this one in mask states, since no token distinguishes them; -1: none
    group: int32  # number of the group of optional copies at one place, see `_without_needless` in sets.py; 0 none


class CharacterSet(Struct):
    """A set of characters: a bit for each ASCII character."""

    ascii: AsciiBits
    others: int64  # node in `Dfa.nodes` before the set's characters from U+0080 on; 0 if the set has none
    usual: int64  # share of the characters of byte class WIDE in the set: NO_USUAL, SOME_USUAL or ALL_USUAL
    byte_classes: int64  # byte classes that lie in the set, and one bit that says if they are known
    mark: int64  # equals `Dfa.reader_mark` if `Dfa.readers` lists a member that reads this set


class Run(Struct):
    """Characters that can be read without looking at each, if they belong to certain byte classes; see `runs`."""

    classes: int64
    few_classes: int64  # a subset of `classes` with a longer known run
    length: int32  # number of characters that can be read; for positions 0 means unknown
    length_of_few: int32  # like `length`, for `few_classes`
    most_left: int32  # maximum number of characters from any place of the run to the nearest end
    longest: int32  # for states: maximum number of characters before an end
    following: int32  # for positions: the position that continues the run, or -1
    is_known: int32  # for positions: 1 if `classes` and `following` are known
    after: int32  # for positions in a product: the state after the position, minus DEAD, plus 1; 0 not computed


class Item(Struct):
    """A member of a set that is not a position: a state of a product, or a place inside a character."""

    product_state: int32  # state of the product; -1 in no product
    node: int32  # next node inside a character; 0 between characters
    following: int32  # the position after the character


class Product(Struct):
    """A combination of languages; see `products`."""

    first_operation: int32  # index in `Dfa.operations`
    num_operations: int32
    first_start: int32  # index in `Dfa.product_members` of the leaves' first states
    num_leaves: int32
    first_class: int32  # number of the product's first class of characters from U+0080 on
    num_classes: int32
    node: int32  # node in `Dfa.nodes` before the characters of these classes
    usual_class: int32  # the class that holds all characters of the byte class WIDE; -1 if several classes do
    required: int32  # a bit for each leaf: 1 if every text must be in the leaf's language
    positive: int32  # a bit for each leaf: 1 if an even number of complements is above the leaf
    has_no_mask_states: int32  # 1: some of its states are too far from an end, or there are too many to find out


class ProductState(Struct):
    """The states of all leaves of a product."""

    live_classes: int64  # a bit for each class of characters: 1 if it leads to a text; valid if `is_settled`
    after_others: int32  # the product state after any class if all lead there; DEAD, or UNBUILT if they lead to several
    is_settled: int32
    product: int32
    first: int32  # index in `Dfa.product_members` of the leaves' states
    accepts: int32  # 1 if a text may end here
    life: int32  # LIVE, LIFELESS or UNDECIDED: some accepting state can be reached from here
    first_arc: int32  # index of the first arc from this state; -1: not computed yet
    num_arcs: int32
    last_arc_to: int32  # index of the newest arc to this state; -1: none
    mark: int32  # equals `product_mark` if there is an arc to it from the current state
    visited: int32  # `product_mark` of the last search that reached it
    run_following: int32  # for threads: the thread that continues its run
    run_classes: int64  # for threads: byte classes of this run; -1 not computed yet
    loose: int32  # 1 + the product state whose leaves are mask states; 0 unknown
    is_near: int32  # 1: all loose product states after it are near an end or have none; see `distances`
    order: int32  # place in the queue of the search for `is_near`
    distance: int32  # number of characters to the nearest end, found by the same search


class ProductArc(Struct):
    """An arc from one product state to another."""

    source: int32
    target: int32
    before: int32  # index of the previous arc to the same target; -1: none


class SourcePlace(Struct):
    """A place in a source text: an interval of suffixes that have their first `depth` bytes in common."""

    text: int32
    first: int32
    count: int32
    depth: int32
    state: int32


class ItemSet(Struct):
    """The positions and items of a DFA state that is a set of them. count 0: the state is no set.

    For a state that is a place in a source text, `first` is the number of the place.
    """

    first: int32
    count: int32
    spelling: int32


class Dfa(Struct):
    """The lazy DFAs of strings, numbers and terminals; see `LazyDfas`."""

    rows: Table[ByteRow]  # byte -> next state, DEAD, UNBUILT or an end
    states: Table[DfaState]
    loops: Table[int64]  # byte classes that lead a state between characters back to itself
    runs: Table[Run]  # runs of states whose rows are made
    edges: Table[ByteBits]  # a bit for each byte: 1 if its entry in the row differs from the entry before
    inside: Table[int32]  # first state inside the characters from U+0080 on that lead to a state; 0 none
    positions: Table[Position]
    position_runs: Table[Run]
    char_sets: Table[CharacterSet]
    nodes: Table[NodeRow]  # trie of characters from U+0080 on: the next node, 0 for none, or CHARACTER_END - class
    node_classes: Table[int64]  # for each node: a bit for each class, 1 if characters of the class lie behind it
    class_characters: Table[int64]  # the bytes of one character of each class, from the lowest bits on
    items: Table[Item]
    item_index: Part[HashMap]
    item_marks: Table[int32]  # like `marks`, for items
    products: Table[Product]
    operations: Table[int32]  # programs of products: leaves, INTERSECTION and COMPLEMENT
    product_states: Table[ProductState]
    product_members: Table[int32]  # leaves' states of all product states
    product_arcs: Table[ProductArc]
    product_index: Part[HashMap]  # hash of leaves' states -> product state
    product_mark: int64
    product_queue: Table[int32]  # queue of a search
    product_run: Part[Run]  # the run that is being computed
    product_successors: Table[int32]  # successors that are being visited
    to_decide: Table[int32]  # successors whose life is being decided
    loose_leaves: Table[int32]  # leaves of the loose product state that is being made
    loose_arcs: Table[int64]  # arcs of the search for distances: source << 32 | target, numbered by `order`
    lone_targets: Table[int32]  # product states after the byte that is being read
    leaf_states: Table[int32]  # leaves' states of the product state that is being made
    threads: Table[int32]  # the threads listed last; see `threads`
    leaf_threads: Table[int32]  # threads of the leaves of the product state that is being split
    leaf_thread_starts: Table[int32]  # index of each leaf's first thread in `leaf_threads`
    members: Table[int32]  # members of all states that are sets; positions, and items as FIRST_SET_ITEM + number
    set_of: Table[ItemSet]
    set_index: Part[HashMap]  # hash of members -> state
    source_texts: Table[SortedText]
    source_places: Table[SourcePlace]  # the place of a state in a source text is number `set_of[state].first` here
    source_index: Part[HashMap]  # hash of (text, place in it) -> state, for places with few suffixes left
    buckets: Part[SuffixBuckets]
    marks: Table[int32]  # position -> `mark` if it is in the set that is being made
    mark: int64
    found: Table[int32]  # members of the set that is being made
    widest: Table[int64]  # group -> `mark` << 32 | its member that reads most, if the set that is being made has one
    readers: Table[int32]  # for the set whose row is being made: one member for each set of characters
    reader_mark: int64
    pending: Table[int32]  # positions whose jumps are not followed yet
    row: ByteRow  # the row that is being made
    byte_classes: Array[int64]
    escaped_classes: int64  # byte classes that hold characters which JSON strings must escape
    escapes: Array[uint8]  # ASCII character -> its form in a JSON string; see `json_spelling`
    class_maps: Table[int32]


class InteriorExit(Struct):
    """A node of the trie at which tokens leave a lexeme, or local states.

    The meaning of the fields depends on the interior's state: a DFA's state, the place of a quote, or a local state.
    """

    node: int32
    # DFA: the language that ends there. Quote: its class. Local state: the local state before the node's byte.
    language: int32
    # DFA: number of characters begun before the end. Quote: 0. Local state: the count, as in `rules.walks.exit_count`.
    characters: int32


class Interior(Struct):
    """The tokens of a subtree of the vocabulary that stay inside from a state on, and the exits."""

    row: int64  # address of the row of tokens that stay inside; 0: they are listed
    first_token: int64  # index in `Interiors.tokens`; the tokens of a DFA's state ascend by their characters
    num_tokens: int64
    first_exit: int64  # index in `Interiors.exits`
    num_exits: int64
    # (max_count + 1,) addresses of rows; row n has the tokens that stay inside and need at most n characters
    count_rows: Array[int64]
    # DFA: the most characters that a token inside needs. Local state: the first count that needs another interior.
    max_count: int64


class Interiors(Struct):
    """The interiors of one kind of states. Each is made when a mask first needs it, and kept."""

    rooms: ClassVar = {"made": 64, "exits": 512}
    unused: ClassVar = frozenset({"made"})  # interior 0 is scratch for an interior that is not kept
    made: Table[Interior]
    tokens: Table[int64]  # tokens of all interiors, in the form of `InteriorWalk.tokens`
    exits: Table[InteriorExit]
    # (state + 1, node) -> interior. For local states: (state + 1, 0), and (state + 1, count + 1) near a bound.
    index: Part[PairMap]


class WalkEntry(Struct):
    """An entry of the queue of an interior's walk."""

    node: int32
    state: int32
    characters: int32


class InteriorWalk(Struct):
    """The walk that finds an interior, of any kind."""

    queue: Table[WalkEntry]  # `queue`, `tokens` and `exits` have room for every possible entry
    head: int64
    cursor: int64  # children of the current entry that are done, for walks that can wait in between
    # Result: characters << 32 | token; the characters that the token begins and those of the shortest text after it.
    tokens: Table[int64]
    exits: Table[InteriorExit]
    most_characters: int64  # largest number of characters that a token needs
    limit: int64  # for counts: the result holds for counts below this
    key: int64  # key of the walk in progress: node << 32 | DFA state, or a LOCAL code; -1 if none can go on


class MaskEntry(Struct):
    """An entry of a mask's queue: a node of the trie, and the configuration after its bytes."""

    node: int32
    taint: int32  # see masks.py
    code: int64
    stack: int64


class ChangedWord(Struct):
    """A mask word that differs from the base row. Mask words are the int32 numbers of a row; their bits are tokens."""

    word: int32  # index in the row
    value: int32


class MaskWork(Struct):
    """The mask that is being made: a base row, and the mask words in `scratch` that may differ. See mask_work.py."""

    code: int64  # with `stack`: the configuration of the mask
    stack: int64
    queue: Table[MaskEntry]
    head: int64  # index of the current entry
    cursor: int64  # number of finished parts of that entry
    delayed: Table[MaskEntry]  # entries that are done when the queue is empty
    base_row: int64  # address of the row that the mask starts from
    zero_row: int64  # address of a row without tokens
    scratch: Array[int32]  # values of touched mask words; all others equal the base row
    epochs: Array[int32]  # mask word -> the epoch that last touched it
    epoch: int64  # number of the current mask
    touched: Array[int32]  # indexes of touched mask words
    num_touched: int64
    must_try: Array[int32]  # tokens that Python must try out, as places in the trie's `sorted_ids`
    num_must_try: int64
    num_open: int64  # number of tokens and forks that the mask finished last left undecided
    forks: Table[MaskEntry]  # nodes inside tokens where a JSON document or other text may begin


class MaskRoom(Struct):
    """Memory for finished masks: changed words, and rows. Each of the two tables is the chunk that is being filled.

    Chunks never move, since masks hold addresses in them.
    """

    rooms: ClassVar = {"words": 1 << 11}
    words: Table[ChangedWord]
    rows: Table[int32]

    def __init__(self) -> None:
        super().__init__()
        self._chunks: list[NDArray[Any]] = []

    def grow(self) -> None:
        """Give the kernels a new chunk that is large enough for their next request."""
        table: Table[Any] = self.words if self.words.wanted > self.words.capacity else self.rows
        self.note_bytes(table.data.nbytes)
        size = min(_MAX_BYTES, _MIN_BYTES << 2 * len(self._chunks)) // table.dtype.itemsize
        self._chunks.append(np.empty(max(size, table.wanted - table.used), table.dtype))
        table.replace(self._chunks[-1])
        table.used = 0


class ByteClassRow(Struct):
    """The tokens under a node that consist of certain byte classes, and the nodes where others leave; see
    byte_class_rows.py.
    """

    byte_classes: int64
    node: int64
    row: Array[int32]  # row of a bitmask: the tokens made of these byte classes only
    nodes: Array[int32]  # nodes whose byte is the first of another class, sorted by that byte
    starts: Array[int32]  # (257,): the nodes with byte b are nodes[starts[b] .. starts[b + 1] - 1]
    firsts: Array[int32]  # for each of these nodes: the first byte on the way to it


class Counter(Struct):
    """Bounds on the characters of a COUNTED code."""

    low: int64
    high: int64  # -1: no bound
    returned: int64  # class of the string


class Tables(Struct):
    """All tables of one vocabulary."""

    trie: Trie
    dfa: Dfa
    walk: InteriorWalk
    mask: MaskWork
    interiors: Part[Interiors]  # the interiors of DFA states
    room: Part[MaskRoom]  # memory of these interiors' rows
    counters: Table[Counter]
    byte_class_rows: Table[ByteClassRow]
    byte_class_index: Part[HashMap]  # hash of (byte classes, node) -> row
    is_structural: Array[uint8]  # (256,): 1 if the byte can occur in a structural state
    literals: Array[uint8]  # the texts true, false, null at 0, 8, 16


class FrameRow(Struct):
    """The kernels' description of a frame. Codes are first states, or DEAD; a missing class is -1."""

    kind: int64
    is_described: int64  # 1 if the other fields are filled in
    string: int64  # code of a string
    number: int64  # code of a number
    literals: LiteralClasses  # classes of true, false and null
    object: int64  # frame of an object; 0 none
    array: int64  # frame of an array; 0 none
    key: int64  # code of a key
    close: int64  # class that closing returns
    captures: int64  # 0, EXCLUDES or DECIDES: the use of the text of a value that ends in this frame
    continues: int64  # 1 if another item or member can come
    fragile: int64  # bits MAY_LEAVE_NOTHING, MAY_LEAVE_NO_STRING: effect of one more excluded key or item
    shape: int64  # for plain containers: index in `shapes`; else 0
    # For plain objects and arrays of different words: index in `keys` of the keys (words) present. For other plain
    # arrays: the number of items.
    place: int64
    after: int64  # for a value in a plain object: the object's frame after the value; else 0
    value: int64  # with `after`: the frame that describes the value
    then: int64  # for a ROOT_FRAME: 1 + the GSS node after the document; 0 if nothing follows
    whitespace: int64  # for a ROOT_FRAME: index of the first row of the document's whitespace table
    # Index in `Machine.styles`; 0 for JSON. A value between marks has its texts, with end marks, in `string`, and its
    # texts after a line break in `number`. `continues` is 1 if such a break may come.
    style: int64


class StyleRow(Struct):
    """How a style other than JSON writes documents."""

    first: int64  # index in `mark_text` of the mark before a member's name, or before a string
    length: int64  # length of the mark's part before the name or string
    max_spaces: int64  # maximum number of whitespace characters before the mark
    is_shared: int64  # 1: marks after values begin with the same mark
    is_quote: int64  # 1: documents are JSON, but with bare names and strings between marks


class WordSet(Struct):
    """A set of words; some are allowed, all others are excluded."""

    first: int64  # index of its first word; the words are first .. first + size - 1
    size: int64
    base: int64  # code of the base lexeme's first state; DEAD if there is none
    allowed: int64  # index in `keys` of the bits of allowed words


class Word(Struct):
    """A word of a `WordSet`: its bytes after the opening quote. A word of JSON includes the closing quote."""

    start: int32  # index of its first byte; it ends where the next word begins
    returned: int32  # class of the word
    bit: int32  # the bit that allows it; -1 if it is never allowed
    common: int32  # number of bytes in common with the word before


class Shape(Struct):
    """The common description of plain containers that differ only in their progress; see containers.py.

    Sets of keys are rows of `width` numbers in `keys`, with one bit for each declared key.
    """

    # index in `values`: of an object's declared keys, then its classes of other keys; or of an array's places
    first_value: int64
    num_keys: int64  # number of declared keys; for arrays of different words, number of words; 0 for other arrays
    num_ordered: int64  # number of leading keys that must come in exactly this order
    width: int64
    possible: int64  # keys that can be written
    required: int64
    waiting: int64  # required keys that come in one of the orders
    first_of_orders: int64  # index in `key_orders`; each order has `num_waiting` keys
    num_orders: int64
    num_waiting: int64
    first_word: int64  # index of its keys and excluded keys among all words
    num_words: int64
    base: int64  # code of undeclared keys; DEAD if there are none
    is_open_early: int64  # 1: undeclared keys may come before all required ones
    fragile: int64  # for undeclared keys: see `FrameRow`
    style: int64  # see `FrameRow`
    num_places: int64  # for arrays: number of items with a goal of their own, plus one for all others
    low: int64  # minimum number of items or members
    high: int64  # maximum number of items or members; -1 no bound


class Request(Struct):
    """A kernel's request to Python. `asking` lists the kinds and the fields that each uses; other fields are 0."""

    kind: int64  # 0: no request
    frame: int64
    returned: int64  # a class
    with_text: int64
    state: int64
    node: int64
    byte_classes: int64
