"""`Rules`: the tables of a grammar's rules, shared by kernels and Python."""

from __future__ import annotations

from typing import ClassVar

from ...memory.hash_map import HashMap, PairMap
from ...memory.structs import Part, Struct, Table, int32, int64
from ..structs import ByteBits, ByteRow, Interiors, Request, Tables


class LocalState(Struct):
    """A set of items that texts may be in between two bytes."""

    returns: int32  # 1: a frame must be popped
    is_complete: int32  # 1: the text may end here
    begins_documents: int32  # 1: a JSON document or other text may begin here
    root: int32  # root frame of the document if nothing else may begin here; else 0
    content: int32  # the content with its items
    row_kind: int32  # NO_ROW, SOME_ENTRIES or ALL_ENTRIES
    is_beside: int32  # 1: a JSON document or other text may begin, or a token that the grammar names by its id
    mask: int32  # 1 + number of its mask; -i: look up (i, top frame) in `Rules.masks`; 0: no mask was made
    is_counting: int32  # 1: it has counted items that have begun, so configurations have a count
    ticks: int32  # 1: entering this state completes one more unit
    crossing: int32  # first count at which another state replaces this one
    mask_state: int32  # 1 + the state with the same masks; 0 unknown


class Action(Struct):
    """The effect of an entry of a row."""

    frame: int32  # frame to push; 0 for none
    state: int32  # local state to go to


class Content(Struct):
    """An interned list of numbers. Content 0 has none.

    The numbers of a local state are items: state of a terminal << 32 | GSS node, ascending (layout.py). Other contents
    have their kind in `rest`: REST or FRAME.
    """

    first: int64  # index in `Rules.numbers`
    count: int64
    rest: int64  # for a local state: content of kind REST with everything beside its items; 0 for none
    entry: int64  # the row entry that leads to it, or UNBUILT; for a REST: its flags HAS_... and IS_DEEP


class GssNode(Struct):
    """A set of GSS edges: each is position << 32 | GSS node after the position's rule, ascending."""

    first: int32  # index in `Rules.gss_edges`
    count: int32
    is_deep: int32  # 1: a frame with the nodes behind its recursive calls must be pushed
    is_flat: int32  # 1: each edge is END or a label (see labels.py)
    left: int32  # content of all that can follow this node, as `left_of` returns it; -1: not computed yet
    seen: int32  # epoch of the closure that last followed this node
    known_in: int32  # epoch of the last relabelling or substitution of this node (labels.py)
    known: int32  # the resulting node; valid while `known_in` is the current epoch
    label_in: int32  # `label` is valid while this is the current epoch
    label: int32


class NetworkPosition(Struct):
    """A position of the network. The position's edges end where the next position's edges begin. An extra entry marks
    the end of all edges.
    """

    flags: int32  # IS_FINAL, IS_LAST, IS_CUT
    first_edge: int32
    seen: int32  # epoch of the closure that last reached this position
    then: int32  # GSS node that follows this position's rule; valid while `seen` is the current epoch


class Symbol(Struct):
    """A terminal, rule, document or set of tokens that may be read at a position."""

    kind: int32  # TERMINAL, CALL, DOCUMENT, TOKENS
    number: int32  # terminal: its first state, -1 not built; CALL: the rule; else its own number among the symbols


class Rule(Struct):
    """A rule of the network."""

    position: int32  # the rule's first position
    seen: int32  # epoch of the closure that last called the rule
    then: int32


class Closure(Struct):
    """The closure that is being computed."""

    rooms: ClassVar = {"items": 256, "rests": 256, "reached": 256, "missing": 64, "waiting": 256}
    items: Table[int64]  # items in any order
    rests: Table[int64]  # documents, token sets, labels and COMPLETE, unsorted, as a REST has them (layout.py)
    reached: Table[int32]  # positions reached
    missing: Table[int32]  # symbols of terminals that have no state yet
    first_rule: int64  # called rules lie between `first_rule` and `last_rule`
    last_rule: int64
    waiting: Table[int32]  # GSS nodes whose edges are still to be followed


