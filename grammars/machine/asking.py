"""Kernels: what kernels ask Python for. A kernel that asks waits: `requests` serves it, and it is called again.

So whoever asks has written down before how far it has got, and what it does until then may be done twice.
"""

from __future__ import annotations

from typing import Final

from ..memory.kernel import kernel
from ..memory.waiting import wait
from .structs import Request

FRAME: Final = 1  # the row of `frame`
RETURN: Final = 2  # what follows `frame` after class `returned`; if `with_text`, and after the text that has just ended
ROW: Final = 3  # the row of `state`, of a DFA
COUNT_ROWS: Final = 4  # the rows of `state` by numbers of characters
BYTE_CLASSES: Final = 5  # what tokens of `byte_classes` do under `node`; of a product, from `state`
TERMINALS: Final = 6  # the first states of terminals that a closure needs
PAUSE: Final = 7  # a look at the watch
ANSWER: Final = 8  # whether what comes after a document can go on from `state`, of a regular side
VALUE: Final = 9  # the frame of a value of the shape `frame`, of class or place `returned`, at `node` of `values`
ROOT: Final = 10  # the root frame of document `state` of a network, after which GSS node `node` comes
UNCOUNTED: Final = 11  # the first state, with states for each count, of the terminal of counter number `state`


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
    """Ask for a thing of a kind, and wait: this never returns."""
    request.kind = kind
    request.frame = frame
    request.returned = returned
    request.with_text = with_text
    request.state = state
    request.node = node
    request.byte_classes = byte_classes
    wait()
