"""Kernels: DFA states that are sets of positions: how a set is built and becomes a state.

A state's set has no jumps. The members are positions that read a character, ends, and items: places inside characters
from U+0080 on, and product states (`products`). The set's `ItemSet` has the index of the members and the spelling of
characters: plain UTF-8 ("text"), as in a JSON string ("string"), or ASCII only ("number").
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, hash_pair, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ...memory.sorting import sort
from ...memory.structs import Array, int32
from .. import layout as at
from ..structs import Dfa, ItemSet

_MASK31 = 0x7FFFFFFF


@exported(releases_gil=False)
def first_state(address: int, position: int, spelling: int) -> int:
    """Return the state of a position; DEAD if nothing follows it. address: address of the Dfa."""
    dfa = Dfa.at(address)
    begin_set(dfa)
    add_closure(dfa, position)
    return state_of_set(dfa, spelling)


@kernel
def members_of(dfa: Dfa, items: ItemSet) -> Array[int]:
    """Return the members of a set."""
    return dfa.members.span().part(items.first, items.count)


@kernel
def product_state_of(dfa: Dfa, member: int) -> int:
    """Return the product state of a member of a set, between characters; -1 if it has none."""
    if member < at.FIRST_SET_ITEM:
        return -1
    item = dfa.items[member - at.FIRST_SET_ITEM]
    return item.product_state if item.node == 0 else -1


@kernel
def node_after(dfa: Dfa, node: int, byte: int) -> int:
    """Return the node inside a character after a byte from 128 on; 0 if there is none, CHARACTER_END at the end."""
    return dfa.nodes[node][byte & 63] if node else 0


@kernel
def is_universal(dfa: Dfa, member: int) -> bool:
    """Return True if a member is a position at which the text may end, and any text may follow."""
    if member >= at.FIRST_SET_ITEM:
        return False
    return dfa.positions[member].reads >= 0 and dfa.positions[member].other >= 0


@kernel
def begin_set(dfa: Dfa) -> None:
    """Begin an empty set. A position is in it if its mark equals the set's."""
    dfa.mark += 1
    dfa.found.used = 0


@kernel
def add_closure(dfa: Dfa, position: int) -> None:
    """Add a position to the set, or the positions that it jumps to; positions without an end ahead are left out."""
    positions, marks, mark = dfa.positions.span(), dfa.marks.span(), dfa.mark
    if marks[position] == mark or positions[position].shortest > at.MAX_COUNT:
        return
    dfa.pending.ensure(dfa.positions.used)  # each position is pushed at most once, since it is marked before
    marks[position] = mark
    stack, depth = dfa.pending.span(), 1
    stack[0] = position
    while depth:
        depth -= 1
        here = stack[depth]
        reads, following = positions[here].reads, positions[here].following
        if reads == at.PRODUCT:
            add_item(dfa, positions[here].other, 0, following)
            if dfa.product_states[positions[here].other].accepts == 0:
                continue
        elif reads != at.JUMP:
            note_member(dfa, here)
            continue
        other = positions[here].other if reads == at.JUMP else -1
        for target in (following, other):
            if target >= 0 and marks[target] != mark and positions[target].shortest <= at.MAX_COUNT:
                marks[target] = mark
                stack[depth] = target
                depth += 1


@kernel
def add_product(dfa: Dfa, number: int, following: int) -> None:
    """Add a product state to the set if it leads to a text, and the position behind it if a text may end there."""
    if number == at.DEAD or dfa.product_states[number].life != at.LIVE:
        return
    add_item(dfa, number, 0, following)
    if dfa.product_states[number].accepts:
        add_closure(dfa, following)


@kernel
def add_item(dfa: Dfa, product_state: int, node: int, following: int) -> None:
    """Add an item to the set."""
    number = item_number(dfa, product_state, node, following)
    if dfa.item_marks[number] != dfa.mark:
        dfa.item_marks[number] = dfa.mark
        note_member(dfa, at.FIRST_SET_ITEM + number)


