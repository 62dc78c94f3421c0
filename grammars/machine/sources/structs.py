"""What the kernels and Python share of source texts.

A source text is spelled once. Its suffixes from the places where quotes may begin are sorted lazily (Giegerich, Kurtz,
Stoye 2003): an interval of them, which share some bytes, is sorted by the next byte when it is first asked how it goes
on.
"""

from __future__ import annotations

from typing import Annotated

from ...memory.layout import StructRow
from ...memory.structs import INT32, Array, Struct, int32, uint8

Buckets = Annotated[Array[int32], StructRow(INT32, 258)]
"""A number for the end of the text, and for each byte; one more, so that its size is a multiple of eight bytes."""


class SuffixBuckets(Struct):
    """Of an interval of suffixes that is being sorted."""

    heads: Buckets
    tails: Buckets


class SortedText(Struct):
    """A source text, where quotes of it begin and end, and its suffixes from there."""

    text: Array[uint8]  # up to the last place where a quote may end
    ends: Array[uint8]  # for each place of the text, its end too, 1 where a quote may end
    order: Array[int32]  # where quotes begin that can end, sorted as far as somebody asked
    sorted_to: Array[int32]  # for each of these: the interval that begins there is sorted by so many bytes
