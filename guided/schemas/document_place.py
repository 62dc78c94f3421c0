"""`DocumentPlace`: the place that the bytes of a half-written JSON document have reached, and the fields before it."""

from __future__ import annotations

import codecs

from guided.grammars.json_paths import pointer_of

from ..json_events import FieldEvent, JsonEventReader
from .subschemas import ITEM, FieldPath


class DocumentPlace(JsonEventReader):
    """The place in a JSON document. `feed` takes its bytes in pieces of any size.

    begun: attribute; the paths of all values so far, see `path`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.begun: set[FieldPath] = set()
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @classmethod
    def after(cls, text: bytes) -> DocumentPlace:
        """The place at the end of a text. Raises JsonTextError."""
        place = cls()
        place.feed(text)
        return place

    def feed(self, text: bytes) -> None:
        """Read more of the document. Raises JsonTextError if the text can't continue as JSON."""
        self.push(self._decoder.decode(text))

    @property
    def pointer(self) -> str:
        """`steps` as a JSON pointer."""
        return pointer_of(self.steps)

    @property
    def path(self) -> FieldPath:
        """The field of the next or open value; of the object between its members."""
        steps = self.steps[:-1] if self.mode == "after" and self.is_in_object else self.steps
        return tuple([step if isinstance(step, str) else ITEM for step in steps])

    @property
    def is_in_object(self) -> bool:
        """True if the innermost open container is an object."""
        return bool(self.containers) and self.containers[-1].kind == "object"

    @property
    def is_at_key(self) -> bool:
        """True if a key is expected or half written."""
        return self.mode in ("key", "name")

    def _add(self, event: FieldEvent) -> None:
        if event.kind == "start":
            self.begun.add(self.path)
