"""Kernels: the rows of DFA states that are sets of positions (`Positions`): the subset construction, state by state.

M. Rabin, D. Scott, Finite automata and their decision problems (IBM Journal 1959). `sets` explains a set's members.

PERF: a row of JSON's number or string takes 1 to 2 us; from derivatives it took 40 us.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...kernels.arrays import Int32s
from ...memory.kernel import exported, kernel
from ...memory.structs import Array, int32
from .. import layout as at
from ..sources.json_spelling import NUMBERED, PLAIN
from ..structs import Dfa, ItemSet
from .products import move_alike, product_of, step, step_class
from .sets import (
    add_closure,
    add_item,
    add_product,
    add_state,
    begin_set,
    fill_row,
    make_room_for_states,
    members_of,
    node_after,
    product_state_of,
    state_of_set,
)
from .trie_kernels import ODD, WIDE

_NO_TARGET = -3


@kernel
def build_set_row(dfa: Dfa, state: int) -> None:
    """Make the row of a state that is a set. BOUNDS: the life of its product states' successors is known
    (`set_rows`).
    """
    items, row = dfa.set_of[state], dfa.row
    spelling, others, usual = items.spelling, _NO_TARGET, _NO_TARGET
    is_inside = dfa.states[state].is_between == 0 and spelling != at.NUMBER_SPELLING
    _list_readers(dfa, items)
    for byte in range(128):
        target = at.DEAD if is_inside else _same_as_before(dfa, row, byte)
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
    built = dfa.rows[state]  # copied at once: a row exists completely or not at all
    for byte in range(256):
        built[byte] = row[byte]


@kernel
def _loops(dfa: Dfa, row: Array[int32], state: int, others: int, usual: int) -> int:
    """Return the byte classes that leave a state unchanged.

    others: state after all characters from U+0080 on; _NO_TARGET if there are several.
    usual: state after all characters of the class WIDE; _NO_TARGET if there are several.

    No character that begins with C2 is of the class WIDE, so tokens that end with this byte need a look.
    """
    all_classes, changed = 0, 0
    for byte in range(128):
        byte_class = dfa.byte_classes[byte]
        all_classes |= byte_class
        if row[byte] != state:
            changed |= byte_class
    if others == state:
        return all_classes & ~changed | WIDE | ODD
    return all_classes & ~changed | (WIDE if usual == state and row[0xC2] != at.DEAD else 0)


@kernel
def _goes(dfa: Dfa, member: int, byte: int) -> int:
    """Return a number that stands for a member's target by a byte; 0 for none.

    Not for members in products with ASCII bytes.
    """
    if member >= at.FIRST_SET_ITEM:
        item = dfa.items[member - at.FIRST_SET_ITEM]
        return node_after(dfa, item.node if item.node else product_of(dfa, item.product_state).node, byte)
    reads = dfa.positions[member].reads
    if reads < 0:
        return 0
    if byte < 128:
        return dfa.char_sets[reads].ascii[byte >> 6] >> (byte & 63) & 1
    return node_after(dfa, dfa.char_sets[reads].others, byte)


@kernel
def _list_readers(dfa: Dfa, items: ItemSet) -> None:
    """List one member for each set of characters that a set's members read. PERF: thousands may read the same."""
    dfa.readers.ensure(items.count)
    dfa.reader_mark += 1
    count, last_node = 0, 0
    for member in members_of(dfa, items):
        if member < at.FIRST_SET_ITEM:
            reads = dfa.positions[member].reads
            is_new = reads >= 0 and dfa.char_sets[reads].mark != dfa.reader_mark
            if is_new:
                dfa.char_sets[reads].mark = dfa.reader_mark
        else:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            is_new = item.node == 0 or item.node != last_node
            last_node = item.node
        if is_new:
            dfa.readers[count] = member
            count += 1
    dfa.readers.used = count


@kernel
def _read_alike(dfa: Dfa, byte: int, other: int) -> int:
    """Return 1 if two bytes lead every member of the set of the last `_list_readers` to the same targets."""
    for member in dfa.readers.span().part(0, dfa.readers.used):
        number = product_state_of(dfa, member) if byte < 128 else -1
        if number >= 0:
            if not move_alike(dfa, number, byte, other):
                return 0
        elif _goes(dfa, member, byte) != _goes(dfa, member, other):
            return 0
    return 1


@kernel
def _same_as_before(dfa: Dfa, row: Array[int32], byte: int) -> int:
    """Return the entry of an earlier byte with the same effect; _NO_TARGET if there is none.

    Only the first byte of each run of equal entries is compared.
    """
    if byte and _read_alike(dfa, byte, byte - 1):
        return row[byte - 1]
    last = _NO_TARGET
    for other in range(byte - 1):
        target = row[other]
        if target != last and _read_alike(dfa, byte, other):
            return target
        last = target
    return _NO_TARGET


@kernel
def _add_inside(dfa: Dfa, items: ItemSet, row: Array[int32], first: int, end: int) -> None:
    """Fill in the entries of bytes of characters from U+0080 on."""
    for byte in range(first, end):
        is_same = byte > first and _read_alike(dfa, byte, byte - 1)
        row[byte] = row[byte - 1] if is_same else _target(dfa, items, byte)


