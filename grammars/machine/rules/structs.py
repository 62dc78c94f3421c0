"""What the kernels and Python share of a grammar's rules: `Rules`."""

from __future__ import annotations

from typing import ClassVar

from ...memory.hash_map import HashMap, PairMap
from ...memory.structs import Part, Struct, Table, int32, int64
from ..structs import ByteBits, ByteRow, Interior, InteriorExit, Request, Tables


class LocalState(Struct):
    """A set of items, which texts may be in between two bytes."""

    returns: int32  # 1: a frame must be popped
    is_complete: int32  # 1: the text may end here
    interior: int32  # -1 unbuilt
    begins_documents: int32  # 1: JSON documents may begin here beside something else
    root: int32  # nothing but a JSON document may begin here: its root frame; else 0
    content: int32  # what it is
    row_kind: int32  # NO_ROW, SOME_ENTRIES or ALL_ENTRIES
    is_beside: int32  # 1: JSON documents may begin beside something else, or tokens count by their ids
    mask: int32  # 1 + number of its mask; -i: that depends on the top frame, see `Rules.masks`; 0 unknown
    is_counting: int32  # 1: it has counted items that have begun, so configurations have a count
    ticks: int32  # 1: who comes here has read one unit more
    crossing: int32  # the count from which another state takes its place


class Action(Struct):
    """What an entry of a row may do."""

    frame: int32  # that is pushed, 0 for none
    state: int32  # local state to go to


class Content(Struct):
    """Numbers that were interned. Content 0 has none.

    Those of a local state are items: state of a terminal << 32 | GSS node, ascending (layout.py). Those of other
    things are told apart by `rest`: REST or FRAME.
    """

    first: int64  # of `Rules.numbers`
    count: int64
    rest: int64  # what a local state holds beside items: a content of kind REST, 0 for nothing
    entry: int64  # as in a row; UNBUILT; of a REST bits HAS_... and IS_DEEP


class GssNode(Struct):
    """A set of GSS edges: each position << 32 | GSS node after the position's rule, ascending."""

    first: int32  # of `Rules.gss_edges`
    count: int32
    is_deep: int32  # 1: what is behind a recursive call must be pushed
    is_flat: int32  # 1: it has only END and labels
    left: int32  # content of what goes on after it, -1 unbuilt
    seen: int32  # the epoch in which a closure went on with it
    known_in: int32  # the epoch in which labels took the place of what it has behind recursive calls, or were replaced
    known: int32  # what it became
    label_in: int32  # the epoch in which it got a label
    label: int32


class NetworkPosition(Struct):
    """A position of the network. Its edges end where those of the next one begin; there is one more for the end."""

    flags: int32  # IS_FINAL, IS_LAST, IS_CUT
    first_edge: int32
    seen: int32  # the epoch in which a closure met it
    then: int32  # with which GSS node


class Symbol(Struct):
    """What may be read at a position."""

    kind: int32  # TERMINAL, CALL, DOCUMENT, TOKENS
    number: int32  # the first state of a terminal, -1 unbuilt; the rule that is called; its own among the symbols


class Rule(Struct):
    """A rule of the network."""

    position: int32  # its first one
    seen: int32  # as of a position
    then: int32


class Closure(Struct):
    """The closure that is being put together."""

    rooms: ClassVar = {"items": 256, "rests": 256, "reached": 256, "missing": 64, "waiting": 256}
    items: Table[int64]  # as in a content, in any order
    rests: Table[int64]  # likewise the numbers of a REST
    reached: Table[int32]  # positions
    missing: Table[int32]  # symbols of terminals that have no state yet
    first_rule: int64  # the rules that are called lie between these
    last_rule: int64
    waiting: Table[int32]  # GSS nodes of which each edge is to be gone on with


class PathEntry(Struct):
    """A GSS node that is being changed, which waits for one of its edges to be."""

    gss_node: int32
    next_gss_edge: int32
    first: int32  # in `Relabelling.gss_edges`, of what its edges became


