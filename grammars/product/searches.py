"""Kernels: whether a document can go on from a pair to an end that its goal takes.

`dive` tries one text, the bytes that end things first, and takes back what leads nowhere: in ordinary schemas it comes
to an end within the bytes of a shortest text, or at a pair that is known. `sweep` looks at all texts, shortest first.
Captures are passed without their texts. Python calls kernels with the addresses of the machine, the product and
the search.
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
def recall(product: int, address: int, known: Int32s) -> None:
    """What a goal knows of the pairs of the walk, into int32 (pairs,) `known`; 0 for nothing."""
    both, search = Product.at(product), Search.at(address)
    for number in range(both.pairs.used):
        pair = both.pairs[number]
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
def dive(machine_address: int, product: int, address: int) -> int:
    """Depth first: FOUND, and what it passed is known as such; EXHAUSTED; OVER_BUDGET. Where it waits, call again."""
    machine, both, search = DocumentMachine.at(machine_address), Product.at(product), Search.at(address)
    machine.is_exact = 0
    while search.path.used:
        if search.log.used > search.budget:
            return ix.OVER_BUDGET
        _make_room(search, 1)
        status = _go_deeper(machine, both, search, search.path[search.path.used - 1])
        if status == ix.EXHAUSTED:
            search.path.used -= 1
        elif status != ix.FIRST_SEARCH:
            return status
    _bury(search)
    return ix.EXHAUSTED


@kernel
def _go_deeper(machine: DocumentMachine, both: Product, search: Search, top: SearchEntry) -> int:
    """Add a pair to the path (FIRST_SEARCH), or EXHAUSTED, FOUND."""
    code, stack, q = top.code, top.stack, top.q
    row, preference = row_of(both, q), both.preference
    for index in range(top.cursor, 256):
        byte = preference[index]
        next_q = row[byte]
        if next_q < 0 or not _may_come(machine, code, byte):
            continue
        top.cursor = index
        machine.captured = 0
        next_code, next_stack = step(machine, code, stack, byte)
        if next_code < 0:
            continue
        captured = machine.captured
        if next_code == at.DONE:
            answer = search.answers[next_q]
            if answer == ix.UNKNOWN:
                ask_for_answer(both.request, next_q)
            if answer == ix.YES:
                _keep_path(search, ix.CLEAN, captured)
                return ix.FOUND
            continue
        number = _find(search, next_code, next_stack, next_q)
        known = search.known[number].known
        if ix.CLEAN <= known <= ix.DOUBTFUL:
            _keep_path(search, known, captured)
            return ix.FOUND
        if known != ix.LOST and known != ix.FIRST_SEARCH + search.number:
            top.cursor = index + 1
            _visit(search, next_code, next_stack, next_q, captured, number, -1, byte)
            return ix.FIRST_SEARCH
    return ix.EXHAUSTED


@kernel
def _keep_path(search: Search, known: int, captured: int) -> None:
    """Note of the pairs of the path that the goal can be reached. known, captured: of the last step and what follows.

    Captures of one frame that a text passes more than once make it doubtful; those behind a known pair are not known.
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
    """Note of all pairs that this search visited that the goal can't be reached."""
    log, known = search.log.span(), search.known.span()
    for index in range(search.log.used):
        known[log[index]].known = ix.LOST


@exported
def sweep(machine_address: int, product: int, address: int) -> int:
    """Breadth first: FOUND (the head is the pair before the end), EXHAUSTED; OVER_BUDGET. As `dive`."""
    machine, both, search = DocumentMachine.at(machine_address), Product.at(product), Search.at(address)
    machine.is_exact = 0
    while search.head < search.path.used:
        if search.log.used > search.budget:
            return ix.OVER_BUDGET
        _make_room(search, 256)
        status = _look_around(machine, both, search, search.head)
        if status != ix.EXHAUSTED:
            return status
        search.head += 1
    return ix.EXHAUSTED


@kernel
def _look_around(machine: DocumentMachine, both: Product, search: Search, head: int) -> int:
    """Visit the pairs after an entry of the queue: EXHAUSTED, FOUND."""
    entry = search.path[head]
    code, stack, q = entry.code, entry.stack, entry.q
    row, preference = row_of(both, q), both.preference
    visited = ix.FIRST_SEARCH + search.number
    for index in range(entry.cursor, 256):
        byte = preference[index]
        next_q = row[byte]
        if next_q < 0 or not _may_come(machine, code, byte):
            continue
        entry.cursor = index
        machine.captured = 0
        next_code, next_stack = step(machine, code, stack, byte)
        if next_code < 0:
            continue
        captured = machine.captured
        if next_code == at.DONE:
            answer = search.answers[next_q]
            if answer == ix.NO:
                continue
            if answer == ix.UNKNOWN:
                ask_for_answer(both.request, next_q)
            return ix.FOUND
        number = _find(search, next_code, next_stack, next_q)
        if search.known[number].known != visited:
            _visit(search, next_code, next_stack, next_q, captured, number, head, byte)
    return ix.EXHAUSTED
