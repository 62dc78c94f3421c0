"""`Machine`: the struct of one grammar on one vocabulary, of documents, of rules with documents in them, of words.

There is one stack. A document in a rule lies on the frames of rules that were open where it began.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

from ..memory.hash_map import MASK32, HashMap, PairMap
from ..memory.layout import Row
from ..memory.structs import INT32, INT64, Array, Part, Struct, Table, int32, int64, uint8
from .quotes.structs import Quotes
from .rules.structs import Rules
from .structs import FrameRow, KeySequence, MaskRoom, Request, Shape, StyleRow, Tables, Word, WordSet

FollowingFrames = Annotated[Array[int64], Row(INT64, 2)]
WhitespaceRow = Annotated[Array[int32], Row(INT32, 8)]
"""The next state after a space, a tab, a newline, a return (DEAD where it can't come); then 1 if it may end here."""


class Machine(Struct):
    """Of one grammar."""

    rooms: ClassVar = {
        **dict.fromkeys(("nodes", "depths", "frames", "keys", "values"), 64),
        **dict.fromkeys(("sets", "sequence_keys"), 32),
        **dict.fromkeys(("shapes", "sequences"), 8),
        "styles": 2,
        "word_text": 1 << 10,
        "words": 128,
    }
    unused: ClassVar = frozenset({"nodes", "frames", "shapes", "styles"})
    tables: Tables
    request: Part[Request]
    room: Part[MaskRoom]
    nodes: Table[int64]  # of the stack: parent << 32 | frame; node 0 is the bottom
    node_index: Part[PairMap]  # of what is below and a frame: their node
    depths: Table[int32]  # frames on the stack at each of its nodes

    # A token that waits: bytes read, and the configuration there.
    position: int64
    code: int64
    stack: int64

    # Rows of DFA states: how many kernels may still make until Python counts them; how many were made.
    rows_left: int64
    num_rows: int64  # of states between characters

    # The search for a forced byte: where it goes on, and what it found.
    byte: int64
    found: int64

    # Documents.
    whitespace: Array[WhitespaceRow]  # of all documents; see `FrameRow.whitespace`
    frames: Table[FrameRow]
    returns: Part[PairMap]  # of a frame and a class: the frame that follows, 0 not allowed
    word_text: Table[uint8]
    words: Table[Word]  # after the words of each family one more, for where the last one ends
    sets: Table[WordSet]
    keys: Table[int64]  # sets of keys or words, as bits
    shapes: Table[Shape]  # shape 0 is none
    values: Table[int32]  # of shapes: the frame that says what a value may be; 0 unknown, -1 none can come
    sequences: Table[KeySequence]
    sequence_keys: Table[int32]
    frame_of_keys: Part[HashMap]  # of hashes of a shape and its keys: the frames of plain objects
    frame_of_member: Part[PairMap]  # of an object's frame after a value and the frame of that: the member's frame
    frame_of_items: Part[PairMap]  # of a shape and a number of items: the frame of a plain array
    styles: Table[StyleRow]  # style 0 is JSON
    mark_text: Table[uint8]
    is_exact: int64  # 1 while a token is accepted: captures are asked for
    captured: int64  # the taint of the last capture that was passed without its text
    frames_after: FollowingFrames  # frames after NUMBER_CAPTURE and OTHER_CAPTURE; 0 unknown, -1 none
    asked_capture: int64  # the one of them that is asked for

    # Choices: the words one after the other, and where each begins; one more for the end.
    choice_text: Array[uint8]
    choice_starts: Array[int32]

    # Quotes; not there where nothing is quoted.
    quotes: Quotes

    # Rules; not there where the grammar is a plain schema.
    rules: Rules
    lowest: int64  # fewest frames on the stack before a pop of the mask that is being made

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.tables = tables

    def top(self, stack: int) -> tuple[int, int]:
        """The frame on top of a stack that is not empty, and the stack without it. Only in Python."""
        node: int = self.nodes.data.item(stack)
        return node & MASK32, node >> 32