class Relabelling(Struct):
    """GSS nodes that are being changed for one frame: what they have behind recursive calls, or their labels."""

    rooms: ClassVar = {"path": 256, "gss_edges": 256, "labels": 256}
    path: Table[PathEntry]  # from the one that is wanted down to the one at which the search is
    gss_edges: Table[int64]  # what became of the edges of those on the path
    labels: Table[int64]  # GSS nodes by their labels


class RepeatCounter(Struct):
    """A terminal of which units are counted; see `counters`."""

    low: int32
    high: int32  # -1: no bound
    boundary: int32  # the state between two units; -1: units are characters
    plain: int32  # the first state of the same terminal with states for each number, -1 unbuilt


class UnionPair(Struct):
    """Two GSS nodes whose union is to be made."""

    first: int32
    second: int32


class Moving(Struct):
    """What a byte makes of the items of a local state. All tables have room for those of any content."""

    rooms: ClassVar = {"moved": 64, "kept": 64, "merged": 64}
    moved: Table[int64]  # items
    kept: Table[int64]  # those of them that may go on in their terminals
    merged: Table[int64]  # with what comes after those that may end


class Rules(Struct):
    """Of one grammar: a part of its `Machine`."""

    rooms: ClassVar = {
        "actions": 64,
        "interiors": 64,
        "exits": 512,
        "contents": 1024,
        "numbers": 2048,
        "gss_nodes": 512,
        "gss_edges": 512,
        "missing_unions": 256,
    }
    tables: Tables  # the machine's, as the next one
    request: Request

    # Local states. What there is of each is in the first four tables.
    states: Table[LocalState]
    rows: Table[ByteRow]  # see layout.py
    row_edges: Table[ByteBits]  # a bit for each byte that may have another entry in a row than the byte before
    loops: Table[int64]  # the byte classes that leave a state between characters as it is
    actions: Table[Action]
    returns: Part[PairMap]  # of a state and a frame: what it is when that is popped, as in a row
    interiors: Table[Interior]  # their rows hold the tokens that stay in local states, end tokens included
    near: Part[PairMap]  # of a state and a count: the interior where tokens get to a bound of the count
    exits: Table[InteriorExit]  # of all interiors: a byte pushes or pops; `language` is the local state before it,
    # `characters` the count there, from FAR on where that of the configuration is to be added
    counters: Table[RepeatCounter]
    crossings: Part[PairMap]  # of a state and a count: what takes its place, as in a row

    # What local states are made of.
    contents: Table[Content]
    content_index: Part[HashMap]
    numbers: Table[int64]  # of all contents
    gss_nodes: Table[GssNode]
    gss_index: Part[HashMap]
    gss_edges: Table[int64]  # of all GSS nodes; behind them those that are being put together
    unions: Part[PairMap]  # of two GSS nodes, the smaller one first
    empty_text: int64  # state of a terminal that can only end

    # The network.
    positions: Table[NetworkPosition]
    edges: Table[int64]  # symbol << 32 | position after it
    symbols: Table[Symbol]
    rules: Table[Rule]  # callers before the rules that they begin with

    # What kernels work with.
    epoch: int64  # counts closures and changes of labels
    work_left: int64  # what may be done before Python looks at the time: steps of an item by a byte
    closure: Part[Closure]
    relabelling: Part[Relabelling]
    missing_unions: Table[UnionPair]  # that must be made before the one that is wanted
    moving: Part[Moving]

    # Documents and masks.
    roots: Part[PairMap]  # of the number of a document and 1 + the GSS node that comes after it: its root frame
    masks: Part[PairMap]  # of i and the frame below: as `LocalState.mask`
    num_mask_nodes: int64  # so many i there are

    def __init__(self, tables: Tables, request: Request) -> None:
        super().__init__()
        self.tables, self.request = tables, request