@kernel
def _target(dfa: Dfa, items: ItemSet, byte: int) -> int:
    """Return the state after a byte; DEAD if none."""
    begin_set(dfa)
    for member in members_of(dfa, items):
        if member >= at.FIRST_SET_ITEM:
            item = dfa.items[member - at.FIRST_SET_ITEM]
            number, following = item.product_state, item.following
            if byte < 128:
                add_product(dfa, step(dfa, number, byte), following)
                continue
        else:
            number, following = -1, dfa.positions[member].following
        goes = _goes(dfa, member, byte)
        if goes > 0 and byte >= 128:
            if number < 0 or dfa.node_classes[goes] & dfa.product_states[number].live_classes:
                add_item(dfa, number, goes, following)
        elif goes and number >= 0:
            add_product(dfa, step_class(dfa, number, at.CHARACTER_END - goes), following)
        elif goes:
            add_closure(dfa, following)
    return state_of_set(dfa, items.spelling)


@kernel
def _all_read_others_alike(dfa: Dfa, items: ItemSet) -> bool:
    """Return True if each member goes to one target with all characters from U+0080 on. Called between characters."""
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
    """Return the state after any character from U+0080 on, if all have one target; DEAD if none."""
    begin_set(dfa)
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        if number >= 0:
            following = dfa.items[member - at.FIRST_SET_ITEM].following
            add_product(dfa, dfa.product_states[number].after_others, following)
        elif _others_read(dfa, member):
            add_closure(dfa, dfa.positions[member].following)
    return state_of_set(dfa, items.spelling)


@kernel
def _target_of_usual(dfa: Dfa, items: ItemSet) -> int:
    """Return the state after any character of the byte class WIDE; DEAD if none, _NO_TARGET if they differ."""
    begin_set(dfa)
    for member in members_of(dfa, items):
        number = product_state_of(dfa, member)
        if number >= 0:
            usual = product_of(dfa, number).usual_class
            if usual < 0:
                return _NO_TARGET
            add_product(dfa, step_class(dfa, number, usual), dfa.items[member - at.FIRST_SET_ITEM].following)
        elif dfa.positions[member].reads >= 0:
            usual = dfa.char_sets[dfa.positions[member].reads].usual
            if usual == at.SOME_USUAL:
                return _NO_TARGET
            if usual == at.ALL_USUAL:
                add_closure(dfa, dfa.positions[member].following)
    return state_of_set(dfa, items.spelling)


@kernel
def _others_read(dfa: Dfa, position: int) -> int:
    """Return the node before the characters from U+0080 on that a position reads; 0 for none."""
    reads = dfa.positions[position].reads
    return dfa.char_sets[reads].others if reads >= 0 else 0


@kernel
def _first_end(dfa: Dfa, items: ItemSet) -> int:
    """Return the first language whose text may end in a set; -1 if none."""
    first = dfa.members[items.first]
    return first if first < at.NUM_ENDS else -1


@kernel
def _add_inner(dfa: Dfa) -> int:
    """Add a state inside a character, with a row that leads nowhere."""
    make_room_for_states(dfa, 1)
    state = add_state(dfa, -1)
    dfa.states[state].shortest = at.MAX_COUNT + 1
    fill_row(dfa.rows[state], at.DEAD)
    return state


@kernel
def _fill(dfa: Dfa, state: int, low: int, high: int, target: int) -> None:
    """Let bytes low .. high lead from a state inside a character to another state."""
    row, states = dfa.rows[state], dfa.states.span()
    states[state].shortest = min(states[state].shortest, states[target].shortest)
    for byte in range(low, high + 1):
        row[byte] = target


@kernel
def _spell_wide(dfa: Dfa, row: Array[int32], target: int) -> None:
    """Let all characters from U+0080 on lead to a state. The states inside them are made once for each target."""
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
    """`_spell_escapes`, for Python. address: address of the Dfa. row: int32 (256,), modified in place."""
    _spell_escapes(Dfa.at(address), row)


@kernel
def _spell_escapes(dfa: Dfa, row: Array[int32]) -> None:
    """Move the characters of a string's row that need an escape to states behind a backslash."""
    make_room_for_states(dfa, 6)
    escaped = _led(dfa, at.DEAD, 0x75, _spell_long_escapes(dfa, row))
    for code in range(len(dfa.escapes)):
        form = dfa.escapes[code]
        if form != PLAIN and form != NUMBERED:
            escaped = _led(dfa, escaped, form, row[code])
        if form != PLAIN:
            row[code] = at.DEAD
    row[0x5C] = escaped


@kernel
def _spell_long_escapes(dfa: Dfa, row: Array[int32]) -> int:
    """Return the state after the u of escapes like \\u001f, for control characters without a short escape; DEAD for
    none.
    """
    third = at.DEAD
    for high in range(2):
        last = at.DEAD
        for low in range(16):
            code = high << 4 | low
            if dfa.escapes[code] == NUMBERED:
                last = _led(dfa, last, 0x30 + low if low < 10 else 0x57 + low, row[code])
        third = _led(dfa, third, 0x30 + high, last)
    return _led(dfa, at.DEAD, 0x30, _led(dfa, at.DEAD, 0x30, third))


@kernel
def _led(dfa: Dfa, state: int, byte: int, target: int) -> int:
    """Let a byte lead from a state inside a character to a target, and return the state.

    state: DEAD: a new state is made if the target is not DEAD.

    BOUNDS: `make_room_for_states`.
    """
    if target == at.DEAD:
        return state
    if state == at.DEAD:
        state = _add_inner(dfa)
    _fill(dfa, state, byte, byte, target)
    return state
