"""Kernel: LALR tables followed over the kinds of lexemes.

It looks at no lexeme's text, so what rules stand for is made afterwards, from the operations that it lists.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ..automaton.memory import kernel

Numbers = NDArray[Any]


@kernel
def parse_kinds(
    kinds: Numbers,
    moves: Numbers,
    reductions: Numbers,
    kept: Numbers,
    first: int,
    last: int,
    work: Numbers,
    out: Numbers,
) -> tuple[int, int, int]:
    """Follow the tables to the end of the kinds, the last of which is that of the end.

    kinds: int32 (L,), of the lexemes. moves: int32 (S, K), for a state and a kind of lexemes or a name of rules: 0
    nothing, n > 0 go to state n - 1, n < 0 reduce by rule -n - 1. reductions: int32 (R, 3): parts, the name as a column
    of moves, and 0 what the parts make goes into what is around it, 1 a method makes something of it, 2 only where it
    is not one value. kept: uint8 (K,), 1 where a lexeme is a value. first, last: the states at both ends.
    work: int32 (2, .): the stack of states, and how many values each of them stands for.
    out: int32 (.): operations: n >= 0 takes lexeme n as a value; -n - 1 reduces by rule n the values whose number
    follows.
    Returns (numbers written, lexemes read, states on the stack); fewer lexemes than there are: that one can't follow.
    Nothing written but -1 of them: there is not enough room.
    """
    depth, written = 1, 0
    work[0, 0], work[1, 0] = first, 0
    for place in range(len(kinds)):
        kind = kinds[place]
        while True:
            if written + 3 > len(out) or depth + 1 >= work.shape[1]:
                return -1, 0, 0
            move = moves[work[0, depth - 1], kind]
            if move >= 0:
                break
            rule = -move - 1
            count = 0
            for part in range(depth - reductions[rule, 0], depth):
                count += work[1, part]
            depth -= reductions[rule, 0]
            shape = reductions[rule, 2]
            if shape == 1 or (shape == 2 and count != 1):
                out[written] = -rule - 1
                out[written + 1] = count
                written += 2
                count = 1
            work[0, depth] = moves[work[0, depth - 1], reductions[rule, 1]] - 1
            work[1, depth] = count
            depth += 1
        if place == len(kinds) - 1 and work[0, depth - 1] == last:
            return written, place + 1, depth
        if move == 0:
            return written, place, depth
        work[0, depth], work[1, depth] = move - 1, kept[kind]
        depth += 1
        if kept[kind]:
            out[written] = place
            written += 1
    return written, len(kinds) - 1, depth
