"""Kernel: the rules that join characters to words (Unicode Standard Annex 29, WB3 to WB16), in one pass over a text."""

from __future__ import annotations

from .kernels import exported
from .kernels.arrays import Bools, UInt8s


@exported
def mark_word_breaks(traits: UInt8s, rules: UInt8s, boundaries: Bools) -> None:
    """Say of each place of a text whether words may begin or end there.

    traits: uint8 (n,), n > 0: a class in the low five bits of each, and bit 0x20 for pictographs.
    boundaries: bool (n + 1,), what is found.
    rules: uint8, for each pair of 32 classes 1 where they are never cut; then for each class its bits as the middle of
        three that are joined, and as a side of them; and its kind: 1 a line's end, 2 what is added to others (WB4), 4 a
        regional indicator, 8 a joiner (ZWJ), 16 a space (WSegSpace), 32 CR, 64 LF.
    Reads n bytes, writes n + 1.
    """
    count = len(traits)
    base, before = 0, 0  # classes of the last two characters, without what is added to others
    base_at, num_bases, num_flags = 0, 0, 0
    was_end = True  # at the start of the text or of a line nothing is added to what comes before
    for place in range(count):
        trait = int(traits[place])
        own = trait & 31
        kind = int(rules[1088 + own])
        if kind & 2 and not was_end:
            boundaries[place] = False
        else:
            is_joined = num_bases > 0 and rules[32 * base + own] != 0
            if num_bases > 1 and rules[1024 + base] & rules[1056 + before] & rules[1056 + own]:
                boundaries[base_at] = False
                is_joined = True
            if kind & 4:
                num_flags += 1
                is_joined = is_joined or num_flags % 2 == 0
            else:
                num_flags = 0
            boundaries[place] = not is_joined
            before = base
            base = own
            base_at = place
            num_bases += 1
        if place > 0:
            last = int(rules[1088 + (int(traits[place - 1]) & 31)])
            is_pictograph = (last & 8) != 0 and (trait & 32) != 0  # WB3c
            if is_pictograph or (last & kind & 16) != 0 or ((last & 32) != 0 and (kind & 64) != 0):  # WB3d, WB3
                boundaries[place] = False
        was_end = (kind & 1) != 0
    boundaries[0] = True
    boundaries[count] = True
