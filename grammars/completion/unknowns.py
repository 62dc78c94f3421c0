"""The unknowns of `FrameRopes`: shortest texts of values and of containers' rests, one for each class."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from ..machine.frames import Frame, OpenArray, OpenObject, StyledContainer, StyledFrame, StyledSpec, ValueSpec
from .ropes import Rope

FIRST, REST, MUST = 0, 1, 2
"""Places in a container: after its bracket; after a member or item; after a comma."""

Outcomes: TypeAlias = dict[int, Rope]
"""The shortest text for each class that is returned."""

Container: TypeAlias = tuple[Frame, int]
"""A container's frame; FIRST, REST or MUST."""

Unknown: TypeAlias = ValueSpec | StyledSpec | Container
Evaluation: TypeAlias = Generator[Unknown, Outcomes, Outcomes]

Step: TypeAlias = tuple[Rope, Frame]
"""One more member or item with the bytes before it, and the container after it."""
Steps: TypeAlias = Generator[Unknown, Outcomes, list[Step]]


def closing(frame: Frame) -> bytes:
    """Return the bytes that close a container."""
    return b"" if isinstance(frame, StyledFrame) else b"]" if frame.kind == "array" else b"}"


def as_json(frame: Frame) -> OpenObject | OpenArray:
    """Return the JSON container that decides the next members or items; styles only change how texts are written."""
    container = frame.json if isinstance(frame, StyledContainer) else frame
    assert container is not None, "its first mark decides"
    assert container.kind != "value", "only containers have a rest"
    return container