@kernel
def item_number(dfa: Dfa, product_state: int, node: int, following: int) -> int:
    """Return the number of an item, found or added."""
    key = hash_pair(product_state + 1, hash_pair(node + 1, following + 1) & _MASK31) + 1
    slot = slot_of(dfa.item_index, key)
    while slot >= 0:
        item = dfa.items[dfa.item_index.values[slot]]
        if item.product_state == product_state and item.node == node and item.following == following:
            return dfa.item_index.values[slot]
        slot = next_slot(dfa.item_index, key, slot)
    make_room(dfa.item_index)
    number = dfa.items.used
    dfa.items.ensure(number + 1)
    dfa.item_marks.ensure(number + 1)
    dfa.items.used = number + 1
    item = dfa.items[number]
    item.product_state = product_state
    item.node = node
    item.following = following
    dfa.item_marks[number] = 0
    add(dfa.item_index, key, number)
    return number


@kernel
def note_member(dfa: Dfa, member: int) -> None:
    """Append a member to the set."""
    dfa.found.ensure(dfa.found.used + 1)
    dfa.found[dfa.found.used] = member
    dfa.found.used += 1


@kernel
def plain_target(dfa: Dfa, state: int, byte: int) -> int:
    """Return the state after a byte, for a set without product states; DEAD if none. The row of `state` is not used.

    byte: a byte that UTF-8 permits at this place of a character.
    """
    items = dfa.set_of[state]
    begin_set(dfa)
    for member in members_of(dfa, items):
        if member >= at.FIRST_SET_ITEM:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            node, following = item.node, item.following
        elif dfa.positions[member].reads < 0:
            continue
        else:
            chars, following = dfa.char_sets[dfa.positions[member].reads], dfa.positions[member].following
            node = chars.others
            if byte < 128:
                if chars.ascii[byte >> 6] >> (byte & 63) & 1:
                    add_closure(dfa, following)
                continue
        goes = node_after(dfa, node, byte)
        if goes > 0:
            add_item(dfa, -1, goes, following)
        elif goes < 0:
            add_closure(dfa, following)
    return state_of_set(dfa, items.spelling)


@kernel
def has_products(dfa: Dfa, state: int) -> bool:
    """Return True if a set has product states as members, also inside characters."""
    for member in members_of(dfa, dfa.set_of[state]):
        if member >= at.FIRST_SET_ITEM and dfa.items[member - at.FIRST_SET_ITEM].product_state >= 0:
            return True
    return False


@kernel
def may_unite(dfa: Dfa, state: int, other: int) -> bool:
    """Return True if two states are sets at the same place of a character."""
    first, second = dfa.set_of[state], dfa.set_of[other]
    is_set = first.count > 0 and first.spelling == at.TEXT_SPELLING and second.count > 0
    is_alike = first.spelling == second.spelling
    return is_set and is_alike and dfa.states[state].is_between == dfa.states[other].is_between


@kernel
def united_state(dfa: Dfa, state: int, other: int) -> int:
    """Return the state of the texts of two sets."""
    begin_set(dfa)
    for index in range(2):
        for member in members_of(dfa, dfa.set_of[other if index else state]):
            if member < at.FIRST_SET_ITEM:
                is_new = dfa.marks[member] != dfa.mark
                dfa.marks[member] = dfa.mark
            else:
                is_new = dfa.item_marks[member - at.FIRST_SET_ITEM] != dfa.mark
                dfa.item_marks[member - at.FIRST_SET_ITEM] = dfa.mark
            if is_new:
                note_member(dfa, member)
    return state_of_set(dfa, at.TEXT_SPELLING)


