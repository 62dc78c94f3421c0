"""`Machine`: the struct of one grammar on one vocabulary, for documents, rules with documents in them, and choices.

There is one stack. A document inside a rule lies on top of the frames of the rules that were open where it began.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..memory.hash_map import MASK32, HashMap, PairMap
from ..memory.layout import StructRow
from ..memory.structs import INT32, INT64, Array, Part, Struct, Table, int32, int64, uint8
from .quotes.structs import Quotes
from .rules.structs import Rules
from .structs import FrameRow, MaskRoom, Request, Shape, StyleRow, Tables, Word, WordSet

FollowingFrames = Annotated[Array[int64], StructRow(INT64, 2)]
WhitespaceRow = Annotated[Array[int32], StructRow(INT32, 8)]
"""The next states after a space, a tab, a newline and a return (DEAD: not allowed); then 1 if whitespace may end
here.
"""


class Machine(Struct):
    """The tables and the working state of one grammar's kernels."""

    rooms: ClassVar = {
        **dict.fromkeys(("nodes", "depths", "frames", "keys", "values"), 64),
        **dict.fromkeys(("sets", "key_orders"), 32),
        "shapes": 8,
        "styles": 2,
        "word_text": 1 << 10,
        "words": 128,
    }
    unused: ClassVar = frozenset({"nodes", "frames", "shapes", "styles"})
    tables: Tables
    request: Part[Request]
    room: Part[MaskRoom]
    nodes: Table[int64]  # nodes of the stack: parent << 32 | frame; node 0 is the bottom
    node_index: Part[PairMap]  # (node below, frame) -> stack node
    depths: Table[int32]  # stack node -> number of frames from there to the bottom

    # A token whose kernel waits: the number of bytes read, and the configuration there.
    position: int64
    code: int64
    stack: int64

    # DFA rows: how many more the kernels may make before Python counts them, and how many were made.
    rows_left: int64
    num_rows: int64  # rows of states between characters only

    # The search for a forced byte: the next byte to try, and the byte found so far.
    byte: int64
    found: int64

    # Documents.
    whitespace: Array[WhitespaceRow]  # rows for all documents; see `FrameRow.whitespace`
    frames: Table[FrameRow]
    returns: Part[PairMap]  # (frame, class) -> the frame that follows; 0 not allowed
    word_text: Table[uint8]
    words: Table[Word]  # each family of words ends with one extra entry, whose `start` is the end of the last word
    sets: Table[WordSet]
    keys: Table[int64]  # sets of keys or words, as bits
    shapes: Table[Shape]  # shape 0 means none
    values: Table[int32]  # for places of shapes: the frame that describes the value; 0 unknown, -1 no value can come
    key_orders: Table[int32]  # indexes of required keys, in the orders of shapes
    frame_of_keys: Part[HashMap]  # hash of (shape, keys) -> frame of a plain object
    frame_of_member: Part[PairMap]  # (object's frame after a value, frame of that value) -> the member's frame
    frame_of_items: Part[PairMap]  # (shape, number of items) -> frame of a plain array
    styles: Table[StyleRow]  # style 0 is JSON
    mark_text: Table[uint8]
    is_exact: int64  # 1 while a token is accepted: kernels ask Python about captured texts
    captured: int64  # taint of the last capture that was passed without its text
    frames_after: FollowingFrames  # frames after NUMBER_CAPTURE and OTHER_CAPTURE; 0 unknown, -1 not allowed
    asked_capture: int64  # the capture that Python is asked for: NUMBER_CAPTURE or OTHER_CAPTURE

    # Choices: all words one after the other, and the start of each; one more start for the end.
    choice_text: Array[uint8]
    choice_starts: Array[int32]

    # Quotes; unset if nothing is quoted.
    quotes: Quotes

    # Rules; unset if the grammar is a plain schema.
    rules: Rules
    lowest: int64  # lowest stack depth at which the mask in progress popped a frame

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.tables = tables

    def quote_of(self, style: int) -> bytes:
        """The mark around strings of a style. Only in Python."""
        row = self.styles[style]
        return self.mark_text.data[row.first : row.first + row.length].tobytes()

    def top(self, stack: int) -> tuple[int, int]:
        """Return the frame on top of a stack that is not empty, and the stack below it. Called from Python only."""
        node: int = self.nodes.data.item(stack)
        return node & MASK32, node >> 32
