"""Kernels: intersections and complements of Languages, as states of several DFAs that step together.

A product state has one state of each leaf (a Language that others combine); DEAD if a leaf can't match any more. A
program decides whether the combination holds: leaves and operations in postfix order. Characters from U+0080 on are in
classes that all leaves read alike; one character stands for each class. Product states are made when a text first gets
there. Sets of positions (`subsets`) include them if they lead to an accepting one (`set_rows`).

PERF: a product state takes 1 to 3 us; as derivatives of Languages it took 100 us to 1 ms.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.hash_map import add, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ...memory.structs import Array
from .. import layout as at
from ..structs import Dfa, Product
from .sets import add_closure, begin_set, is_universal, node_after, plain_target, state_of_set

_FALSE: Final = 0
_TRUE: Final = 1
_UNKNOWN: Final = 2
_NEW_STATES: Final = 256  # maximum number of new states after one product state
MAX_THREADS: Final = 4096  # maximum number of threads of a product state


@exported(releases_gil=False)
def first_product_state(address: int, product: int) -> int:
    """Return the product state with all leaves at their beginning; DEAD if no text follows. address: address of the
    Dfa.
    """
    dfa = Dfa.at(address)
    make_room(dfa, dfa.products[product], 1)
    leaf_states, first = dfa.leaf_states.span(), dfa.products[product].first_start
    for leaf in range(dfa.products[product].num_leaves):
        leaf_states[leaf] = dfa.product_members[first + leaf]
    return interned(dfa, product)


@kernel
def product_of(dfa: Dfa, number: int) -> Product:
    """Return the product of a product state."""
    return dfa.products[dfa.product_states[number].product]


@kernel
def leaves_of(dfa: Dfa, number: int) -> Array[int]:
    """Return the states of its leaves."""
    return dfa.product_members.span().part(dfa.product_states[number].first, product_of(dfa, number).num_leaves)


@kernel
def position_of(dfa: Dfa, state: int) -> int:
    """Return the position that is the leaf's only member and needs no row; -1 for other leaves."""
    if state == at.DEAD:
        return -1
    items = dfa.set_of[state]
    if items.count != 1 or items.spelling == at.SOURCE_SPELLING:
        return -1
    member = dfa.members[items.first]
    return member if member < at.FIRST_SET_ITEM else -1


@kernel
def _reads(dfa: Dfa, position: int, byte: int) -> int:
    """Return 1 if a position reads the ASCII character `byte`, else 0."""
    reads = dfa.positions[position].reads
    return dfa.char_sets[reads].ascii[byte >> 6] >> (byte & 63) & 1 if reads >= 0 else 0


@kernel
def move_alike(dfa: Dfa, number: int, byte: int, other: int) -> bool:
    """Return True if two ASCII characters lead all leaves to the same states. BOUNDS: the leaves' rows are made."""
    for leaf_state in leaves_of(dfa, number):
        position = position_of(dfa, leaf_state)
        if position >= 0:
            if _reads(dfa, position, byte) != _reads(dfa, position, other):
                return False
        elif leaf_state != at.DEAD and dfa.rows[leaf_state][byte] != dfa.rows[leaf_state][other]:
            return False
    return True


@kernel
def state_after(dfa: Dfa, position: int) -> int:
    """Return the state after a position; kept, since sets of products are made from states met before."""
    run = dfa.position_runs[position]
    if run.after == 0:
        begin_set(dfa)
        add_closure(dfa, dfa.positions[position].following)
        run.after = state_of_set(dfa, at.TEXT_SPELLING) - at.DEAD + 1
    return run.after + at.DEAD - 1


@kernel
def _leaf_after(dfa: Dfa, state: int, byte: int) -> int:
    """Return the state of a leaf after an ASCII character; DEAD if none. BOUNDS: as for `step`."""
    position = position_of(dfa, state)
    if position >= 0:
        return state_after(dfa, position) if _reads(dfa, position, byte) else at.DEAD
    return _next_of_leaf(dfa, state, byte)


@kernel
def _next_of_leaf(dfa: Dfa, state: int, byte: int) -> int:
    """Return the state of a leaf after a byte; its row need not be made if it is a set without products."""
    if state == at.DEAD or dfa.rows[state][0] != at.UNBUILT:
        return at.DEAD if state == at.DEAD else dfa.rows[state][byte]
    return plain_target(dfa, state, byte)


