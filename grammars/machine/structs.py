"""What the kernels and Python share: of a vocabulary (`Tables`), and what machines of grammars on it are made of.

Addresses of rows of masks are kept as numbers, since masks outlive all machines' calls; everything else is typed.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..memory.hash_map import HashMap, PairMap
from ..memory.layout import Row
from ..memory.structs import INT32, INT64, Array, Part, Struct, Table, int32, int64, uint8
from .sources.structs import SortedText, SuffixBuckets

ByteRow = Annotated[Array[int32], Row(INT32, 256)]
"""A number for each byte."""
NodeRow = Annotated[Array[int32], Row(INT32, 64)]
"""A number for each value of the last six bits of a byte."""
ByteBits = Annotated[Array[int64], Row(INT64, 4)]
"""A bit for each byte."""
AsciiBits = Annotated[Array[int64], Row(INT64, 2)]
"""A bit for each ASCII character."""
LiteralClasses = Annotated[Array[int64], Row(INT64, 3)]

_MIN_BYTES, _MAX_BYTES = 1 << 14, 1 << 18  # of a chunk


class Trie(Struct):
    """`VocabularyTrie`, whose docstring has the shapes; and what is found from it once."""

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
    root_child: Array[int32]  # child of the root by byte, 0 where there is none
    may_end_number: Array[uint8]  # 1 where a child's byte is one of `,]}` or whitespace
    byte_classes: Array[int64]  # of each ASCII byte, see trie.KINDS
    end_ids: Array[int32]  # end tokens
    num_words: int64  # of a row of a bitmask


class DfaState(Struct):
    """A state of a DFA."""

    accepts: int32  # of numbers and terminals, the language that may end here, -1
    is_between: int32  # 1 between the characters of a string
    shortest: int32  # characters of the shortest text (exact where a COUNTED code has the state)
    interior: int32  # at the vocabulary's root, -1 unbuilt


class Position(Struct):
    """A position of a regular expression: it reads a character of a set, jumps, or ends."""

    reads: int32  # number of a set of characters, or JUMP, END or PRODUCT
    following: int32
    other: (
        int32  # where a JUMP may lead too, -1; of a PRODUCT, the first of its states; where one reads characters that
    )
    # any text may follow, the end of that text, else -1
    shortest: int32  # characters before the nearest end, at least; exact where no PRODUCT comes
    longest: int32  # characters before the furthest end, at most; more than MAX_COUNT where there is no bound


class CharacterSet(Struct):
    """A set of characters: a bit for each ASCII character."""

    ascii: AsciiBits
    others: int64  # the node before those from U+0080 on; 0 for none
    usual: int64  # which of the characters of the byte class WIDE it holds: NO_USUAL, SOME_USUAL or ALL_USUAL
    byte_classes: int64  # those that it holds, and a bit that this is known
    mark: int64  # `reader_mark` when a member that reads it is listed


class Run(Struct):
    """Characters that can be read whatever they are, if they are of some byte classes; see `runs`."""

    classes: int64
    few_classes: int64  # some of them, of which more characters can be read
    length: int32  # so many characters; of a position 0 where that is not known
    length_of_few: int32
    most_left: int32  # characters that are missing to an end anywhere on it, at the most
    longest: int32  # of a state: no more characters can come before an end
    following: int32  # of a position: the one that goes on, -1 none
    is_known: int32  # of a position: 1 if classes and the one that goes on are
    after: int32  # of a position in a product: the state after it - DEAD + 1; 0 where that is not known


class Item(Struct):
    """What a set holds beside positions: a place in a product, or inside a character."""

    product_state: int32  # -1: in no product
    node: int32  # that is next inside a character, 0 between characters
    following: int32  # the position after it


class Product(Struct):
    """A combination of languages; see `products`."""

    first_operation: int32
    num_operations: int32
    first_start: int32  # where its leaves begin
    num_leaves: int32
    first_class: int32  # of characters from U+0080 on
    num_classes: int32
    node: int32  # before these
    usual_class: int32  # that has all characters of the byte class WIDE, -1 where several have
    required: int32  # a bit for each leaf that every text is in
    positive: int32  # a bit for each leaf that is under no complement, or under an even number of them


class ProductState(Struct):
    """States of all leaves of a product."""

    live_classes: int64  # a bit for each class that leads to a text; known when it `is_settled`
    after_others: int32  # the product state after all classes, DEAD; UNBUILT where they lead to several
    is_settled: int32
    product: int32
    first: int32  # of its leaves' states
    accepts: int32  # 1 if a text may end here
    life: int32  # LIVE, LIFELESS or UNDECIDED: whether it leads to one that accepts
    first_arc: int32  # -1: those after it are not found yet
    num_arcs: int32
    last_arc_to: int32  # -1 none
    mark: int32  # `product_mark` when it has an arc from the state looked at
    visited: int32  # `product_mark` of the last search that met it
    run_following: int32  # of a thread: the thread that goes on with its run
    run_classes: int64  # of this run; -1: not looked for yet


class ProductArc(Struct):
    """A product state leads to another one."""

    source: int32
    target: int32
    before: int32  # the arc to the same target before, -1


class SourcePlace(Struct):
    """A place in a source text: an interval of its suffixes that have `depth` bytes in common."""

    text: int32
    first: int32
    count: int32
    depth: int32
    state: int32


class ItemSet(Struct):
    """The positions and items of a state that is a set of them. count 0: it is none. Of a state that is a place in a
    source text, `first` is the number of the place."""

    first: int32
    count: int32
    spelling: int32


class Dfa(Struct):
    """The lazy DFAs of strings, numbers and terminals; see `LazyDfas`."""

    rows: Table[ByteRow]  # for each byte the next state, DEAD, UNBUILT or an end
    states: Table[DfaState]
    loops: Table[int64]  # the byte classes that leave a state between characters as it is
    runs: Table[Run]  # of states whose rows are made
    edges: Table[ByteBits]  # a bit for each byte that a row has another number for than for the byte before
    inside: Table[int32]  # first of the states within characters from U+0080 on that lead to a state, 0 none
    positions: Table[Position]
    position_runs: Table[Run]
    char_sets: Table[CharacterSet]
    nodes: Table[NodeRow]  # in characters from U+0080 on: the next node, 0 for none, or CHARACTER_END - their class
    node_classes: Table[int64]  # a bit for each class of the characters behind a node
    class_characters: Table[int64]  # the bytes of a character of each class, from the lowest bits on
    items: Table[Item]
    item_index: Part[HashMap]
    item_marks: Table[int32]  # as `marks`, of items
    products: Table[Product]
    operations: Table[int32]  # of products: a leaf, INTERSECTION or COMPLEMENT
    product_states: Table[ProductState]
    product_members: Table[int32]  # the leaves' states of all product states
    product_arcs: Table[ProductArc]
    product_index: Part[HashMap]  # of product states
    product_mark: int64
    product_queue: Table[int32]  # of a search
    product_run: Part[Run]  # that is being found
    product_successors: Table[int32]  # those that are being looked at
    leaf_states: Table[int32]  # of the product state that is being made
    threads: Table[int32]  # those that were listed last; see `threads`
    leaf_threads: Table[int32]  # of the leaves of the product state that is being taken apart
    leaf_thread_starts: Table[int32]  # where those of each leaf begin
    members: Table[int32]  # the positions of all states that are sets; items are numbered from FIRST_SET_ITEM on
    set_of: Table[ItemSet]
    set_index: Part[HashMap]  # of the states that are sets
    source_texts: Table[SortedText]
    source_places: Table[SourcePlace]  # of the states that are such; the `first` of their `set_of` is the number
    source_index: Part[HashMap]  # of those where few suffixes are left, by where in the text these have come
    buckets: Part[SuffixBuckets]
    marks: Table[int32]  # for each position `mark` when it is in the set that is being made
    mark: int64
    found: Table[int32]  # the set that is being made
    readers: Table[int32]  # of the set whose row is being made, a member for each set of characters
    reader_mark: int64
    pending: Table[int32]  # positions whose jumps are not followed yet
    row: ByteRow  # that is being made
    byte_classes: Array[int64]
    escaped_classes: int64  # byte classes with characters that need an escape in strings
    short_escapes: Array[uint8]  # of each character up to the backslash: the letter of its short escape, 0 for none
    class_maps: Table[int32]


class InteriorExit(Struct):
    """Where tokens leave a lexeme."""

    node: int32
    language: int32  # that ends
    characters: int32  # begun


class Interior(Struct):
    """What a subtree of the vocabulary does in a state of a DFA."""

    row: int64  # address of the row of tokens that stay inside (only at the vocabulary's root)
    first_token: int64  # elsewhere: its tokens, ascending by characters
    num_tokens: int64
    first_exit: int64
    num_exits: int64
    count_rows: Array[int64]  # (max_count + 1,) addresses of rows: tokens that stay inside and need at most that many
    max_count: int64  # no token needs more


class WalkEntry(Struct):
    """An entry of the queue of an interior's walk."""

    node: int32
    state: int32
    characters: int32


