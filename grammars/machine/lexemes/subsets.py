"""Kernels: the rows of DFA states that are sets of positions (`Positions`): the subset construction, state by state.

M. Rabin, D. Scott, Finite automata and their decision problems (IBM Journal 1959). A state's set holds no jumps, only
positions that read a character, ends, and items: places inside characters from U+0080 on, and product states
(`products`). Its `ItemSet` says where the set stands and how characters are spelled: as plain UTF-8 ("text"), as in a
JSON string ("string"), or ASCII only ("number").

PERF: a row of JSON's number or string takes 1 to 2 us; from derivatives it took 40 us.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int32s
from ...memory.hash_map import add, hash_pair, make_room, next_slot, slot_of
from ...memory.kernel import exported, kernel
from ...memory.lists import are_equal, hash_of
from ...memory.sorting import sort
from ...memory.structs import Array, int32
from .. import layout as at
from ..structs import Dfa, ItemSet
from .products import move_alike, product_of, step, step_class
from .trie_kernels import ODD, WIDE

_NO_TARGET = -3
_MASK31 = 0x7FFFFFFF


@exported(releases_gil=False)
def first_state(address: int, position: int, spelling: int) -> int:
    """The state of a position; DEAD where nothing follows it. address: of the Dfa."""
    dfa = Dfa.at(address)
    _begin_set(dfa)
    _add_closure(dfa, position)
    return _state_of_set(dfa, spelling)


@kernel
def build_set_row(dfa: Dfa, state: int) -> None:
    """Make the row of a state that is a set. BOUNDS: what its product states lead to is known (`set_rows`)."""
    items, row = dfa.set_of[state], dfa.row
    spelling, others, usual = items.spelling, _NO_TARGET, _NO_TARGET
    is_inside = dfa.states[state].is_between == 0 and spelling != at.NUMBER_SPELLING
    for byte in range(128):
        target = at.DEAD if is_inside else _same_as_before(dfa, items, row, byte)
        row[byte] = target if target != _NO_TARGET else _target(dfa, items, byte)
    for byte in range(128, 256):
        row[byte] = at.DEAD
    if is_inside:
        _add_inside(dfa, items, row, 0x80, 0xC0)
    elif spelling != at.NUMBER_SPELLING:
        if _all_read_others_alike(dfa, items):
            others = _target_of_others(dfa, items)
            if others >= 0:
                _spell_wide(dfa, row, others)
        else:
            _add_inside(dfa, items, row, 0xC2, 0xF5)
            usual = _target_of_usual(dfa, items)
    if spelling == at.STRING_SPELLING and not is_inside:
        _spell_escapes(dfa, row)
        end = _first_end(dfa, items)
        if end >= 0:
            row[0x22] = at.FIRST_END - end
    if spelling != at.NUMBER_SPELLING:
        dfa.loops[state] = 0 if is_inside else _loops(dfa, row, state, others, usual)
    built = dfa.rows[state]  # all at once: a row is there or not
    for byte in range(256):
        built[byte] = row[byte]


@kernel
def _loops(dfa: Dfa, row: Array[int32], state: int, others: int, usual: int) -> int:
    """The byte classes that leave a state as it is. others, usual: the state after all characters from U+0080 on, and
    after those of the class WIDE; _NO_TARGET where there are several.

    Of the characters that begin with C2 none is of that class, so a token that ends with this byte needs a look.
    """
    all_kinds, changed = 0, 0
    for byte in range(128):
        kind = dfa.byte_classes[byte]
        all_kinds |= kind
        if row[byte] != state:
            changed |= kind
    if others == state:
        return all_kinds & ~changed | WIDE | ODD
    return all_kinds & ~changed | (WIDE if usual == state and row[0xC2] != at.DEAD else 0)


@kernel
def _node_after(dfa: Dfa, node: int, byte: int) -> int:
    """The node inside a character after a byte from 128 on; 0 where there is none, CHARACTER_END."""
    return dfa.nodes[node][byte & 63] if node else 0


@kernel
def _goes(dfa: Dfa, member: int, byte: int) -> int:
    """A number for where a member of a set goes with a byte; 0 for nowhere. Of ASCII none in a product is asked."""
    if member >= at.FIRST_SET_ITEM:
        item = dfa.items[member - at.FIRST_SET_ITEM]
        return _node_after(dfa, item.node if item.node else product_of(dfa, item.product_state).node, byte)
    reads = dfa.positions[member].reads
    if reads < 0:
        return 0
    if byte < 128:
        return dfa.char_sets[reads].ascii[byte >> 6] >> (byte & 63) & 1
    return _node_after(dfa, dfa.char_sets[reads].others, byte)


@kernel
def product_state_of(dfa: Dfa, member: int) -> int:
    """The product state that a member of a set is in, between characters; -1 where it is in none."""
    if member < at.FIRST_SET_ITEM:
        return -1
    item = dfa.items[member - at.FIRST_SET_ITEM]
    return item.product_state if item.node == 0 else -1


@kernel
def members_of(dfa: Dfa, items: ItemSet) -> Array[int]:
    """The members of a set."""
    return dfa.members.span().part(items.first, items.count)


@kernel
def _read_alike(dfa: Dfa, items: ItemSet, byte: int, other: int) -> int:
    """1 when all members of a set go to the same with two bytes."""
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member) if byte < 128 else -1
        if number >= 0:
            if not move_alike(dfa, number, byte, other):
                return 0
        elif _goes(dfa, member, byte) != _goes(dfa, member, other):
            return 0
    return 1


@kernel
def _same_as_before(dfa: Dfa, items: ItemSet, row: Array[int32], byte: int) -> int:
    """The entry of a byte before this one that does the same; _NO_TARGET if there is none.

    Of the bytes before, those are looked at where a run of bytes that do the same begins.
    """
    if byte and _read_alike(dfa, items, byte, byte - 1):
        return row[byte - 1]
    last = _NO_TARGET
    for other in range(byte - 1):
        target = row[other]
        if target != last and _read_alike(dfa, items, byte, other):
            return target
        last = target
    return _NO_TARGET


@kernel
def _add_inside(dfa: Dfa, items: ItemSet, row: Array[int32], first: int, end: int) -> None:
    """Fill in the entries of bytes of characters from U+0080 on."""
    for byte in range(first, end):
        is_same = byte > first and _read_alike(dfa, items, byte, byte - 1)
        row[byte] = row[byte - 1] if is_same else _target(dfa, items, byte)


@kernel
def _target(dfa: Dfa, items: ItemSet, byte: int) -> int:
    """The state after a byte; DEAD."""
    _begin_set(dfa)
    for member in members_of(dfa, items):
        if member >= at.FIRST_SET_ITEM:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            number, following = item.product_state, item.following
            if byte < 128:
                _add_product(dfa, step(dfa, number, byte), following)
                continue
        else:
            number, following = -1, dfa.positions[member].following
        goes = _goes(dfa, member, byte)
        if goes > 0 and byte >= 128:
            if number < 0 or dfa.node_classes[goes] & dfa.product_states[number].live_classes:
                _add_item(dfa, number, goes, following)
        elif goes and number >= 0:
            _add_product(dfa, step_class(dfa, number, at.CHARACTER_END - goes), following)
        elif goes:
            _add_closure(dfa, following)
    return _state_of_set(dfa, items.spelling)


@kernel
def _all_read_others_alike(dfa: Dfa, items: ItemSet) -> bool:
    """True where all members go to the same with all characters from U+0080 on, or with none. Between characters."""
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        if number >= 0:
            if dfa.product_states[number].after_others == at.UNBUILT:
                return False
        elif _others_read(dfa, member) > at.ALL_OTHERS:
            return False
    return True


@kernel
def _target_of_others(dfa: Dfa, items: ItemSet) -> int:
    """The state after any character from U+0080 on, where members go to the same with all of them; DEAD."""
    _begin_set(dfa)
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        if number >= 0:
            following = dfa.items[member - at.FIRST_SET_ITEM].following
            _add_product(dfa, dfa.product_states[number].after_others, following)
        elif _others_read(dfa, member):
            _add_closure(dfa, dfa.positions[member].following)
    return _state_of_set(dfa, items.spelling)


@kernel
def _target_of_usual(dfa: Dfa, items: ItemSet) -> int:
    """The state after any character of the byte class WIDE, where members go to the same with all of them; DEAD.
    _NO_TARGET where they do not."""
    _begin_set(dfa)
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        if number >= 0:
            usual = product_of(dfa, number).usual_class
            if usual < 0:
                return _NO_TARGET
            _add_product(dfa, step_class(dfa, number, usual), dfa.items[member - at.FIRST_SET_ITEM].following)
        elif dfa.positions[member].reads >= 0:
            usual = dfa.char_sets[dfa.positions[member].reads].usual
            if usual == at.SOME_USUAL:
                return _NO_TARGET
            if usual == at.ALL_USUAL:
                _add_closure(dfa, dfa.positions[member].following)
    return _state_of_set(dfa, items.spelling)


@kernel
def _others_read(dfa: Dfa, position: int) -> int:
    """The node before the characters from U+0080 on that a position reads; 0 for none."""
    reads = dfa.positions[position].reads
    return dfa.char_sets[reads].others if reads >= 0 else 0


@kernel
def _begin_set(dfa: Dfa) -> None:
    """An empty set. A position is in it when its mark is the set's."""
    dfa.mark += 1
    dfa.found.used = 0


