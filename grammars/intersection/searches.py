"""Kernels: whether a document can go on from a pair to an end that its goal takes.

`dive` tries one text, the bytes that end things first, and takes back what leads nowhere: in ordinary schemas it comes
to an end within the bytes of a shortest text, or at a pair that is known. `sweep` looks at all texts, shortest first.
Captures are passed without their texts.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.advance import step
from ..automaton.memory import kernel, load8, load32, load64, store32, store64
from . import layout as ix
from .steps import mix, wait


@kernel
def find(g: int, code: int, stack: int, q: int) -> int:
    """The place of a pair in a goal's table; its key is there afterwards."""
    keys, values, mask = load64(g, ix.G_KEYS), load64(g, ix.G_VALUES), load64(g, ix.G_MASK)
    key = stack << 32 | q
    place = mix(code, stack, q, mask)
    while load32(values, place):
        if load64(keys, 2 * place) == code and load64(keys, 2 * place + 1) == key:
            return place
        place = (place + 1) & mask
    store64(keys, 2 * place, code)
    store64(keys, 2 * place + 1, key)
    return place


@kernel
def recall(x: int, g: int, known: int) -> None:
    """What a goal knows of the pairs of the walk, into int32 (pairs,) at `known`; 0 for nothing."""
    pairs, values = load64(x, ix.X_PAIRS), load64(g, ix.G_VALUES)
    for number in range(load64(x, ix.X_NUM_PAIRS)):
        pair = pairs + number * (ix.PAIR_FIELDS * 8)
        place = find(g, load64(pair, 0), load64(pair, 1), load64(pair, 2))
        store32(known, number, load32(values, place))


@kernel
def visit(g: int, code: int, stack: int, q: int, capture: int, place: int, parent: int, byte: int) -> None:
    """Add a pair to the path (or queue) of a search. BOUNDS: the search has seen to the room."""
    values, depth, count = load64(g, ix.G_VALUES), load64(g, ix.G_DEPTH), load64(g, ix.G_NUM_LOG)
    if load32(values, place) == 0:
        store64(g, ix.G_COUNT, load64(g, ix.G_COUNT) + 1)
    store32(values, place, ix.FIRST_SEARCH + load64(g, ix.G_SEARCH))
    store32(load64(g, ix.G_LOG), count, place)
    store64(g, ix.G_NUM_LOG, count + 1)
    entry = load64(g, ix.G_PATH) + depth * (ix.PATH_FIELDS * 8)
    store64(entry, 0, code)
    store64(entry, 1, stack)
    store64(entry, 2, q)
    store64(entry, 3, 0)
    store64(entry, 4, capture)
    store64(entry, 5, place)
    store64(entry, 6, parent)
    store64(entry, 7, byte)
    store64(g, ix.G_DEPTH, depth + 1)


@kernel
def start(g: int, code: int, stack: int, q: int) -> None:
    """Begin a search at a pair."""
    store64(g, ix.G_SEARCH, load64(g, ix.G_SEARCH) + 1)
    store64(g, ix.G_DEPTH, 0)
    store64(g, ix.G_HEAD, 0)
    store64(g, ix.G_NUM_LOG, 0)
    visit(g, code, stack, q, 0, find(g, code, stack, q), -1, 0)


@kernel
def is_short_of_room(g: int) -> int:
    """1 when another pair might not fit into the table or the lists."""
    is_short = 2 * load64(g, ix.G_COUNT) + 2 > load64(g, ix.G_MASK)
    return 1 if is_short or load64(g, ix.G_NUM_LOG) + ix.ROOM > load64(g, ix.G_CAPACITY) else 0


@kernel
def _may_come(m: int, code: int, byte: int) -> int:
    """0 for bytes that surely can't come."""
    structural = load64(load64(m, at.M_LEXICON), at.L_STRUCTURAL_BYTE)
    return 1 if code >> at.TAG_SHIFT != at.STRUCTURAL else load8(structural, byte)


@kernel
def dive(m: int, x: int, g: int) -> int:
    """Depth first: FOUND, and what it passed is known as such; EXHAUSTED; OVER_BUDGET; WAITING, then call again."""
    store64(m, at.M_EXACT, 0)
    while load64(g, ix.G_DEPTH):
        if is_short_of_room(g):
            return wait(x, ix.NEED_ROOM, 0)
        if load64(g, ix.G_NUM_LOG) > load64(g, ix.G_BUDGET):
            return ix.OVER_BUDGET
        top = load64(g, ix.G_PATH) + (load64(g, ix.G_DEPTH) - 1) * (ix.PATH_FIELDS * 8)
        status = _go_deeper(m, x, g, top)
        if status == ix.EXHAUSTED:
            store64(g, ix.G_DEPTH, load64(g, ix.G_DEPTH) - 1)
        elif status != ix.FIRST_SEARCH:
            return status
    _bury(g)
    return ix.EXHAUSTED