class InteriorWalk(Struct):
    """The walk that finds an interior."""

    queue: Table[WalkEntry]  # this and the next two have room for all that there can be
    head: int64
    cursor: int64  # children of the entry that are done, where a walk can wait in between
    tokens: Table[int64]  # found: characters that they begin, with those of the shortest text then << 32 | token
    exits: Table[InteriorExit]
    most_characters: int64  # that a token needs
    limit: int64  # of counts: what is found holds for those below
    of: int64  # what it begins at: node << 32 | state of a DFA, or a LOCAL code; -1 where nothing is left to be done


class MaskEntry(Struct):
    """An entry of the queue of a mask: a node of the trie, and the configuration to which its bytes lead."""

    node: int32
    taint: int32  # see masks.py
    code: int64
    stack: int64


class ChangedWord(Struct):
    """A mask word that differs from the base row. A mask word is one of the int32 numbers of a row; bits are tokens."""

    word: int32  # its place in the row
    value: int32


class MaskWork(Struct):
    """The mask that is being made: a base row, and mask words of `scratch` that may differ. See mask_work.py."""

    code: int64  # with `stack`: the configuration whose mask it is
    stack: int64
    queue: Table[MaskEntry]
    head: int64  # the entry that is being done
    cursor: int64  # how many parts of that entry are done
    delayed: Table[MaskEntry]  # done when the queue is empty
    base_row: int64  # address of the row from which the mask starts
    zero_row: int64  # address of a row without tokens
    scratch: Array[int32]  # the mask words that were touched; the others are those of the base row
    epochs: Array[int32]  # for each mask word the epoch in which it was last touched
    epoch: int64  # of this mask
    touched: Array[int32]  # the places of the mask words that were touched
    num_touched: int64
    must_try: Array[int32]  # tokens that must be tried out, as places in the trie's `sorted_ids`
    num_must_try: int64
    num_open: int64  # these tokens and forks, of the mask that was made last
    forks: Table[MaskEntry]  # where inside of tokens JSON documents may begin beside other things


