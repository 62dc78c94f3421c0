"""Kernels: whether a document can go on from a pair to an end that its goal accepts.

A search steps from pair to pair, byte by byte. Captures are passed without their texts. A depth-first search tries
bytes that end things first. With ordinary schemas it reaches an end, or a known pair, after few more bytes than the
shortest text has. A breadth-first search finds a shortest text. Python passes the addresses of the machine, the product
and the search.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int32s
from ...memory.hash_map import slot_of
from ...memory.kernel import exported, kernel
from .. import asking
from .. import layout as at
from ..advance import step
from ..codes import begins_document, tag_of
from ..machine import Machine
from . import layout as ix
from .steps import find, number_of, row_of
from .structs import ProductSearch, ProductWalk, SearchEntry


@exported(releases_gil=False)
def known_at(address: int, code: int, stack: int, q: int) -> int:
    """Return a search's answer for a pair; 0 if it is unknown."""
    return _known(ProductSearch.at(address), code, stack, q)


@exported(releases_gil=False)
def note_known(address: int, code: int, stack: int, q: int, known: int) -> None:
    """Keep the answer for a pair."""
    search = ProductSearch.at(address)
    search.known[_find(search, code, stack, q)].known = known


@kernel
def _known(search: ProductSearch, code: int, stack: int, q: int) -> int:
    number = find(search, code, stack, q, 0)
    return search.known[number].known if number >= 0 else 0


@kernel
def _find(search: ProductSearch, code: int, stack: int, q: int) -> int:
    """Return the number of a pair, added if it is new."""
    search.known.ensure(search.pairs.used + 1)
    number = number_of(search, code, stack, q, 0)
    if number == search.known.used:
        pair = search.known[search.known.reserve(1)]
        pair.known = 0
        pair.visited_by = 0
    return number


@exported
def recall(product_address: int, address: int, known: Int32s) -> None:
    """Copy a goal's answers for the walk's pairs into `known`, int32 (pairs,); 0 if unknown."""
    product, search = ProductWalk.at(product_address), ProductSearch.at(address)
    for number in range(product.pairs.used):
        pair = product.pairs[number]
        known[number] = _known(search, pair.code, pair.stack, pair.q)


@exported(releases_gil=False)
def begin_search(address: int, code: int, stack: int, q: int, budget: int, is_deep: int) -> None:
    """Set up a search from a pair. is_deep: 1 for depth first, 0 for breadth first."""
    search = ProductSearch.at(address)
    search.number += 1
    search.budget = budget
    search.is_deep = is_deep
    search.has_found = 0
    search.here = 0
    search.entries.used = 0
    search.entries.ensure(1)
    _visit(search, code, stack, q, 0, _find(search, code, stack, q), -1, 0)


@kernel
def _visit(
    search: ProductSearch, code: int, stack: int, q: int, capture: int, number: int, parent: int, byte: int
) -> None:
    """Add a pair to the entries of a search. BOUNDS: callers made room."""
    search.known[number].visited_by = search.number
    entry = search.entries[search.entries.reserve(1)]
    entry.code = code
    entry.stack = stack
    entry.q = q
    entry.cursor = 0
    entry.capture = capture
    entry.pair = number
    entry.parent = parent
    entry.byte = byte


@exported
def run_search(machine_address: int, product_address: int, address: int) -> int:
    """Go on with a search. Returns FOUND, EXHAUSTED or OVER_BUDGET. If it waits for Python, call it again.

    The kernel also waits after `work_left` entries, so that Python looks at the time limit.

    FOUND: the cursor of the entry `here` is at the byte that leads to the goal. In a search depth first, the byte may
        lead to a pair that is known to reach the goal. All pairs on the way are noted as leading to the goal.
    EXHAUSTED: if nothing was found, all visited pairs are noted as LOST.
    """
    machine, product, search = Machine.at(machine_address), ProductWalk.at(product_address), ProductSearch.at(address)
    machine.is_exact = 0
    while 0 <= search.here < search.entries.used:
        if search.entries.used > search.budget:
            return ix.OVER_BUDGET
        if search.work_left <= 0:
            asking.ask(product.request, asking.PAUSE)
        search.entries.ensure(search.entries.used + 1)
        search.work_left -= 1
        entry = search.entries[search.here]
        status = _go_on(machine, product, search, entry)
        if status == ix.FOUND:
            search.has_found = 1
            return ix.FOUND
        if status == ix.EXHAUSTED:
            search.here = entry.parent if search.is_deep else search.here + 1
        elif search.is_deep:
            search.here = search.entries.used - 1
    if not search.has_found:
        for index in range(search.entries.used):
            search.known[search.entries[index].pair].known = ix.LOST
    return ix.EXHAUSTED


