"""`Document`: the frames of the JSON documents that satisfy a formula. A frame is built when a document reaches it."""

from __future__ import annotations

from typing import Literal

from ..machine.frames import Marks, OpenArray, OpenObject, ValueSpec
from .arrays import open_array
from .context import Context, FormulaGoal
from .formula import Formula
from .objects import open_object


class Document(Context):
    """A `Context` that can open objects and arrays."""

    def root(self) -> RootFrame:
        """The frame of the whole document."""
        return RootFrame(self)

    def live_object(
        self, formula: Formula, tracked: tuple[Formula, ...] = (), is_root: bool = False
    ) -> OpenObject | None:
        """The frame of an object that has just been opened; None if it can't be completed. See `Context`."""
        frame = open_object(self, formula, tracked, is_root)
        return frame if frame.is_live else None

    def live_array(self, formula: Formula, tracked: tuple[Formula, ...] = ()) -> OpenArray | None:
        """The frame of an array that has just been opened; None if it can't be completed. See `Context`."""
        frame = open_array(self, formula, tracked)
        return frame if frame.is_live else None


class RootFrame:
    """The frame below all others: it expects the document's value."""

    __slots__ = ("_document",)
    kind: Literal["value"] = "value"

    def __init__(self, document: Context) -> None:
        self._document = document

    @property
    def marks(self) -> Marks | None:
        """The marks around strings; None: quotes, as in JSON."""
        return self._document.marks

    def value_spec(self) -> ValueSpec:
        """The values that the document may be."""
        return FormulaGoal(self._document, self._document.formula, (), is_root=True).spec()

    def key_spec(self) -> None:
        """Return None: no object is open."""

    close_class: int | None = None
    plain = None

    def on_return(self, cls: int) -> None:
        """Return None: nothing follows the document."""
        del cls

    def on_capture(self, cls: int, text: bytes) -> None:
        """Return None: nothing follows the document."""
        del cls, text
