"""Kernels: the machine and the regular side in step, over the tokens of a vocabulary."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.advance import step as step_document
from ..automaton.memory import kernel, load8, load32, load64, store32, store64
from ..pushdown import layout as pd
from ..pushdown.rows import ready_for
from ..pushdown.steps import state_field
from ..pushdown.steps import step as step_rules
from . import layout as ix


@kernel
def step_machine(kind: int, m: int, code: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte of a machine of either kind: (code, stack node), as its own kernel returns it."""
    if kind == ix.OF_DOCUMENTS:
        return step_document(m, code, stack, byte)
    return step_rules(m, code, stack, byte)


@kernel
def begin_walk(x: int, node: int, code: int, stack: int, q: int) -> None:
    """Set up a walk of what is under a node of the vocabulary's trie."""
    _forget_pairs(x)
    for field in (ix.X_NUM_OUT, ix.X_NUM_EVENTS, ix.X_HEAD, ix.X_TAIL, ix.X_CURSOR, ix.X_EXITS):
        store64(x, field, 0)
    _append(x, node, code, stack, q, 0, -1)


@kernel
def _forget_pairs(x: int) -> None:
    pairs, table = load64(x, ix.X_PAIRS), load64(x, ix.X_TABLE)
    for number in range(load64(x, ix.X_NUM_PAIRS)):
        store32(table, load64(pairs, number * ix.PAIR_FIELDS + 4), 0)
    store64(x, ix.X_NUM_PAIRS, 0)


@kernel
def walk(kind: int, m: int, x: int) -> int:
    """Find the pair that each token leads to: 0, or WAITING; then call again.

    Where a document ends inside of a token, the walk ends there and notes an event; where one may begin, it notes one
    and goes on with what else there is.
    """
    if kind == ix.OF_DOCUMENTS:
        store64(m, at.M_EXACT, 0)
    head = load64(x, ix.X_HEAD)
    while head < load64(x, ix.X_TAIL):
        if _expand(kind, m, x, load64(x, ix.X_QUEUE) + head * (ix.QUEUE_FIELDS * 8)) < 0:
            return ix.WAITING
        head += 1
        store64(x, ix.X_HEAD, head)
        store64(x, ix.X_CURSOR, 0)
        store64(x, ix.X_EXITS, 0)
    return 0


@kernel
def _expand(kind: int, m: int, x: int, entry: int) -> int:
    """Step through the children of an entry of the queue; 0, or WAITING, then it is done again from X_CURSOR on."""
    node, code, q = load64(entry, 0), load64(entry, 1), load64(entry, 3)
    if load64(x, ix.X_EXITS) > 0:
        return _leave_inside(kind, m, x, entry)
    if _is_short_of_room(x):
        return wait(x, ix.NEED_ROOM, 0)
    row, lexicon = load64(x, ix.X_ROWS) + q * 1024, load64(m, at.M_LEXICON)
    if load32(row, 0) == ix.UNBUILT:
        return wait(x, ix.NEED_ROW, q)
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    first, end = load32(first_child, node), load32(first_child, node + 1)
    if kind == ix.OF_RULES and ready_for(m, code, end - first) == at.NEED:
        return wait(x, ix.NEED_MACHINE, 0)
    if load64(x, ix.X_LARGE) and load64(x, ix.X_EXITS) == 0:
        num_tokens = load32(load64(lexicon, at.L_TOKEN_END), node) - load32(load64(lexicon, at.L_TOKEN_START), node)
        loops = _machine_loops(kind, m, code) if num_tokens >= load64(x, ix.X_LARGE) else 0
        if loops:
            return wait(x, ix.NEED_INSIDE, loops)
    for child in range(first + load64(x, ix.X_CURSOR), end):
        next_q = load32(row, load8(bytes_, child))
        if next_q >= 0 and _step_into(kind, m, x, entry, child, q, next_q, load64(entry, 5)) < 0:
            store64(x, ix.X_CURSOR, child - first)
            return wait(x, ix.NEED_MACHINE, 0)
    return 0


@kernel
def _leave_inside(kind: int, m: int, x: int, entry: int) -> int:
    """Step over the exits of an inside, int32 pairs (node, q before its byte) at X_EXITS; as `_expand`."""
    exits, rows = load64(x, ix.X_EXITS), load64(x, ix.X_ROWS)
    bytes_ = load64(load64(m, at.M_LEXICON), at.L_BYTE)
    for index in range(load64(x, ix.X_CURSOR), load64(x, ix.X_NUM_EXITS)):
        child, q = load32(exits, 2 * index), load32(exits, 2 * index + 1)
        store64(x, ix.X_CURSOR, index)
        if _is_short_of_room(x):
            return wait(x, ix.NEED_ROOM, 0)
        if load32(rows, q * 256) == ix.UNBUILT:
            return wait(x, ix.NEED_ROW, q)
        next_q = load32(rows, q * 256 + load8(bytes_, child))
        if next_q >= 0 and _step_into(kind, m, x, entry, child, q, next_q, -1) < 0:
            return wait(x, ix.NEED_MACHINE, 0)
    return 0