@kernel
def _add_closure(dfa: Dfa, position: int) -> None:
    """Add a position to the set, or those that it jumps to; none before which no text ends."""
    positions, marks, mark = dfa.positions.span(), dfa.marks.span(), dfa.mark
    if marks[position] == mark or positions[position].shortest > at.MAX_COUNT:
        return
    dfa.pending.ensure(dfa.positions.used)  # each position once, which is marked before
    marks[position] = mark
    stack, depth = dfa.pending.span(), 1
    stack[0] = position
    while depth:
        depth -= 1
        here = stack[depth]
        reads, following = positions[here].reads, positions[here].following
        if reads == at.PRODUCT:
            _add_item(dfa, positions[here].other, 0, following)
            if dfa.product_states[positions[here].other].accepts == 0:
                continue
        elif reads != at.JUMP:
            _note(dfa, here)
            continue
        other = positions[here].other if reads == at.JUMP else -1
        for target in (following, other):
            if target >= 0 and marks[target] != mark and positions[target].shortest <= at.MAX_COUNT:
                marks[target] = mark
                stack[depth] = target
                depth += 1


@kernel
def _add_product(dfa: Dfa, number: int, following: int) -> None:
    """Add a product state to the set, if a text leads on from it; and what follows it, if a text may end there."""
    if number == at.DEAD or dfa.product_states[number].life != at.LIVE:
        return
    _add_item(dfa, number, 0, following)
    if dfa.product_states[number].accepts:
        _add_closure(dfa, following)