@kernel
def _go_deeper(m: int, x: int, g: int, top: int) -> int:
    """Add a pair to the path (FIRST_SEARCH), or EXHAUSTED, FOUND, WAITING."""
    code, stack, q = load64(top, 0), load64(top, 1), load64(top, 2)
    row, preference, values = load64(x, ix.X_ROWS) + q * 1024, load64(x, ix.X_PREFERENCE), load64(g, ix.G_VALUES)
    if load32(row, 0) == ix.UNBUILT:
        return wait(x, ix.NEED_ROW, q)
    for index in range(load64(top, 3), 256):
        byte = load8(preference, index)
        next_q = load32(row, byte)
        if next_q < 0 or not _may_come(m, code, byte):
            continue
        store64(m, at.M_CAPTURED, 0)
        next_code, next_stack = step(m, code, stack, byte)
        if next_code < 0:
            if next_code == at.NEED:
                store64(top, 3, index)
                return wait(x, ix.NEED_MACHINE, 0)
            continue
        captured = load64(m, at.M_CAPTURED)
        if next_code == at.DONE:
            answer = load32(load64(g, ix.G_ANSWERS), next_q)
            if answer == ix.UNKNOWN:
                store64(top, 3, index)
                return wait(x, ix.NEED_ANSWER, next_q)
            if answer == ix.YES:
                _keep_path(g, ix.CLEAN, captured)
                return ix.FOUND
            continue
        place = find(g, next_code, next_stack, next_q)
        known = load32(values, place)
        if ix.CLEAN <= known <= ix.DOUBTFUL:
            _keep_path(g, known, captured)
            return ix.FOUND
        if known != ix.LOST and known != ix.FIRST_SEARCH + load64(g, ix.G_SEARCH):
            store64(top, 3, index + 1)
            visit(g, next_code, next_stack, next_q, captured, place, -1, byte)
            return ix.FIRST_SEARCH
    return ix.EXHAUSTED


@kernel
def _keep_path(g: int, known: int, captured: int) -> None:
    """Note of the pairs of the path that the goal can be reached. known, captured: of the last step and what follows.

    Captures of one frame that a text passes more than once make it doubtful; those behind a known pair are not known.
    """
    path, values, is_vague = load64(g, ix.G_PATH), load64(g, ix.G_VALUES), known == ix.CAPTURING
    depth, last = load64(g, ix.G_DEPTH), captured
    for index in range(depth - 1, -1, -1):
        entry = path + index * (ix.PATH_FIELDS * 8)
        if captured:
            is_doubtful = is_vague or load64(g, ix.G_GUARDED) or (index < depth - 1 and captured == last)
            if captured == at.VERIFY:
                is_doubtful = True
            for later in range(index + 2, depth):
                if load64(path + later * (ix.PATH_FIELDS * 8), 4) == captured:
                    is_doubtful = True
            known = ix.DOUBTFUL if is_doubtful or known == ix.DOUBTFUL else ix.CAPTURING
        store32(values, load64(entry, 5), known)
        captured = load64(entry, 4)


@kernel
def _bury(g: int) -> None:
    """Note of all pairs that this search visited that the goal can't be reached."""
    log, values = load64(g, ix.G_LOG), load64(g, ix.G_VALUES)
    for index in range(load64(g, ix.G_NUM_LOG)):
        store32(values, load32(log, index), ix.LOST)


@kernel
def sweep(m: int, x: int, g: int) -> int:
    """Breadth first: FOUND (G_HEAD is the pair before the end), EXHAUSTED, OVER_BUDGET; WAITING, then call again."""
    store64(m, at.M_EXACT, 0)
    while load64(g, ix.G_HEAD) < load64(g, ix.G_DEPTH):
        if is_short_of_room(g):
            return wait(x, ix.NEED_ROOM, 0)
        if load64(g, ix.G_NUM_LOG) > load64(g, ix.G_BUDGET):
            return ix.OVER_BUDGET
        status = _look_around(m, x, g, load64(g, ix.G_HEAD))
        if status != ix.EXHAUSTED:
            return status
        store64(g, ix.G_HEAD, load64(g, ix.G_HEAD) + 1)
    return ix.EXHAUSTED


@kernel
def _look_around(m: int, x: int, g: int, head: int) -> int:
    """Visit the pairs after an entry of the queue: EXHAUSTED, FOUND, WAITING."""
    entry = load64(g, ix.G_PATH) + head * (ix.PATH_FIELDS * 8)
    code, stack, q = load64(entry, 0), load64(entry, 1), load64(entry, 2)
    row, preference, values = load64(x, ix.X_ROWS) + q * 1024, load64(x, ix.X_PREFERENCE), load64(g, ix.G_VALUES)
    if load32(row, 0) == ix.UNBUILT:
        return wait(x, ix.NEED_ROW, q)
    visited = ix.FIRST_SEARCH + load64(g, ix.G_SEARCH)
    for index in range(load64(entry, 3), 256):
        byte = load8(preference, index)
        next_q = load32(row, byte)
        if next_q < 0 or not _may_come(m, code, byte):
            continue
        store64(m, at.M_CAPTURED, 0)
        next_code, next_stack = step(m, code, stack, byte)
        if next_code < 0:
            if next_code == at.NEED:
                store64(entry, 3, index)
                return wait(x, ix.NEED_MACHINE, 0)
            continue
        captured = load64(m, at.M_CAPTURED)
        if next_code == at.DONE:
            answer = load32(load64(g, ix.G_ANSWERS), next_q)
            if answer == ix.NO:
                continue
            store64(entry, 3, index)
            return ix.FOUND if answer == ix.YES else wait(x, ix.NEED_ANSWER, next_q)
        place = find(g, next_code, next_stack, next_q)
        if load32(values, place) != visited:
            visit(g, next_code, next_stack, next_q, captured, place, head, byte)
    return ix.EXHAUSTED
