"""Kernels: the machine and the regular side in step, over the tokens of a vocabulary."""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int32s
from ...memory.hash_map import add, forget, hash_three, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.rows import row_at
from ...memory.structs import Array, Table, int32
from .. import asking
from .. import layout as at
from ..advance import step
from ..codes import local_state_of, tag_of
from ..interiors import set_tokens
from ..machine import Machine
from ..rules.rows import make_ready_for
from ..rules.steps import may_fork
from ..structs import Dfa, Tables
from . import layout as ix
from .structs import Arrival, ProductWalk, QueueEntry


@exported(releases_gil=False)
def begin_walk(address: int, node: int, code: int, stack: int, q: int) -> None:
    """Set up a walk of the nodes under a node of the vocabulary's trie. address: address of the ProductWalk."""
    product = ProductWalk.at(address)
    _forget_pairs(product)
    product.tokens.used = 0
    product.forks.used = 0
    product.queue.used = 0
    product.head = 0
    product.cursor = 0
    _append(product, node, code, stack, q, 0, -1)


@kernel
def _forget_pairs(product: ProductWalk) -> None:
    for number in range(product.pairs.used):
        pair = product.pairs[number]
        forget(product.pair_index, hash_three(pair.code, pair.stack, pair.q + (pair.capture << 20)))
    product.pairs.used = 0


@exported
def walk(machine_address: int, address: int) -> int:
    """Find the pair that each token leads to, and return the number of pairs. If it waits for Python, call it again.

    machine_address, address: addresses of the Machine and the ProductWalk.

    If a JSON document or other text may begin inside a token, the walk notes a fork for the document and follows the
    other text.
    """
    machine, product = Machine.at(machine_address), ProductWalk.at(address)
    machine.is_exact = 0
    head = product.head
    while head < product.queue.used:
        _expand(machine, product, product.queue[head])
        head += 1
        product.head = head
        product.cursor = 0
    return product.pairs.used


@kernel
def _expand(machine: Machine, product: ProductWalk, entry: QueueEntry) -> None:
    """Step through the children of an entry of the queue, from the cursor on."""
    node, code, q, pair = entry.node, entry.code, entry.q, entry.pair
    tables = machine.tables
    row, trie = row_of(product, tables.dfa, q), tables.trie
    bytes_ = trie.byte
    first, end = trie.first_child[node], trie.first_child[node + 1]
    if tag_of(code) == at.LOCAL:
        make_ready_for(machine.rules, local_state_of(code), end - first)
    for child in range(first + product.cursor, end):
        byte = bytes_[child]
        next_q = row[byte]
        if next_q >= 0:
            product.cursor = child - first
            _step_into(machine, product, entry, child, byte, next_q, pair)


@kernel
def row_of(product: ProductWalk, dfa: Dfa, q: int) -> Array[int32]:
    """Return the row of a state of the regular side."""
    row = dfa.rows[q]
    if row[0] == at.UNBUILT:
        asking.ask(product.request, asking.ROW, state=q)
    return row


@kernel
def _step_into(
    machine: Machine,
    product: ProductWalk,
    entry: QueueEntry,
    child: int,
    byte: int,
    next_q: int,
    pair: int,
) -> None:
    """Step from an entry of the queue to a node, by its byte.

    next_q: state of the regular side after the byte.
    pair: number of the pair before the byte; -1 if unknown.
    """
    code, stack, capture = entry.code, entry.stack, entry.capture
    machine.captured = at.UNTAINTED
    next_code, next_stack = step(machine, code, stack, byte)
    captured = machine.captured
    if next_code < 0:
        return
    next_capture = capture if captured == 0 else captured if capture == 0 else ix.SEVERAL
    if tag_of(next_code) == at.LOCAL and next_capture != ix.SEVERAL and next_capture != at.VERIFY:
        next_capture = 0  # the container's document has ended
    is_same = next_code == code and next_stack == stack and next_q == entry.q and next_capture == capture
    next_pair = number_of(product, next_code, next_stack, next_q, next_capture) if not is_same or pair < 0 else pair
    _enter(machine, product, child, next_code, next_stack, next_q, next_capture, next_pair)


@kernel
def _enter(
    machine: Machine, product: ProductWalk, node: int, code: int, stack: int, q: int, capture: int, pair: int
) -> None:
    """Handle a node that the walk reached in a pair: note the tokens that end there, and queue the node.

    If all bytes below leave the pair unchanged, all tokens below are noted at once.
    """
    tables = machine.tables
    trie = tables.trie
    if may_fork(machine, code):
        _note(product.forks, node, pair)
    is_leaf = code == at.DONE or trie.first_child[node] == trie.first_child[node + 1]
    if not is_leaf and trie.below[node] & ~(_machine_loops(machine, code) & tables.dfa.loops[q]) == 0:
        _note(product.tokens, node | ix.SUBTREE, pair)
        return
    if trie.own_end[node] > trie.token_start[node]:
        _note(product.tokens, node, pair)
    if not is_leaf:
        _append(product, node, code, stack, q, capture, pair)


@kernel
def _machine_loops(machine: Machine, code: int) -> int:
    """Return the byte classes that leave a configuration of the machine unchanged."""
    if tag_of(code) == at.LOCAL:
        return machine.rules.loops[local_state_of(code)]
    return machine.tables.dfa.loops[code & at.MASK32] if tag_of(code) == at.STRING else 0


@kernel
def _append(product: ProductWalk, node: int, code: int, stack: int, q: int, capture: int, pair: int) -> None:
    """Add an entry to the queue."""
    entry = product.queue[product.queue.reserve(1)]
    entry.node = node
    entry.code = code
    entry.stack = stack
    entry.q = q
    entry.capture = capture
    entry.pair = pair


@kernel
def _note(arrivals: Table[Arrival], node: int, pair: int) -> None:
    """Add an entry to the tokens or forks of a walk."""
    arrival = arrivals[arrivals.reserve(1)]
    arrival.node = node
    arrival.pair = pair


@kernel
def number_of(product: ProductWalk, code: int, stack: int, q: int, capture: int) -> int:
    """Return the number of a pair, added if it is new."""
    key = hash_three(code, stack, q + (capture << 20))
    slot = slot_of(product.pair_index, key)
    while slot >= 0:
        number = product.pair_index.values[slot]
        pair = product.pairs[number]
        if pair.code == code and pair.stack == stack and pair.q == q and pair.capture == capture:
            return number
        slot = next_slot(product.pair_index, key, slot)
    make_room(product.pair_index)
    number = product.pairs.reserve(1)
    pair = product.pairs[number]
    pair.code = code
    pair.stack = stack
    pair.q = q
    pair.capture = capture
    add(product.pair_index, key, number)
    return number


@exported
def allow(tables: int, row: int, nodes: Int32s) -> None:
    """Set the bits of the tokens at some nodes of the trie.

    tables, row: addresses of the vocabulary's Tables and of the mask's row.
    nodes: nodes of the trie. With SUBTREE all tokens below count, too; -1 - token id stands for one token.
    """
    trie = Tables.at(tables).trie
    mask = row_at(row, trie.num_words)
    for index in range(len(nodes)):
        node = int(nodes[index])
        if node < 0:
            mask[(-1 - node) >> 5] |= 1 << ((-1 - node) & 31)
        else:
            bare = node & (ix.SUBTREE - 1)
            set_tokens(trie, bare, trie.token_end[bare] if node & ix.SUBTREE else trie.own_end[bare], mask)
