"""Kernels: whether a document can go on from a pair to an end that its goal takes.

`dive` searches depth first, and tries the bytes that end things first. In ordinary schemas it comes to an end, or to a
pair that is known, after few more bytes than the shortest text has. `sweep` searches breadth first, so it finds a
shortest text. Captures are passed without their texts. Python passes the addresses of the machine, the product and the
search.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.advance import step
from ..automaton.asking import ask_for_answer
from ..automaton.structs import DocumentMachine
from ..kernels.arrays import Int32s
from ..memory.hash_map import add, make_room, next_slot, slot_of
from ..memory.kernel import exported, kernel
from . import layout as ix
from .steps import mix, row_of
from .structs import Product, Search, SearchEntry


@exported(releases_gil=False)
def find(address: int, code: int, stack: int, q: int) -> int:
    """The number of a pair among the known ones of a search; it is one of them afterwards."""
    return _find(Search.at(address), code, stack, q)


@exported(releases_gil=False)
def known_at(address: int, code: int, stack: int, q: int) -> int:
    """What a search knows of a pair; 0 for nothing."""
    return _known(Search.at(address), code, stack, q)


@kernel
def _known(search: Search, code: int, stack: int, q: int) -> int:
    number = _look_up(search, mix(code, stack, q), code, stack, q)
    return search.known[number].known if number >= 0 else 0


@kernel
def _look_up(search: Search, key: int, code: int, stack: int, q: int) -> int:
    """The number of a pair; -1 where it is not known. key: its own."""
    slot = slot_of(search.index, key)
    while slot >= 0:
        number = search.index.values[slot]
        pair = search.known[number]
        if pair.code == code and pair.stack == stack and pair.q == q:
            return number
        slot = next_slot(search.index, key, slot)
    return -1


@kernel
def _find(search: Search, code: int, stack: int, q: int) -> int:
    """The number of a pair, which is added if need be."""
    key = mix(code, stack, q)
    number = _look_up(search, key, code, stack, q)
    if number >= 0:
        return number
    make_room(search.index)
    number = search.known.reserve(1)
    pair = search.known[number]
    pair.code = code
    pair.stack = stack
    pair.q = q
    pair.known = 0
    add(search.index, key, number)
    return number


@exported
def recall(product_address: int, address: int, known: Int32s) -> None:
    """What a goal knows of the pairs of the walk, into int32 (pairs,) `known`; 0 for nothing."""
    product, search = Product.at(product_address), Search.at(address)
    for number in range(product.pairs.used):
        pair = product.pairs[number]
        known[number] = _known(search, pair.code, pair.stack, pair.q)


@kernel
def _make_room(search: Search, count: int) -> None:
    """Let so many pairs be visited."""
    search.path.ensure(search.path.used + count)
    search.log.ensure(search.log.used + count)


@kernel
def _visit(search: Search, code: int, stack: int, q: int, capture: int, number: int, parent: int, byte: int) -> None:
    """Add a pair to the path (or queue) of a search. BOUNDS: `_make_room`."""
    search.known[number].known = ix.FIRST_SEARCH + search.number
    search.log[search.log.reserve(1)] = number
    entry = search.path[search.path.reserve(1)]
    entry.code = code
    entry.stack = stack
    entry.q = q
    entry.cursor = 0
    entry.capture = capture
    entry.pair = number
    entry.parent = parent
    entry.byte = byte


@exported(releases_gil=False)
def start(address: int, code: int, stack: int, q: int, budget: int, is_guarded: int) -> None:
    """Begin a search at a pair."""
    search = Search.at(address)
    search.number += 1
    search.budget = budget
    search.is_guarded = is_guarded
    search.path.used = 0
    search.log.used = 0
    search.head = 0
    _make_room(search, 1)
    _visit(search, code, stack, q, 0, _find(search, code, stack, q), -1, 0)


@kernel
def _may_come(machine: DocumentMachine, code: int, byte: int) -> int:
    """0 for bytes that surely can't come."""
    return 1 if code >> at.TAG_SHIFT != at.STRUCTURAL else machine.tables.is_structural[byte]


@exported
def dive(machine_address: int, product_address: int, address: int) -> int:
    """Search depth first: FOUND, EXHAUSTED or OVER_BUDGET. Where it waits, call it again.

    FOUND: all pairs on the way are known to lead to the goal. EXHAUSTED: all pairs that it visited are known not to.
    """
    machine, product, search = DocumentMachine.at(machine_address), Product.at(product_address), Search.at(address)
    machine.is_exact = 0
    while search.path.used:
        if search.log.used > search.budget:
            return ix.OVER_BUDGET
        _make_room(search, 1)
        status = _go_deeper(machine, product, search, search.path[search.path.used - 1])
        if status == ix.EXHAUSTED:
            search.path.used -= 1
        elif status == ix.FOUND:
            return status
    _bury(search)
    return ix.EXHAUSTED


