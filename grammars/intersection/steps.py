"""Kernels: the machine and the regular side in step, over the tokens of a vocabulary.

Those of walks serve machines of both kinds: they take a machine's address and its kind.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.advance import step as step_document
from ..automaton.steps import push
from ..automaton.structs import DocumentMachine, Machine, Tables, Trie
from ..kernels.arrays import Int32s, UInt8s
from ..memory.kernel import exported, kernel
from ..memory.rows import row_at
from ..memory.structs import Array, Table, int32
from ..pushdown.rows import ready_for
from ..pushdown.steps import step as step_rules
from ..pushdown.structs import RuleMachine
from . import layout as ix
from .structs import Arrival, Intersection, QueueEntry


@exported(releases_gil=False)
def begin_walk(address: int, node: int, code: int, stack: int, q: int) -> None:
    """Set up a walk of what is under a node of the vocabulary's trie. address: of the intersection."""
    both = Intersection.at(address)
    _forget_pairs(both)
    both.tokens.used = 0
    both.events.used = 0
    both.queue.used = 0
    both.head = 0
    both.cursor = 0
    both.inside = ix.UNASKED
    _append(both, node, code, stack, q, 0, -1)


@kernel
def _forget_pairs(both: Intersection) -> None:
    pairs, index = both.pairs.span(), both.pair_index.span()
    for number in range(both.pairs.used):
        index[pairs[number].place] = 0
    both.pairs.used = 0


@exported
def walk(kind: int, machine: int, address: int) -> int:
    """Find the pair that each token leads to: 0, or WAITING; then call again.

    machine, address: of the machine and the intersection. Where a document ends inside of a token, the walk ends there
    and notes an event; where one may begin, it notes one and goes on with what else there is.
    """
    both = Intersection.at(address)
    if kind == ix.OF_DOCUMENTS:
        DocumentMachine.at(machine).is_exact = 0
    head = both.head
    while head < both.queue.used:
        if _expand(kind, machine, both, both.queue[head]) < 0:
            return ix.WAITING
        head += 1
        both.head = head
        both.cursor = 0
        both.inside = ix.UNASKED
    return 0


@kernel
def _expand(kind: int, machine: int, both: Intersection, entry: QueueEntry) -> int:
    """Step through the children of an entry of the queue; 0, or WAITING, then it is done again from the cursor on."""
    node, code, q, pair = entry.node, entry.code, entry.q, entry.pair
    if both.inside == ix.TAKEN:
        return _leave_inside(kind, machine, both, entry)
    if _is_short_of_room(both):
        return wait(both, ix.NEED_ROOM, 0)
    row, trie = both.rows[q], Machine.at(machine).tables.trie
    if row[0] == ix.UNBUILT:
        return wait(both, ix.NEED_ROW, q)
    bytes_ = trie.byte
    first, end = trie.first_child[node], trie.first_child[node + 1]
    if kind == ix.OF_RULES and ready_for(RuleMachine.at(machine), code, end - first) == at.NEED:
        return wait(both, ix.NEED_MACHINE, 0)
    if both.large and both.inside == ix.UNASKED:
        num_tokens = trie.token_end[node] - trie.token_start[node]
        loops = _machine_loops(kind, machine, code) if num_tokens >= both.large else 0
        if loops:
            return wait(both, ix.NEED_INSIDE, loops)
    for child in range(first + both.cursor, end):
        byte = bytes_[child]
        next_q = row[byte]
        if next_q >= 0 and _step_into(kind, machine, both, entry, child, byte, q, next_q, pair) < 0:
            both.cursor = child - first
            return wait(both, ix.NEED_MACHINE, 0)
    return 0


@kernel
def _leave_inside(kind: int, machine: int, both: Intersection, entry: QueueEntry) -> int:
    """Step over the exits of the inside that is taken; as `_expand`."""
    exits, rows, bytes_ = both.exits, both.rows.span(), Machine.at(machine).tables.trie.byte
    for index in range(both.cursor, len(exits)):
        child, q = exits[index].node, exits[index].q
        both.cursor = index
        if _is_short_of_room(both):
            return wait(both, ix.NEED_ROOM, 0)
        row, byte = rows[q], bytes_[child]
        if row[0] == ix.UNBUILT:
            return wait(both, ix.NEED_ROW, q)
        next_q = row[byte]
        if next_q >= 0 and _step_into(kind, machine, both, entry, child, byte, q, next_q, -1) < 0:
            return wait(both, ix.NEED_MACHINE, 0)
    return 0