class MaskRoom(Struct):
    """What masks are kept in: changed words, and rows. Each of the two tables is the chunk that is being filled.

    Chunks never move, as masks know their addresses.
    """

    rooms: ClassVar = {"words": 1 << 11}
    words: Table[ChangedWord]
    rows: Table[int32]

    def __init__(self) -> None:
        super().__init__()
        self._chunks: list[NDArray[Any]] = []

    def grow(self) -> None:
        """Let the kernels write to a new chunk, which has room for what they have to write."""
        table: Table[Any] = self.words if self.words.wanted > self.words.capacity else self.rows
        self.note_bytes(table.data.nbytes)
        size = min(_MAX_BYTES, _MIN_BYTES << 2 * len(self._chunks)) // table.dtype.itemsize
        self._chunks.append(np.empty(max(size, table.wanted - table.used), table.dtype))
        table.replace(self._chunks[-1])
        table.used = 0


class ByteClassRow(Struct):
    """What the tokens under a node do that go on from there with some byte classes; see byte_class_rows.py."""

    byte_classes: int64
    node: int64
    row: Array[int32]  # of a bitmask: the tokens of nothing but these byte classes
    nodes: Array[int32]  # where the first other byte comes, in the order of these bytes
    starts: Array[int32]  # (257,): those with byte b are nodes[starts[b] .. starts[b + 1] - 1]
    firsts: Array[int32]  # the first byte on the way to each of them


class Counter(Struct):
    """Bounds of a COUNTED code's characters."""

    low: int64
    high: int64  # -1: no bound
    lexeme_class: int64