@kernel
def _leaf_after_class(dfa: Dfa, number: int, state: int, char_class: int) -> int:
    """Return the state of a leaf after a class of characters; DEAD if none. BOUNDS: as `step_class`."""
    position, node = position_of(dfa, state), 0
    if position >= 0:
        reads = dfa.positions[position].reads
        node = dfa.char_sets[reads].others if reads >= 0 else 0
    for index in range(4):
        byte = class_byte(dfa, number, char_class, index)
        if byte and position >= 0:
            node = node_after(dfa, node, byte)
        elif byte:
            state = _next_of_leaf(dfa, state, byte)
    if position >= 0:
        return state_after(dfa, position) if node else at.DEAD
    return state


@kernel
def step(dfa: Dfa, number: int, byte: int) -> int:
    """Return the product state after an ASCII character; DEAD if none. BOUNDS: the arcs after this state are known."""
    leaf_states, before = dfa.leaf_states.span(), leaves_of(dfa, number)
    for leaf in range(len(before)):
        leaf_states[leaf] = _leaf_after(dfa, before[leaf], byte)
    return interned(dfa, dfa.product_states[number].product)


@kernel
def step_class(dfa: Dfa, number: int, char_class: int) -> int:
    """Return the product state after a class of characters; DEAD if none. BOUNDS: the arcs after this state are
    known.
    """
    leaf_states, before = dfa.leaf_states.span(), leaves_of(dfa, number)
    for leaf in range(len(before)):
        leaf_states[leaf] = _leaf_after_class(dfa, number, before[leaf], char_class)
    return interned(dfa, dfa.product_states[number].product)


@kernel
def class_byte(dfa: Dfa, number: int, char_class: int, index: int) -> int:
    """Return byte `index` of the character of a class; 0 after its last byte."""
    return dfa.class_characters[product_of(dfa, number).first_class + char_class] >> 8 * index & 255


@kernel
def make_room(dfa: Dfa, product: Product, count: int) -> None:
    """Make room for `count` more product states with as many arcs. Growing a table starts the kernel again."""
    dfa.leaf_states.ensure(product.num_leaves)
    dfa.product_states.ensure(dfa.product_states.used + count)
    dfa.product_members.ensure(dfa.product_members.used + count * product.num_leaves)
    dfa.product_arcs.ensure(dfa.product_arcs.used + count)
    keys = dfa.product_index.keys
    if 2 * (keys.used + count) >= keys.capacity:
        keys.ensure(2 * keys.capacity)


@kernel
def interned(dfa: Dfa, product: int) -> int:
    """Look up the product state for `dfa.leaf_states`; add it if it is new. Return DEAD if nothing can be accepted."""
    num_leaves, leaf_states = dfa.products[product].num_leaves, dfa.leaf_states.span()
    value = _value(dfa, product, False)
    if value == _FALSE:
        return at.DEAD
    if value == _TRUE:  # accepts whatever follows
        for leaf in range(num_leaves):
            if leaf_states[leaf] != at.DEAD and not _has_all_texts(dfa, leaf_states[leaf]):
                leaf_states[leaf] = at.DEAD
    found = leaf_states.part(0, num_leaves)
    key = hash_of(found, product)
    slot = slot_of(dfa.product_index, key)
    while slot >= 0:
        number = dfa.product_index.values[slot]
        known = dfa.product_states[number]
        if known.product == product and are_equal(dfa.product_members.span().part(known.first, num_leaves), found):
            return number
        slot = next_slot(dfa.product_index, key, slot)
    number = dfa.product_states.used
    dfa.product_states.used = number + 1
    first = dfa.product_members.used
    dfa.product_members.used = first + num_leaves
    for leaf in range(num_leaves):
        dfa.product_members[first + leaf] = leaf_states[leaf]
    state = dfa.product_states[number]
    state.product = product
    state.first = first
    state.accepts = 1 if _value(dfa, product, True) == _TRUE else 0
    state.life = at.LIVE if state.accepts or value == _TRUE else at.UNDECIDED
    state.live_classes = 0
    state.is_settled = 0
    state.first_arc = -1
    state.num_arcs = 0
    state.last_arc_to = -1
    state.mark = 0
    state.visited = 0
    state.run_classes = -1
    state.loose = 0
    state.is_near = 0
    add(dfa.product_index, key, number)
    return number


@kernel
def _value(dfa: Dfa, product: int, at_end: bool) -> int:
    """Evaluate the combination of the leaf states: for a text that ends here, or for everything that can follow."""
    values, fields = 0, dfa.products[product]  # `values` is a stack, two bits each
    for operation in dfa.operations.span().part(fields.first_operation, fields.num_operations):
        if operation == at.COMPLEMENT:
            values ^= 1 if values & 3 != _UNKNOWN else 0
        elif operation == at.INTERSECTION:
            first, second = values >> 2 & 3, values & 3
            both = _FALSE if first == _FALSE or second == _FALSE else max(first, second)
            values = values >> 4 << 2 | both
        else:
            leaf_state, value = dfa.leaf_states[operation], _UNKNOWN
            if leaf_state == at.DEAD:
                value = _FALSE
            elif _has_all_texts(dfa, leaf_state):
                value = _TRUE
            elif at_end:
                value = _TRUE if dfa.states[leaf_state].accepts >= 0 else _FALSE
            values = values << 2 | value
    return values