@kernel
def _step_into(kind: int, m: int, x: int, entry: int, child: int, q: int, next_q: int, pair: int) -> int:
    """Step from an entry of the queue, at `q` by now, to a node; 0, or WAITING for the machine.

    pair: the number of the pair there; -1 when it is not known.
    """
    code, stack, capture = load64(entry, 1), load64(entry, 2), load64(entry, 4)
    store64(m, at.M_CAPTURED, 0)
    byte = load8(load64(load64(m, at.M_LEXICON), at.L_BYTE), child)
    next_code, next_stack = step_machine(kind, m, code, stack, byte)
    if next_code < 0:
        return ix.WAITING if next_code == at.NEED else 0
    captured = load64(m, at.M_CAPTURED) if kind == ix.OF_DOCUMENTS else 0
    next_capture = capture if captured == 0 else captured if capture == 0 else ix.SEVERAL
    is_same = next_code == code and next_stack == stack and next_q == q and next_capture == capture
    next_pair = _number(x, next_code, next_stack, next_q, next_capture) if not is_same or pair < 0 else pair
    _enter(kind, m, x, child, next_code, next_stack, next_q, next_capture, next_pair)
    return 0


@kernel
def _enter(kind: int, m: int, x: int, node: int, code: int, stack: int, q: int, capture: int, pair: int) -> None:
    """A token may end at a node, in a pair; and the walk goes on from there. BOUNDS: `_expand` has seen to the room."""
    lexicon = load64(m, at.M_LEXICON)
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    is_end = kind == ix.OF_DOCUMENTS and code == at.DONE
    if is_end or (kind == ix.OF_RULES and state_field(m, code, pd.G_DOCUMENTS)):
        _note(x, ix.X_EVENTS, node, pair)
    is_leaf = is_end or load32(first_child, node) == load32(first_child, node + 1)
    if not is_leaf and load64(load64(lexicon, at.L_BELOW), node) & ~_loops(kind, m, x, code, q) == 0:
        _note(x, ix.X_OUT, node | ix.SUBTREE, pair)
        return
    if load32(load64(lexicon, at.L_OWN_END), node) > load32(load64(lexicon, at.L_TOKEN_START), node):
        _note(x, ix.X_OUT, node, pair)
    if not is_leaf:
        _append(x, node, code, stack, q, capture, pair)


@kernel
def _loops(kind: int, m: int, x: int, code: int, q: int) -> int:
    """The kinds of bytes that leave a pair as it is."""
    return _machine_loops(kind, m, code) & load64(load64(x, ix.X_LOOPS), q)


@kernel
def _machine_loops(kind: int, m: int, code: int) -> int:
    """The kinds of bytes that leave a place of a machine as it is."""
    if kind == ix.OF_RULES:
        return load64(load64(m, pd.P_LOOPS), code)
    if code >> at.TAG_SHIFT == at.STRING:
        return load64(load64(load64(m, at.M_LEXICON), at.L_LOOPS), code & at.MASK32)
    return 0


@kernel
def _is_short_of_room(x: int) -> int:
    """1 when the children of a node might not fit into the lists."""
    most = max(load64(x, ix.X_TAIL), load64(x, ix.X_NUM_OUT), load64(x, ix.X_NUM_EVENTS))
    num_pairs = load64(x, ix.X_NUM_PAIRS)
    is_short = most + ix.ROOM > load64(x, ix.X_CAPACITY) or num_pairs + ix.ROOM > load64(x, ix.X_PAIR_CAPACITY)
    return 1 if is_short else 0


@kernel
def wait(x: int, what: int, argument: int) -> int:
    """Ask Python for something."""
    store64(x, ix.X_NEED, what)
    store64(x, ix.X_NEED_A, argument)
    return ix.WAITING


@kernel
def _append(x: int, node: int, code: int, stack: int, q: int, capture: int, pair: int) -> None:
    tail = load64(x, ix.X_TAIL)
    entry = load64(x, ix.X_QUEUE) + tail * (ix.QUEUE_FIELDS * 8)
    store64(entry, 0, node)
    store64(entry, 1, code)
    store64(entry, 2, stack)
    store64(entry, 3, q)
    store64(entry, 4, capture)
    store64(entry, 5, pair)
    store64(x, ix.X_TAIL, tail + 1)


