"""`Document`: the frames of the JSON documents that satisfy a formula, built when a document gets to them."""

from __future__ import annotations

from typing import Literal

from ..machine.frames import OpenArray, OpenObject, ValueSpec
from .arrays import open_array
from .context import Context, ValueGoal
from .formula import Formula
from .objects import open_object


class Document(Context):
    """See `Context`. It opens objects and arrays."""

    def root(self) -> RootFrame:
        """The frame of the whole document."""
        return RootFrame(self)

    def live_object(
        self, formula: Formula, tracked: tuple[Formula, ...] = (), is_root: bool = False
    ) -> OpenObject | None:
        """See `Context.live_object`."""
        frame = open_object(self, formula, tracked, is_root)
        return frame if frame.is_live else None

    def live_array(self, formula: Formula, tracked: tuple[Formula, ...] = ()) -> OpenArray | None:
        """See `Context.live_array`."""
        frame = open_array(self, formula, tracked)
        return frame if frame.is_live else None


class RootFrame:
    """The whole document: one value."""

    __slots__ = ("_document",)
    kind: Literal["value"] = "value"

    def __init__(self, document: Context) -> None:
        self._document = document

    def value_spec(self) -> ValueSpec:
        """The document's value."""
        return ValueGoal(self._document, self._document.formula, (), is_root=True).spec()

    def key_spec(self) -> None:
        """No object is open."""

    close_class: int | None = None
    plain = None

    def on_return(self, cls: int) -> None:
        """Nothing follows."""
        del cls

    def on_capture(self, cls: int, text: bytes) -> None:
        """Nothing follows."""
        del cls, text