@kernel
def _next_pair(machine: DocumentMachine, product: Product, entry: SearchEntry) -> tuple[int, int, int]:
    """The pair after the next byte that an entry can take: (code, stack node, q). The code is DEAD where none is left.

    The entry's cursor stands at that byte, until the caller has done with the pair and moves it on.
    """
    row, preference = row_of(product, entry.q), product.preference
    for index in range(entry.cursor, 256):
        byte = preference[index]
        q = row[byte]
        if q < 0 or not _may_come(machine, entry.code, byte):
            continue
        entry.cursor = index
        machine.captured = 0
        code, stack = step(machine, entry.code, entry.stack, byte)
        if code >= 0:
            return code, stack, q
    return at.DEAD, 0, 0


@kernel
def _may_leave(product: Product, search: Search, q: int) -> bool:
    """True where a document may leave a state of the regular side. Python says it once for each state."""
    answer = search.answers[q]
    if answer == ix.UNKNOWN:
        ask_for_answer(product.request, q)
    return answer == ix.YES


@kernel
def _go_deeper(machine: DocumentMachine, product: Product, search: Search, top: SearchEntry) -> int:
    """Try the next bytes after the top of the path.

    DEEPER where a pair was added to the path; FOUND where the goal is reached, or a pair from which it is known to be
    reached; EXHAUSTED where no byte leads on.
    """
    while True:
        code, stack, q = _next_pair(machine, product, top)
        if code < 0:
            return ix.EXHAUSTED
        captured = machine.captured
        if code == at.DONE:
            if _may_leave(product, search, q):
                _keep_path(search, ix.CLEAN, captured)
                return ix.FOUND
        else:
            number = _find(search, code, stack, q)
            known = search.known[number].known
            if ix.CLEAN <= known <= ix.DOUBTFUL:
                _keep_path(search, known, captured)
                return ix.FOUND
            if known != ix.LOST and known != ix.FIRST_SEARCH + search.number:
                byte = product.preference[top.cursor]
                top.cursor += 1
                _visit(search, code, stack, q, captured, number, -1, byte)
                return ix.DEEPER
        top.cursor += 1


@kernel
def _keep_path(search: Search, known: int, captured: int) -> None:
    """Note that the pairs of the path lead to the goal: CLEAN, CAPTURING or DOUBTFUL, by the captures after each.

    known: what is known of the pair after the path; CLEAN at the goal. captured: the capture on the last step there.
    A text with two captures of one frame is doubtful, and so is one with a capture that goes on from a CAPTURING pair,
    as it is not known which captures follow there.
    """
    path, pairs, is_vague = search.path.span(), search.known.span(), known == ix.CAPTURING
    depth, last = search.path.used, captured
    for index in range(depth - 1, -1, -1):
        if captured:
            is_doubtful = is_vague or search.is_guarded != 0 or (index < depth - 1 and captured == last)
            if captured == at.VERIFY:
                is_doubtful = True
            for later in range(index + 2, depth):
                if path[later].capture == captured:
                    is_doubtful = True
            known = ix.DOUBTFUL if is_doubtful or known == ix.DOUBTFUL else ix.CAPTURING
        pairs[path[index].pair].known = known
        captured = path[index].capture


@kernel
def _bury(search: Search) -> None:
    """Note that no pair which this search visited leads to the goal."""
    log, known = search.log.span(), search.known.span()
    for index in range(search.log.used):
        known[log[index]].known = ix.LOST


@exported
def sweep(machine_address: int, product_address: int, address: int) -> int:
    """Search breadth first: FOUND, EXHAUSTED or OVER_BUDGET. Where it waits, call it again.

    FOUND: the entry at the head is the last pair before the goal, and its cursor stands at the byte that leads there.
    """
    machine, product, search = DocumentMachine.at(machine_address), Product.at(product_address), Search.at(address)
    machine.is_exact = 0
    while search.head < search.path.used:
        if search.log.used > search.budget:
            return ix.OVER_BUDGET
        _make_room(search, 256)
        status = _look_around(machine, product, search, search.head)
        if status != ix.EXHAUSTED:
            return status
        search.head += 1
    return ix.EXHAUSTED


@kernel
def _look_around(machine: DocumentMachine, product: Product, search: Search, head: int) -> int:
    """Visit the pairs after an entry of the queue. FOUND where a byte reaches the goal, EXHAUSTED otherwise."""
    entry = search.path[head]
    while True:
        code, stack, q = _next_pair(machine, product, entry)
        if code < 0:
            return ix.EXHAUSTED
        if code == at.DONE:
            if _may_leave(product, search, q):
                return ix.FOUND
        else:
            number = _find(search, code, stack, q)
            if search.known[number].known != ix.FIRST_SEARCH + search.number:
                byte = product.preference[entry.cursor]
                _visit(search, code, stack, q, machine.captured, number, head, byte)
        entry.cursor += 1