@kernel
def _go_on(machine: Machine, product: ProductWalk, search: ProductSearch, entry: SearchEntry) -> int:
    """Try the next bytes after an entry. Returns WENT_ON if a new pair was visited, FOUND, or EXHAUSTED."""
    while True:
        code, stack, q = _next_pair(machine, product, entry)
        if code < 0:
            return ix.EXHAUSTED
        captured = machine.captured
        if has_left(code):
            if _may_leave(product, search, q):
                _note_way(search, ix.CLEAN, captured)
                return ix.FOUND
        else:
            number = _find(search, code, stack, q)
            pair = search.known[number]
            if search.is_deep and ix.CLEAN <= pair.known <= ix.DOUBTFUL:
                _note_way(search, pair.known, captured)
                return ix.FOUND
            if pair.known != ix.LOST and pair.visited_by != search.number:
                byte = product.preference[entry.cursor]
                entry.cursor += 1
                _visit(search, code, stack, q, captured, number, search.here, byte)
                return ix.WENT_ON
        entry.cursor += 1


@kernel
def has_left(code: int) -> int:
    """Return 1 if a document has ended: nothing follows it, or a state of rules, or another document."""
    return 1 if code == at.DONE or tag_of(code) == at.LOCAL or begins_document(code) else 0


@kernel
def _next_pair(machine: Machine, product: ProductWalk, entry: SearchEntry) -> tuple[int, int, int]:
    """Return the pair (code, stack node, q) after the next byte that an entry can take; the code is DEAD if no byte is
    left.

    The entry's cursor stays at that byte until the caller moves it on.
    """
    row, preference = row_of(product, machine.tables.dfa, entry.q), product.preference
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
def _may_come(machine: Machine, code: int, byte: int) -> int:
    """Return 0 for bytes that can't come; 1 for all others."""
    return 1 if code >> at.TAG_SHIFT != at.STRUCTURAL else machine.tables.is_structural[byte]


@kernel
def _may_leave(product: ProductWalk, search: ProductSearch, q: int) -> bool:
    """Return True if the document may end in state q of the regular side. Asks Python once for each state."""
    slot = slot_of(search.answers, q << 32 | 1)
    if slot < 0:
        asking.ask(product.request, asking.ANSWER, state=q)
    return search.answers.values[slot] == 1


@kernel
def _note_way(search: ProductSearch, known: int, captured: int) -> None:
    """Note that all pairs on the way to `here` lead to the goal: CLEAN, CAPTURING or DOUBTFUL, by the captures after
    each.

    known: answer for the pair after `here`; CLEAN at the goal.
    captured: capture on the step to that pair.

    Two captures of one frame make a way DOUBTFUL. A capture before a CAPTURING pair does the same, since the captures
    after that pair are not recorded.
    """
    is_vague, capture, after, index = known == ix.CAPTURING, captured, -1, search.here
    while index >= 0:
        entry = search.entries[index]
        if capture:
            is_doubtful = is_vague or capture == at.VERIFY
            if is_doubtful or known == ix.DOUBTFUL or _comes_again(search, capture, after, captured):
                known = ix.DOUBTFUL
            else:
                known = ix.CAPTURING
        pair = search.known[entry.pair]
        if pair.known == 0 or known < pair.known:
            pair.known = known
        capture, after, index = entry.capture, index, entry.parent


@kernel
def _comes_again(search: ProductSearch, capture: int, after: int, captured: int) -> bool:
    """Return True if a capture occurs again on the way from an entry to the goal.

    after: the entry; -1 for the goal.
    captured: capture on the step from `here`.
    """
    if after < 0:
        return False
    index = search.here
    while captured != capture and index != after:
        captured = search.entries[index].capture
        index = search.entries[index].parent
    return captured == capture