@kernel
def _add_item(dfa: Dfa, product_state: int, node: int, following: int) -> None:
    """Add an item to the set."""
    number = _item(dfa, product_state, node, following)
    if dfa.item_marks[number] != dfa.mark:
        dfa.item_marks[number] = dfa.mark
        _note(dfa, at.FIRST_SET_ITEM + number)


@kernel
def _item(dfa: Dfa, product_state: int, node: int, following: int) -> int:
    """The number of an item, found or added."""
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
def _note(dfa: Dfa, member: int) -> None:
    """Write down a member of the set."""
    dfa.found.ensure(dfa.found.used + 1)
    dfa.found[dfa.found.used] = member
    dfa.found.used += 1


@kernel
def _state_of_set(dfa: Dfa, spelling: int) -> int:
    """The state that is the set just made, found or added; DEAD for the empty set."""
    count = dfa.found.used
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
def _is_inside(dfa: Dfa, member: int) -> bool:
    """True for a place inside a character. All members of a set are inside of one, or none is."""
    return member >= at.FIRST_SET_ITEM and dfa.items[member - at.FIRST_SET_ITEM].node > 0


@kernel
def _shortest(dfa: Dfa, members: Array[int32]) -> int:
    """So many characters, at least, come before the nearest end of a set; exact where it has no product state."""
    least = at.MAX_COUNT + 1
    for member in members:
        is_item = member >= at.FIRST_SET_ITEM
        position = dfa.items[member - at.FIRST_SET_ITEM].following if is_item else member
        least = min(least, dfa.positions[position].shortest)
    return least


@kernel
def _first_end(dfa: Dfa, items: ItemSet) -> int:
    """The first language whose text may end in a set; -1 if none."""
    first = dfa.members[items.first]
    return first if first < at.NUM_ENDS else -1


@kernel
def make_room_for_states(dfa: Dfa, count: int) -> None:
    """Let so many more states be added."""
    end = dfa.states.used + count
    dfa.states.ensure(end)
    dfa.rows.ensure(end)
    dfa.loops.ensure(end)
    dfa.edges.ensure(end)
    dfa.inside.ensure(end)
    dfa.set_of.ensure(end)


