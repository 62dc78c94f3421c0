"""`warmup`: everything slow that can be done before the first request."""

from __future__ import annotations

from ..bitset import allocate_bitmask
from ..limits import Limits
from ..regex import algebra as lang
from ..vocabulary import Vocabulary
from .batch import fill_rows
from .frames import Frame, KeySpec, ValueSpec
from .machine import Machine

_TEXT = b'{"a": "b", "other": ["x", "y"], "name'


def warmup(vocabulary: Vocabulary) -> None:
    """Load or compile the kernels, and make the tables of a vocabulary that nearly every grammar needs.

    The tables stay for the process.
    """
    machine = Machine(_Value(), vocabulary, "flexible", Limits())
    bitmask = allocate_bitmask(1, vocabulary.size)
    single = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token is not None}
    for start in (_TEXT, b'{"a":"', b'{"', b"7"):
        matcher = machine.matcher()
        for byte in start:
            matcher.fill_bitmask(bitmask)
            token_id = single.get(bytes([byte]))
            if token_id is None or not matcher.accept_token(token_id):
                break
        matcher.find_jump_forward_bytes()
        fill_rows([matcher], bitmask)
    from ..closing.warmup import warmup as warmup_closing
    from ..intersection.warmup import warmup as warmup_intersection
    from ..pushdown.warmup import warmup as warmup_general

    warmup_general(vocabulary)
    warmup_intersection(vocabulary)
    warmup_closing(vocabulary)


class _Value:
    """A value: short strings, and objects and arrays of them."""

    kind = "value"
    close_class: int | None = None

    def value_spec(self) -> ValueSpec | None:
        strings = ((lang.repeat(lang.ANY_CHAR, 0, 100), 0),)
        return ValueSpec(strings=strings, numbers=((lang.text("7"), 0),), object=_OBJECT, array=_ARRAY)

    def key_spec(self) -> KeySpec | None:
        return None

    def on_return(self, cls: int) -> Frame | None:
        return _OBJECT

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        return self.on_return(cls)


class _Object(_Value):
    kind = "object"
    close_class = 0

    def key_spec(self) -> KeySpec | None:
        return KeySpec({"a": 0, "name": 0}, ((lang.ANYTHING, 1),), frozenset({"a", "name"}))

    def on_return(self, cls: int) -> Frame | None:
        return _MEMBER


class _Array(_Value):
    kind = "array"
    close_class = 0

    def on_return(self, cls: int) -> Frame | None:
        return _ARRAY


_MEMBER, _OBJECT, _ARRAY = _Value(), _Object(), _Array()