class PathEntry(Struct):
    """A GSS node that is being changed, and waits for one of its edges."""

    gss_node: int32
    next_gss_edge: int32
    first: int32  # index in `Relabelling.gss_edges` of its changed edges


class Relabelling(Struct):
    """GSS nodes that are being changed for one frame; see labels.py."""

    rooms: ClassVar = {"path": 256, "gss_edges": 256, "labels": 256}
    path: Table[PathEntry]  # from the node to change down to the node that the search has reached
    gss_edges: Table[int64]  # changed edges of the nodes on the path
    labels: Table[int64]  # label -> GSS node


class RepeatCounter(Struct):
    """A terminal with counted units; see `counters`."""

    low: int32
    high: int32  # -1: no bound
    boundary: int32  # DFA state between two units; -1: units are characters
    plain: int32  # first state of the same terminal with separate states for each count; -1 not built


class UnionPair(Struct):
    """Two GSS nodes that are to be united."""

    first: int32
    second: int32


class Moving(Struct):
    """Scratch memory for a step of a local state's items. All tables have room for the items of any content."""

    rooms: ClassVar = {"moved": 64, "kept": 64, "merged": 64}
    moved: Table[int64]  # items after the byte
    kept: Table[int64]  # items of `moved` that may go on in their terminals
    merged: Table[int64]  # `kept`, merged with the closures behind items that have ended


class Rules(Struct):
    """The rules of one grammar: a part of its `Machine`."""

    rooms: ClassVar = {
        "actions": 64,
        "contents": 1024,
        "numbers": 2048,
        "gss_nodes": 512,
        "gss_edges": 512,
        "missing_unions": 256,
    }
    tables: Tables  # the machine's tables; `request` is also the machine's
    request: Request

    # Local states. The first four tables have one entry for each.
    states: Table[LocalState]
    rows: Table[ByteRow]  # see layout.py
    row_edges: Table[ByteBits]  # a bit for each byte: 1 if its entry in the row may differ from the entry before
    loops: Table[int64]  # bits of the byte classes that lead a state back to itself; 0: none, or not known
    actions: Table[Action]
    returns: Part[PairMap]  # (state, frame) -> entry of the state when that frame is popped
    interiors: Part[Interiors]  # rows hold the tokens that stay in local states, end-of-sequence tokens included
    counters: Table[RepeatCounter]
    crossings: Part[PairMap]  # (counting state, count at or past its `crossing`) -> entry taken instead of the state

    # The parts of local states.
    contents: Table[Content]
    content_index: Part[HashMap]
    numbers: Table[int64]  # numbers of all contents
    gss_nodes: Table[GssNode]
    gss_index: Part[HashMap]
    gss_edges: Table[int64]  # edges of all GSS nodes, and behind them edges of a node that is being made
    unions: Part[PairMap]  # (smaller GSS node, larger one) -> union
    empty_text: int64  # state of a terminal that can only end

    # The network.
    positions: Table[NetworkPosition]
    edges: Table[int64]  # symbol << 32 | position after it
    symbols: Table[Symbol]
    rules: Table[Rule]  # callers come before the rules that they begin with

    # Working memory of kernels.
    epoch: int64  # number of closures and relabellings so far
    work_left: int64  # steps of an item by a byte left before Python must check the time limit
    closure: Part[Closure]
    relabelling: Part[Relabelling]
    missing_unions: Table[UnionPair]  # unions that must be made before the wanted one
    moving: Part[Moving]

    # Documents and masks.
    roots: Part[PairMap]  # (number of a document, 1 + GSS node after it) -> root frame
    masks: Part[PairMap]  # (i, frame below) -> value as in `LocalState.mask`
    num_mask_nodes: int64  # number of such i

    def __init__(self, tables: Tables, request: Request) -> None:
        super().__init__()
        self.tables, self.request = tables, request