@kernel
def state_of_set(dfa: Dfa, spelling: int) -> int:
    """Return the state of the set just made, found or added; DEAD for the empty set."""
    count = _without_needless(dfa)
    found = dfa.found.span().part(0, count)
    if count == 0:
        return at.DEAD
    sort(found, count)
    key = hash_of(found, spelling)
    slot = slot_of(dfa.set_index, key)
    while slot >= 0:
        state = dfa.set_index.values[slot]
        items = dfa.set_of[state]
        if items.spelling == spelling and are_equal(dfa.members.span().part(items.first, items.count), found):
            return state
        slot = next_slot(dfa.set_index, key, slot)
    make_room(dfa.set_index)
    make_room_for_states(dfa, 1)
    first = dfa.members.reserve(count)
    for index in range(count):
        dfa.members[first + index] = found[index]
    is_at_end = found[0] < at.NUM_ENDS and spelling != at.STRING_SPELLING
    state = add_state(dfa, found[0] if is_at_end else -1)
    dfa.states[state].is_between = 1 if spelling != at.NUMBER_SPELLING and not _is_inside(dfa, found[count - 1]) else 0
    dfa.states[state].shortest = _shortest(dfa, found)
    items = dfa.set_of[state]
    items.first = first
    items.count = count
    items.spelling = spelling
    fill_row(dfa.rows[state], at.UNBUILT)
    add(dfa.set_index, key, state)
    return state


@kernel
def _without_needless(dfa: Dfa) -> int:
    """Return the number of members of the set just made, after dropping needless ones.

    If some member allows any text to follow, all other members are needless. The copies of an optional repetition
    form a group. Only the copy with the most repetitions left is kept, since it reads all texts of the others.
    """
    num_grouped = 0
    for member in dfa.found.span().part(0, dfa.found.used):
        if is_universal(dfa, member):
            dfa.found.ensure(2)
            dfa.found[0] = dfa.positions[member].other
            dfa.found[1] = member
            dfa.found.used = 2
            return 2
        group = _group_of(dfa, member)
        if group:
            num_grouped += 1
            before = dfa.widest[group]
            if before >> 32 != dfa.mark or before & at.MASK32 < member:
                dfa.widest[group] = dfa.mark << 32 | member
    return _without_narrow(dfa) if num_grouped > 1 else dfa.found.used


@kernel
def _without_narrow(dfa: Dfa) -> int:
    """Keep one member of each group, and return the number of members."""
    count = 0
    for member in dfa.found.span().part(0, dfa.found.used):
        group = _group_of(dfa, member)
        if group == 0 or dfa.widest[group] & at.MASK32 == member:
            dfa.found[count] = member
            count += 1
    dfa.found.used = count
    return count


@kernel
def _group_of(dfa: Dfa, member: int) -> int:
    """Return the group of a member; 0 if it has none."""
    return dfa.positions[member].group if member < at.FIRST_SET_ITEM else 0


@kernel
def _is_inside(dfa: Dfa, member: int) -> bool:
    """Return True for a place inside a character. The answer is the same for all members of a set."""
    return member >= at.FIRST_SET_ITEM and dfa.items[member - at.FIRST_SET_ITEM].node > 0


@kernel
def _shortest(dfa: Dfa, members: Array[int32]) -> int:
    """Return the minimum number of characters before the nearest end of a set; exact without product states."""
    least = at.MAX_COUNT + 1
    for member in members:
        is_item = member >= at.FIRST_SET_ITEM
        position = dfa.items[member - at.FIRST_SET_ITEM].following if is_item else member
        least = min(least, dfa.positions[position].shortest)
    return least


@kernel
def make_room_for_states(dfa: Dfa, count: int) -> None:
    """Make room for `count` more states."""
    end = dfa.states.used + count
    dfa.states.ensure(end)
    dfa.rows.ensure(end)
    dfa.loops.ensure(end)
    dfa.runs.ensure(end)
    dfa.edges.ensure(end)
    dfa.inside.ensure(end)
    dfa.set_of.ensure(end)


@kernel
def add_state(dfa: Dfa, accepts: int) -> int:
    """Add a state, by default inside a character. BOUNDS: `make_room_for_states`."""
    number = dfa.states.used
    state = dfa.states[number]
    state.accepts = accepts
    state.is_between = 0
    state.shortest = 0
    state.mask_state = 0
    dfa.states.used = number + 1
    return number


@kernel
def fill_row(row: Array[int32], entry: int) -> None:
    """Set all entries of a row to `entry`."""
    for byte in range(256):
        row[byte] = entry