class Tables(Struct):
    """All of one vocabulary."""

    trie: Trie
    dfa: Dfa
    walk: InteriorWalk
    mask: MaskWork
    interiors: Table[Interior]
    interior_of: Part[PairMap]  # of a state and a node that is not the root
    tokens: Table[int64]  # of all interiors, as in the walk
    room: Part[MaskRoom]  # of interiors
    exits: Table[InteriorExit]
    counters: Table[Counter]
    byte_class_rows: Table[ByteClassRow]
    byte_class_index: Part[HashMap]  # of their byte classes and nodes
    is_structural: Array[uint8]  # (256,): 1 where a byte can occur in a structural state
    literals: Array[uint8]  # true, false, null at 0, 8, 16


class FrameRow(Struct):
    """What the machine knows of a frame. Codes are of first states, DEAD where there is none; classes are -1 then."""

    kind: int64
    is_described: int64  # the rest is filled in
    string: int64  # code
    number: int64  # code
    literals: LiteralClasses  # classes of true, false and null
    object: int64  # frame, 0 where there is none
    array: int64
    key: int64  # code
    close: int64  # class
    captures: int64  # 0, EXCLUDES or DECIDES: what the text of a value that ends in this frame is kept for
    continues: int64  # another item or member can come
    fragile: int64  # bits: MAY_LEAVE_NOTHING, MAY_LEAVE_NO_STRING
    shape: int64  # of a plain container, in `shapes`; 0 of others
    place: int64  # of a plain object: where the keys that it has begin in `keys`, of an array of different words these;
    # of another plain array: how many items it has
    after: int64  # of a value in a plain object: the object's frame after it, 0 of others
    value: int64  # then also the frame that says what the value may be
    then: int64  # of a ROOT_FRAME: 1 + the GSS node that comes after the document, 0 where nothing does
    whitespace: int64  # of a ROOT_FRAME: where the rows of the document's whitespace table begin
    style: int64  # of `Machine.styles`, 0 of frames that are written as JSON. In the frame of a value `string` and
    # `number` are its texts and those after a line break, with their marks; where it `continues` a line break may come


class StyleRow(Struct):
    """How the members of an object are written that is not JSON."""

    first: int64  # of `mark_text`: where the mark before a member's name begins
    length: int64  # of its part before the name
    max_spaces: int64  # before it


class WordSet(Struct):
    """Words of which some are allowed, the others excluded."""

    first: int64  # of all words; they are first .. first + size - 1
    size: int64
    base: int64  # code of the base lexeme's first state, DEAD where there is none
    allowed: int64  # where the bits of those that are allowed begin in `keys`


class Word(Struct):
    """A word, closing quote included."""

    start: int32  # where its bytes begin; they end where those of the next word begin
    lexeme_class: int32
    bit: int32  # which bit says that it is allowed, -1 where it never is
    common: int32  # bytes in common with the word before


class Shape(Struct):
    """Plain containers that differ only in how far they are written; see containers.py.

    Sets of keys are rows of `width` numbers in `keys`: a bit for each declared key, then one for each sequence that was
    left.
    """

    first_value: int64  # of `values`: of an object's declared keys, then of its classes of others; of an array's places
    num_keys: int64  # declared ones; of an array, the words that its items are, all different, 0 where they are no such
    num_ordered: int64  # the first of them, which come in exactly this order
    width: int64
    possible: int64  # keys that can be written
    required: int64
    in_sequences: int64
    bound: int64  # the keys of sequences that bind
    first_sequence: int64  # of `sequences`
    num_sequences: int64
    first_word: int64  # its keys and those that are excluded, among all words
    num_words: int64
    base: int64  # code of keys that are not declared, DEAD where there are none
    is_open_early: int64  # 1: these may come before all required ones
    fragile: int64  # as in `FrameRow`, where these may come
    num_places: int64  # of an array: items with something of their own to satisfy, and one for all others
    low: int64  # items
    high: int64  # -1: no bound


class KeySequence(Struct):
    """An order in which required keys may come: keys are `sequence_keys` from `first` on, `count` of them."""

    first: int64
    count: int64
    group: int64  # the same for the orders of one schema, one of which must be kept; -1 where it does not bind


class Request(Struct):
    """What a kernel waits for: one of the kinds in `asking`, which say what fields they have. The others are 0."""

    kind: int64  # 0: nothing
    frame: int64
    returned: int64  # class
    with_text: int64
    state: int64
    node: int64
    byte_classes: int64