@kernel
def _step_into(
    kind: int,
    machine: int,
    both: Intersection,
    entry: QueueEntry,
    child: int,
    byte: int,
    q: int,
    next_q: int,
    pair: int,
) -> int:
    """Step from an entry of the queue, at `q` by now, to a node by its byte; 0, or WAITING for the machine.

    pair: the number of the pair there; -1 when it is not known.
    """
    code, stack, capture, captured = entry.code, entry.stack, entry.capture, 0
    if kind == ix.OF_DOCUMENTS:
        document = DocumentMachine.at(machine)
        document.captured = 0
        next_code, next_stack = step_document(document, code, stack, byte)
        captured = document.captured
    else:
        next_code, next_stack = step_rules(RuleMachine.at(machine), code, stack, byte)
    if next_code < 0:
        return ix.WAITING if next_code == at.NEED else 0
    next_capture = capture if captured == 0 else captured if capture == 0 else ix.SEVERAL
    is_same = next_code == code and next_stack == stack and next_q == q and next_capture == capture
    next_pair = _number(both, next_code, next_stack, next_q, next_capture) if not is_same or pair < 0 else pair
    _enter(kind, machine, both, child, next_code, next_stack, next_q, next_capture, next_pair)
    return 0


@kernel
def _enter(
    kind: int, machine: int, both: Intersection, node: int, code: int, stack: int, q: int, capture: int, pair: int
) -> None:
    """A token may end at a node, in a pair; and the walk goes on from there. BOUNDS: `_expand` has seen to the room."""
    trie = Machine.at(machine).tables.trie
    is_end = kind == ix.OF_DOCUMENTS and code == at.DONE
    if is_end or (kind == ix.OF_RULES and RuleMachine.at(machine).states[code].begins_document):
        _note(both.events, node, pair)
    is_leaf = is_end or trie.first_child[node] == trie.first_child[node + 1]
    if not is_leaf and trie.below[node] & ~(_machine_loops(kind, machine, code) & both.loops[q]) == 0:
        _note(both.tokens, node | ix.SUBTREE, pair)
        return
    if trie.own_end[node] > trie.token_start[node]:
        _note(both.tokens, node, pair)
    if not is_leaf:
        _append(both, node, code, stack, q, capture, pair)


@kernel
def _machine_loops(kind: int, machine: int, code: int) -> int:
    """The kinds of bytes that leave a place of a machine as it is."""
    if kind == ix.OF_RULES:
        return RuleMachine.at(machine).loops[code]
    if code >> at.TAG_SHIFT == at.STRING:
        return DocumentMachine.at(machine).tables.dfa.loops[code & at.MASK32]
    return 0


@kernel
def _is_short_of_room(both: Intersection) -> int:
    """1 when the children of a node might not fit into the lists."""
    is_short = both.queue.used + ix.ROOM > both.queue.capacity or both.tokens.used + ix.ROOM > both.tokens.capacity
    is_short = is_short or both.events.used + ix.ROOM > both.events.capacity
    return 1 if is_short or both.pairs.used + ix.ROOM > both.pairs.capacity else 0


@kernel
def wait(both: Intersection, what: int, argument: int) -> int:
    """Ask Python for something."""
    both.need = what
    both.argument = argument
    return ix.WAITING


@kernel
def _append(both: Intersection, node: int, code: int, stack: int, q: int, capture: int, pair: int) -> None:
    """Add to the queue."""
    tail = both.queue.used
    entry = both.queue[tail]
    entry.node = node
    entry.code = code
    entry.stack = stack
    entry.q = q
    entry.capture = capture
    entry.pair = pair
    both.queue.used = tail + 1


@kernel
def _note(arrivals: Table[Arrival], node: int, pair: int) -> None:
    """Add to the tokens or the events of a walk."""
    count = arrivals.used
    arrival = arrivals[count]
    arrival.node = node
    arrival.pair = pair
    arrivals.used = count + 1