@kernel
def _note(x: int, field: int, node: int, pair: int) -> None:
    """Add to X_OUT or X_EVENTS, whose number is in the register behind."""
    count = load64(x, field + 1)
    store32(load64(x, field), 2 * count, node)
    store32(load64(x, field), 2 * count + 1, pair)
    store64(x, field + 1, count + 1)


@kernel
def mix(a: int, b: int, c: int, mask: int) -> int:
    """A place in a hash table of mask + 1 places."""
    mixed = a * 0x9E3779B1 + b * 0x85EBCA6B + c * 0xC2B2AE35
    return ((mixed >> 17) ^ mixed ^ (mixed >> 40)) & mask


@kernel
def _number(x: int, code: int, stack: int, q: int, capture: int) -> int:
    """The number of a pair in this walk."""
    pairs, table, mask = load64(x, ix.X_PAIRS), load64(x, ix.X_TABLE), load64(x, ix.X_TABLE_MASK)
    place = mix(code, stack, q + (capture << 20), mask)
    while True:
        found = load32(table, place)
        if found == 0:
            break
        pair = pairs + (found - 1) * (ix.PAIR_FIELDS * 8)
        if load64(pair, 0) == code and load64(pair, 1) == stack and load64(pair, 2) == q and load64(pair, 3) == capture:
            return found - 1
        place = (place + 1) & mask
    number = load64(x, ix.X_NUM_PAIRS)
    pair = pairs + number * (ix.PAIR_FIELDS * 8)
    store64(pair, 0, code)
    store64(pair, 1, stack)
    store64(pair, 2, q)
    store64(pair, 3, capture)
    store64(pair, 4, place)
    store32(table, place, number + 1)
    store64(x, ix.X_NUM_PAIRS, number + 1)
    return number


@kernel
def number_pairs(x: int, entry: int, states: int, count: int, numbers: int) -> None:
    """The numbers of the pairs of an entry's place with each of some q.

    states, numbers: addresses of int32 (count,). BOUNDS: there is room for so many pairs.
    """
    for index in range(count):
        q = load32(states, index)
        store32(numbers, index, _number(x, load64(entry, 1), load64(entry, 2), q, load64(entry, 4)))


@kernel
def look_around(m: int, x: int, code: int, stack: int, q: int, resume: int) -> int:
    """Find the pairs that one byte of a document leads to; 0, or WAITING, then call again with resume = 1.

    What a walk has found stays, but for its pairs. BOUNDS: there is always room for 256 pairs.
    """
    store64(m, at.M_EXACT, 0)
    if not resume:
        _forget_pairs(x)
        store64(x, ix.X_CURSOR, 0)
    row = load64(x, ix.X_ROWS) + q * 1024
    if load32(row, 0) == ix.UNBUILT:
        return wait(x, ix.NEED_ROW, q)
    for byte in range(load64(x, ix.X_CURSOR), 256):
        next_q = load32(row, byte)
        if next_q < 0:
            continue
        store64(m, at.M_CAPTURED, 0)
        next_code, next_stack = step_document(m, code, stack, byte)
        if next_code == at.NEED:
            store64(x, ix.X_CURSOR, byte)
            return wait(x, ix.NEED_MACHINE, 0)
        if next_code >= 0:
            _number(x, next_code, next_stack, next_q, load64(m, at.M_CAPTURED))
    return 0


@kernel
def enter_pairs(x: int) -> None:
    """Put the pairs of the walk into a table that is empty."""
    pairs, table, mask = load64(x, ix.X_PAIRS), load64(x, ix.X_TABLE), load64(x, ix.X_TABLE_MASK)
    for number in range(load64(x, ix.X_NUM_PAIRS)):
        pair = pairs + number * (ix.PAIR_FIELDS * 8)
        place = mix(load64(pair, 0), load64(pair, 1), load64(pair, 2) + (load64(pair, 3) << 20), mask)
        while load32(table, place):
            place = (place + 1) & mask
        store64(pair, 4, place)
        store32(table, place, number + 1)


@kernel
def allow(x: int, lexicon: int, row: int, live: int) -> None:
    """Set the bits of the tokens that the walk found, where their pair is live.

    row: address of int32 (W,). live: address of uint8 (pairs,), 1 where a pair is live.
    """
    out, ids = load64(x, ix.X_OUT), load64(lexicon, at.L_SORTED)
    for index in range(load64(x, ix.X_NUM_OUT)):
        if load8(live, load32(out, 2 * index + 1)) == 1:
            node = load32(out, 2 * index)
            end = at.L_TOKEN_END if node & ix.SUBTREE else at.L_OWN_END
            node &= ix.SUBTREE - 1
            for place in range(load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, end), node)):
                token = load32(ids, place)
                store32(row, token >> 5, load32(row, token >> 5) | 1 << (token & 31))
