"""Kernels' requests to Python. A kernel that asks ends there: `requests` serves it, then calls it again.

A kernel must therefore store its progress before it asks. Work between that point and the request may run twice.
"""

from __future__ import annotations

from typing import Final

from ..memory.kernel import kernel
from ..memory.waiting import wait
from .structs import Request

FRAME: Final = 1  # describe the row of `frame`
# the frame after `frame` and class `returned`; if `with_text`, also depending on the text that has just ended
RETURN: Final = 2
ROW: Final = 3  # the row of DFA state `state`
COUNT_ROWS: Final = 4  # the rows of `state` by number of characters
BYTE_CLASSES: Final = 5  # the tokens of `byte_classes` under `node`
TERMINALS: Final = 6  # first states of the terminals that a closure needs
PAUSE: Final = 7  # a look at the time limit
# the frame of a value of the shape `frame`, for class or place `returned`; its index in `values` is `node`
VALUE: Final = 8
ROOT: Final = 9  # the root frame of a network's document `state`, which GSS node `node` follows
UNCOUNTED: Final = 10  # first state of the terminal of counter number `state`, with a state for each count


@kernel
def ask(
    request: Request,
    kind: int,
    frame: int = 0,
    returned: int = 0,
    with_text: int = 0,
    state: int = 0,
    node: int = 0,
    byte_classes: int = 0,
) -> None:
    """Store a request of a kind and wait: this function never returns."""
    request.kind = kind
    request.frame = frame
    request.returned = returned
    request.with_text = with_text
    request.state = state
    request.node = node
    request.byte_classes = byte_classes
    wait()