@kernel
def add_state(dfa: Dfa, accepts: int) -> int:
    """A new state, as inside a character. BOUNDS: `make_room_for_states`."""
    number = dfa.states.used
    state = dfa.states[number]
    state.accepts = accepts
    state.is_between = 0
    state.shortest = 0
    state.interior = -1
    dfa.states.used = number + 1
    return number


@kernel
def _add_inner(dfa: Dfa) -> int:
    """A new state inside a character, with a row that leads nowhere."""
    make_room_for_states(dfa, 1)
    state = add_state(dfa, -1)
    dfa.states[state].shortest = at.MAX_COUNT + 1
    fill_row(dfa.rows[state], at.DEAD)
    return state


@kernel
def fill_row(row: Array[int32], entry: int) -> None:
    """Give a row the same entry for each byte."""
    for byte in range(256):
        row[byte] = entry


@kernel
def _fill(dfa: Dfa, state: int, low: int, high: int, target: int) -> None:
    """Let bytes low .. high lead from a state inside a character to another one."""
    row, states = dfa.rows[state], dfa.states.span()
    states[state].shortest = min(states[state].shortest, states[target].shortest)
    for byte in range(low, high + 1):
        row[byte] = target


@kernel
def _spell_wide(dfa: Dfa, row: Array[int32], target: int) -> None:
    """Let all characters from U+0080 on lead to a state, by states within them that are made once for each state."""
    inside = dfa.inside[target]
    if inside == 0:
        make_room_for_states(dfa, 7)
        inside = _add_inner(dfa)
        for _ in range(6):
            _add_inner(dfa)
        dfa.inside[target] = inside
        _fill(dfa, inside, 0x80, 0xBF, target)
        _fill(dfa, inside + 1, 0x80, 0xBF, inside)
        _fill(dfa, inside + 2, 0x80, 0xBF, inside + 1)
        _fill(dfa, inside + 3, 0xA0, 0xBF, inside)  # after E0
        _fill(dfa, inside + 4, 0x80, 0x9F, inside)  # after ED
        _fill(dfa, inside + 5, 0x90, 0xBF, inside + 1)  # after F0
        _fill(dfa, inside + 6, 0x80, 0x8F, inside + 1)  # after F4
    for byte in range(0xC2, 0xE0):
        row[byte] = inside
    for byte in range(0xE0, 0xF0):
        row[byte] = inside + 1
    for byte in range(0xF0, 0xF5):
        row[byte] = inside + 2
    row[0xE0] = inside + 3
    row[0xED] = inside + 4
    row[0xF0] = inside + 5
    row[0xF4] = inside + 6


@exported
def spell_escapes(address: int, row: Int32s) -> None:
    """`_spell_escapes`, for Python. address: of the Dfa. row: int32 (256,), changed in place."""
    _spell_escapes(Dfa.at(address), row)


@kernel
def _spell_escapes(dfa: Dfa, row: Array[int32]) -> None:
    """Move the characters of a string's row that need an escape to states after a backslash."""
    make_room_for_states(dfa, 6)
    escaped = _led(dfa, at.DEAD, 0x75, _spell_long_escapes(dfa, row))
    for code in range(len(dfa.short_escapes)):
        letter = dfa.short_escapes[code]
        if letter:
            escaped = _led(dfa, escaped, letter, row[code])
        if letter or code < 0x20:
            row[code] = at.DEAD
    row[0x5C] = escaped


@kernel
def _spell_long_escapes(dfa: Dfa, row: Array[int32]) -> int:
    """The state after the u of escapes like \\u001f, of the control characters without a short one; DEAD for none."""
    third = at.DEAD
    for high in range(2):
        last = at.DEAD
        for low in range(16):
            code = high << 4 | low
            if dfa.short_escapes[code] == 0:
                last = _led(dfa, last, 0x30 + low if low < 10 else 0x57 + low, row[code])
        third = _led(dfa, third, 0x30 + high, last)
    return _led(dfa, at.DEAD, 0x30, _led(dfa, at.DEAD, 0x30, third))


@kernel
def _led(dfa: Dfa, state: int, byte: int, target: int) -> int:
    """A state inside a character, from which a byte leads to a target that is not DEAD. DEAD: it is new if need be.

    BOUNDS: `make_room_for_states`.
    """
    if target == at.DEAD:
        return state
    if state == at.DEAD:
        state = _add_inner(dfa)
    _fill(dfa, state, byte, byte, target)
    return state
