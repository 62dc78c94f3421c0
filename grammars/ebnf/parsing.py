"""Kernel that follows LALR tables over the kinds of lexemes.

The kernel reads no lexeme's text. The caller makes the results of rules afterwards, from the listed operations.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..kernels.arrays import Int32Rows, Int32s, UInt8s
from ..memory.kernel import exported

Numbers = NDArray[Any]

SPREAD, MADE, MAY_VANISH = range(3)
"""Treatment of a rule's parts. SPREAD: they become parts of the enclosing rule. MADE: they make one value. MAY_VANISH:
they make one value unless there is exactly one part.
"""


@exported
def parse_kinds(
    kinds: Int32s,
    moves: Int32Rows,
    sizes: Int32s,
    origins: Int32s,
    shapes: Int32s,
    kept: UInt8s,
    first: int,
    last: int,
    states: Int32s,
    counts: Int32s,
    out: Int32s,
) -> tuple[int, int, int]:
    """Follow the tables to the end of the kinds. The last kind is the end of the text.

    kinds: int32 (L,), kinds of the lexemes.
    moves: int32 (S, K), for each state and kind of lexeme or rule name: 0 nothing; n > 0 go to state n - 1; n < 0
        reduce by rule -n - 1.
    sizes: int32 (R,), number of parts of each rule.
    origins: int32 (R,), each rule's name as a column of moves.
    shapes: int32 (R,), SPREAD, MADE or MAY_VANISH.
    kept: uint8 (K,), 1 if a lexeme is a value.
    first, last: first and last state.
    states, counts: int32 (.), scratch: the stack of states, and the number of values that each stands for.
    out: int32 (.), output: operations. n >= 0 takes lexeme n as a value. -n - 1 reduces by rule n; the number of values
        follows.

    Returns (numbers written, lexemes read, states on the stack). If fewer lexemes are read than given, the next one
    can't follow. Returns -1 numbers written if the arrays are too small.
    """
    depth, written = 1, 0
    states[0], counts[0] = first, 0
    for place in range(len(kinds)):
        kind = kinds[place]
        while True:
            if written + 3 > len(out) or depth + 1 >= len(states):
                return -1, 0, 0
            move = moves[states[depth - 1], kind]
            if move >= 0:
                break
            rule = -move - 1
            count = 0
            for part in range(depth - sizes[rule], depth):
                count += counts[part]
            depth -= sizes[rule]
            if shapes[rule] == MADE or (shapes[rule] == MAY_VANISH and count != 1):
                out[written] = -rule - 1
                out[written + 1] = count
                written += 2
                count = 1
            states[depth] = moves[states[depth - 1], origins[rule]] - 1
            counts[depth] = count
            depth += 1
        if place == len(kinds) - 1 and states[depth - 1] == last:
            return written, place + 1, depth
        if move == 0:
            return written, place, depth
        states[depth], counts[depth] = move - 1, kept[kind]
        depth += 1
        if kept[kind]:
            out[written] = place
            written += 1
    return written, len(kinds) - 1, depth
