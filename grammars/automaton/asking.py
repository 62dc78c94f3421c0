"""Kernels: what kernels ask Python for. A kernel that asks waits: `requests` serves it, and it is called again.

So whoever asks has written down before how far it has got, and what it does until then may be done twice.
"""

from __future__ import annotations

from typing import Final

from ..memory.kernel import kernel
from ..memory.waiting import wait
from .structs import Machine, Request

FRAME: Final = 1  # the row of `frame`
RETURN: Final = 2  # what follows `frame` after class `returned`; if `with_text`, and after the text that has just ended
ROW: Final = 3  # the row of `state`, of a DFA
INTERIOR: Final = 4  # the interior of `state` at `node`; if it is there, its count rows
BYTE_CLASSES: Final = (
    5  # what tokens do under `node` whose bytes leave `state` as it is; of a product, as `byte_classes` say
)
POSITION: Final = 6  # the edges of `position`, of a network
PAUSE: Final = 7  # a look at the watch
ANSWER: Final = 8  # whether what comes after a document can go on from `state`, of a regular side


@kernel
def new_request(request: Request, kind: int) -> None:
    """Ask for a thing whose fields are filled in next; then `wait`."""
    request.kind = kind
    request.frame = 0
    request.returned = 0
    request.with_text = 0
    request.state = 0
    request.node = 0
    request.byte_classes = 0
    request.position = 0


@kernel
def ask_for_frame(machine: Machine, frame: int) -> None:
    """Wait for the row of a frame."""
    new_request(machine.request, FRAME)
    machine.request.frame = frame
    wait()


@kernel
def ask_what_follows(machine: Machine, frame: int, returned: int, with_text: int) -> None:
    """Wait for what follows a frame after a class; with_text: 1 if after the text that has just ended."""
    new_request(machine.request, RETURN)
    machine.request.frame = frame
    machine.request.returned = returned
    machine.request.with_text = with_text
    wait()


@kernel
def ask_for_row(request: Request, state: int) -> None:
    """Wait for the row of a state."""
    new_request(request, ROW)
    request.state = state
    wait()


@kernel
def ask_for_interior(machine: Machine, state: int, node: int) -> None:
    """Wait for an interior."""
    new_request(machine.request, INTERIOR)
    machine.request.state = state
    machine.request.node = node
    wait()


@kernel
def ask_for_count_rows(machine: Machine, state: int) -> None:
    """Wait for the count rows of a state's interior at the root. As the interior is there, the same request asks for
    them."""
    ask_for_interior(machine, state, 0)


@kernel
def ask_for_byte_classes(request: Request, state: int, node: int, byte_classes: int) -> None:
    """Wait for what is known of the tokens of some byte classes under a node."""
    new_request(request, BYTE_CLASSES)
    request.state = state
    request.node = node
    request.byte_classes = byte_classes
    wait()


@kernel
def ask_for_position(machine: Machine, position: int) -> None:
    """Wait for the edges of a position of the network."""
    new_request(machine.request, POSITION)
    machine.request.position = position
    wait()


@kernel
def ask_for_pause(machine: Machine) -> None:
    """Wait until Python has looked at the watch."""
    new_request(machine.request, PAUSE)
    wait()


@kernel
def ask_for_answer(request: Request, state: int) -> None:
    """Wait for whether a document may leave a state of the regular side."""
    new_request(request, ANSWER)
    request.state = state
    wait()
