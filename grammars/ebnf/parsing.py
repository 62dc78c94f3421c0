"""Kernel: LALR tables followed over the kinds of lexemes.

It looks at no lexeme's text, so what rules stand for is made afterwards, from the operations that it lists.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..kernels.arrays import Int32Rows, Int32s, UInt8s
from ..memory.kernel import exported

Numbers = NDArray[Any]

SPREAD, MADE, MAY_VANISH = range(3)
"""What becomes of a rule's parts: they are parts of the rule around it; one value; that, if they are not one yet."""


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
    """Follow the tables to the end of the kinds, the last of which is that of the end.

    kinds: int32 (L,), of the lexemes. moves: int32 (S, K), for a state and a kind of lexemes or a name of rules: 0
    nothing, n > 0 go to state n - 1, n < 0 reduce by rule -n - 1. sizes, origins, shapes: int32 (R,), of each rule how
    many parts it has, its name as a column of moves, and SPREAD, MADE or MAY_VANISH. kept: uint8 (K,), 1 where a lexeme
    is a value. first, last: the states at both ends.
    states, counts: int32 (.), to work in: the stack of states, and how many values each of them stands for.
    out: int32 (.): operations: n >= 0 takes lexeme n as a value; -n - 1 reduces by rule n the values whose number
    follows.
    Returns (numbers written, lexemes read, states on the stack); fewer lexemes than there are: that one can't follow.
    Nothing written but -1 of them: there is not enough room.
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