@kernel
def _has_all_texts(dfa: Dfa, state: int) -> bool:
    """Return True if all texts follow a state that is a set (`sets` keeps such sets in a fixed form)."""
    items = dfa.set_of[state]
    if items.count != 2 or items.spelling == at.SOURCE_SPELLING:
        return False
    return is_universal(dfa, dfa.members[items.first + 1])


@kernel
def find_arcs(dfa: Dfa, number: int) -> None:
    """Add the arcs from a product state to those after it. BOUNDS: the rows of its leaves, also within classes, are
    made.
    """
    make_room(dfa, product_of(dfa, number), _NEW_STATES)
    first = dfa.product_arcs.used
    dfa.product_mark += 1
    for char_class in range(product_of(dfa, number).num_classes):
        add_arc(dfa, number, step_class(dfa, number, char_class))
    for byte in range(128):
        if byte == 0 or not move_alike(dfa, number, byte, byte - 1):
            add_arc(dfa, number, step(dfa, number, byte))
    state = dfa.product_states[number]
    state.first_arc = first
    state.num_arcs = dfa.product_arcs.used - first


@kernel
def list_successors(dfa: Dfa, number: int) -> None:
    """List the product states after one. BOUNDS: as `find_arcs`."""
    make_room(dfa, product_of(dfa, number), _NEW_STATES)
    dfa.product_successors.ensure(_NEW_STATES)
    dfa.product_successors.used = 0
    dfa.product_mark += 1
    for char_class in range(product_of(dfa, number).num_classes):
        _list_successor(dfa, step_class(dfa, number, char_class))
    for byte in range(128):
        if byte == 0 or not move_alike(dfa, number, byte, byte - 1):
            _list_successor(dfa, step(dfa, number, byte))


@kernel
def _list_successor(dfa: Dfa, target: int) -> None:
    if target != at.DEAD and dfa.product_states[target].mark != dfa.product_mark:
        dfa.product_states[target].mark = dfa.product_mark
        dfa.product_successors[dfa.product_successors.used] = target
        dfa.product_successors.used += 1


@kernel
def add_arc(dfa: Dfa, source: int, target: int) -> None:
    if target == at.DEAD:
        return
    state = dfa.product_states[target]
    if state.mark == dfa.product_mark or state.life == at.LIFELESS:
        return
    state.mark = dfa.product_mark
    number = dfa.product_arcs.used
    dfa.product_arcs.used = number + 1
    arc = dfa.product_arcs[number]
    arc.source = source
    arc.target = target
    arc.before = state.last_arc_to
    state.last_arc_to = number


@kernel
def characters_left(dfa: Dfa, number: int) -> int:
    """Return the minimum number of characters before an end, as far as the required leaves tell."""
    least, required, leaves = 0, product_of(dfa, number).required, leaves_of(dfa, number)
    for leaf in range(len(leaves)):
        if required >> leaf & 1 and leaves[leaf] != at.DEAD:
            least = max(least, dfa.states[leaves[leaf]].shortest)
    return least


@kernel
def note_life(dfa: Dfa, number: int) -> None:
    """Note that a product state leads to an accepting one; so do all states with known arcs to it."""
    dfa.pending.ensure(dfa.product_states.used)
    pending, count = dfa.pending.span(), 1
    pending[0] = number
    dfa.product_states[number].life = at.LIVE
    while count:
        count -= 1
        index = dfa.product_states[pending[count]].last_arc_to
        while index >= 0:
            arc = dfa.product_arcs[index]
            if dfa.product_states[arc.source].life == at.UNDECIDED:
                dfa.product_states[arc.source].life = at.LIVE
                pending[count] = arc.source
                count += 1
            index = arc.before


@kernel
def settle(dfa: Dfa, number: int) -> None:
    """Note the classes that lead to a text, and whether all lead to one state. BOUNDS: the targets' life is known."""
    state = dfa.product_states[number]
    state.after_others = at.UNBUILT
    for char_class in range(product_of(dfa, number).num_classes):
        target = step_class(dfa, number, char_class)
        if target != at.DEAD and dfa.product_states[target].life == at.LIVE:
            state.live_classes |= 1 << char_class
        else:
            target = at.DEAD
        if char_class == 0:
            state.after_others = target
        elif state.after_others != target:
            state.after_others = at.UNBUILT
    state.is_settled = 1