@kernel
def mix(a: int, b: int, c: int, mask: int) -> int:
    """A place in a hash table of mask + 1 places."""
    mixed = a * 0x9E3779B1 + b * 0x85EBCA6B + c * 0xC2B2AE35
    return ((mixed >> 17) ^ mixed ^ (mixed >> 40)) & mask


@kernel
def _number(both: Intersection, code: int, stack: int, q: int, capture: int) -> int:
    """The number of a pair in this walk."""
    pairs, index, mask = both.pairs.span(), both.pair_index.span(), both.pair_index.capacity - 1
    place = mix(code, stack, q + (capture << 20), mask)
    while True:
        found = index[place]
        if found == 0:
            break
        pair = pairs[found - 1]
        if pair.code == code and pair.stack == stack and pair.q == q and pair.capture == capture:
            return found - 1
        place = (place + 1) & mask
    number = both.pairs.used
    pair = pairs[number]
    pair.code = code
    pair.stack = stack
    pair.q = q
    pair.capture = capture
    pair.place = place
    index[place] = number + 1
    both.pairs.used = number + 1
    return number


@exported
def number_pairs(address: int, states: Int32s, numbers: Int32s) -> None:
    """The numbers of the pairs of the place at the head of the queue with each of some q.

    numbers: filled. BOUNDS: there is room for so many pairs.
    """
    both = Intersection.at(address)
    entry = both.queue[both.head]
    for index in range(len(states)):
        numbers[index] = _number(both, entry.code, entry.stack, int(states[index]), entry.capture)


@exported
def look_around(machine_address: int, address: int, code: int, stack: int, q: int, resume: int) -> int:
    """Find the pairs that one byte of a document leads to; 0, or WAITING, then call again with resume = 1.

    What a walk has found stays, but for its pairs. BOUNDS: there is always room for 256 pairs.
    """
    machine, both = DocumentMachine.at(machine_address), Intersection.at(address)
    machine.is_exact = 0
    if not resume:
        _forget_pairs(both)
        both.cursor = 0
    row = both.rows[q]
    if row[0] == ix.UNBUILT:
        return wait(both, ix.NEED_ROW, q)
    for byte in range(both.cursor, 256):
        next_q = row[byte]
        if next_q < 0:
            continue
        machine.captured = 0
        next_code, next_stack = step_document(machine, code, stack, byte)
        if next_code == at.NEED:
            both.cursor = byte
            return wait(both, ix.NEED_MACHINE, 0)
        if next_code >= 0:
            _number(both, next_code, next_stack, next_q, machine.captured)
    return 0


@exported(releases_gil=False)
def push_frame(machine_address: int, parent: int, frame: int) -> int:
    """The stack node of a frame on top of a document machine's stack; NEED when the table is full."""
    return push(DocumentMachine.at(machine_address), parent, frame)


@exported
def enter_pairs(address: int) -> None:
    """Put the pairs of the walk into a hash table that is empty."""
    both = Intersection.at(address)
    index, mask = both.pair_index.span(), both.pair_index.capacity - 1
    for number in range(both.pairs.used):
        pair = both.pairs[number]
        place = mix(pair.code, pair.stack, pair.q + (pair.capture << 20), mask)
        while index[place]:
            place = (place + 1) & mask
        pair.place = place
        index[place] = number + 1


@exported
def allow(address: int, tables: int, row: int, live: UInt8s) -> None:
    """Set the bits of the tokens that the walk found, where their pair is live.

    tables, row: addresses of the vocabulary's tables and of the row of a mask. live: for each pair 1 where it is live.
    """
    tokens, trie = Intersection.at(address).tokens, Tables.at(tables).trie
    mask = row_at(row, trie.num_words)
    for index in range(tokens.used):
        if live[tokens[index].pair] == 1:
            set_tokens(trie, tokens[index].node, mask)


@kernel
def set_tokens(trie: Trie, node: int, row: Array[int32]) -> None:
    """Set the bits of the tokens of a node of the trie; with SUBTREE of all below, too."""
    ids, bare = trie.sorted_ids, node & (ix.SUBTREE - 1)
    end = trie.token_end[bare] if node & ix.SUBTREE else trie.own_end[bare]
    for place in range(trie.token_start[bare], end):
        token = ids[place]
        row[token >> 5] = row[token >> 5] | 1 << (token & 31)
