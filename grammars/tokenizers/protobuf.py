"""Read protobuf messages without the protobuf library: only the wire format, enough for SentencePiece model files.

A field is (number, value). The value is an int for a varint, and bytes for a field with a length or with fixed 4 or 8
bytes. The functions raise ValueError on bytes that are no protobuf message.
"""

from __future__ import annotations

from collections.abc import Iterator

_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {_FIXED64: 8, _FIXED32: 4}
_MAX_VARINT_BITS = 70


def read_varint(data: bytes, position: int) -> tuple[int, int]:
    """Return (value, position after it) of the unsigned varint at `position`. Raises ValueError if it is broken."""
    value = shift = 0
    while position < len(data) and shift < _MAX_VARINT_BITS:
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    raise ValueError(f"broken varint at byte {position}")


def read_fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of one message in order; a nested message is bytes.

    Raises ValueError if the message is broken.
    """
    position = 0
    while position < len(data):
        tag, position = read_varint(data, position)
        wire_type = tag & 7
        if wire_type == _VARINT:
            value, position = read_varint(data, position)
            yield tag >> 3, value
            continue
        if wire_type == _LENGTH:
            size, position = read_varint(data, position)
        elif wire_type in _FIXED_SIZES:
            size = _FIXED_SIZES[wire_type]
        else:
            raise ValueError(f"unknown wire type {wire_type} at byte {position}")
        if position + size > len(data):
            raise ValueError(f"field of {size} bytes at byte {position} runs past the end")
        yield tag >> 3, data[position : position + size]
        position += size
