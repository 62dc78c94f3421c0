"""Structs that kernels and Python share for source texts.

A source text is spelled once. The suffixes from the places where quotes may begin are sorted lazily (Giegerich, Kurtz,
Stoye 2003). An interval contains suffixes that share their first bytes. The kernels sort an interval by the next byte
when they first need that order.
"""

from __future__ import annotations

from typing import Annotated

from ...memory.layout import StructRow
from ...memory.structs import INT32, Array, Struct, int32, uint8

Buckets = Annotated[Array[int32], StructRow(INT32, 258)]
"""A number for the end of the text, and for each byte; one more, so that its size is a multiple of eight bytes."""


class SuffixBuckets(Struct):
    """The buckets of an interval of suffixes that is being sorted."""

    heads: Buckets
    tails: Buckets


class SortedText(Struct):
    """A source text, the places where quotes begin and end in it, and its suffixes from the beginnings."""

    text: Array[uint8]  # the text up to the last place where a quote may end
    ends: Array[uint8]  # for each place, the end included: 1 if a quote may end there
    order: Array[int32]  # places where quotes begin that can end, sorted as far as needed so far
    sorted_to: Array[int32]  # for each index of `order`: the interval that begins there is sorted by so many bytes
