"""Kernels: the rows of DFA states that are sets of positions (`Positions`): the subset construction, state by state.

M. Rabin, D. Scott, Finite automata and their decision problems (IBM Journal 1959). A state's set holds no jumps, only
positions that read a character, and ends. Its number's own column says where the set stands and how characters are
spelled: as plain UTF-8 ("text"), as in a JSON string ("string"), or ASCII only ("number").

PERF: a row of JSON's number or string takes 1 to 2 us; from derivatives it took 40 us.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .memory import kernel, load32, load64, store32, store64
from .trie import ODD, WIDE

_ROOM = 200  # states that one row may add: 128 for its bytes, 7 within UTF-8, 7 within an escape
_NO_TARGET = -3


@kernel
def first_state(lexicon: int, position: int, spelling: int) -> int:
    """The state of a position; DEAD where nothing follows it; NEED for room."""
    if _has_room(lexicon) == 0:
        return at.NEED
    _begin_set(lexicon)
    _add_closure(lexicon, position)
    return _state_of_set(lexicon, spelling)


@kernel
def build_set_row(lexicon: int, state: int) -> int:
    """Make the row of a state that is a set; 0, or NEED for room: then again."""
    if _has_room(lexicon) == 0:
        return at.NEED
    place = load64(load64(lexicon, at.L_SET_OF), state)
    spelling = place & 3
    row = load64(lexicon, at.L_ROWS) + state * 1024
    wide = at.DEAD if spelling == at.NUMBER_SPELLING else _wide_target(lexicon, place)
    if wide == at.NEED:
        return at.NEED
    for byte in range(128):
        target = _same_as_before(lexicon, place, row, byte)
        if target == _NO_TARGET:
            target = _target(lexicon, place, byte)
        if target == at.NEED:
            _fill_row(lexicon, state, at.UNBUILT)
            return at.NEED
        store32(row, byte, target)
    for byte in range(128, 256):
        store32(row, byte, at.DEAD)
    if wide >= 0:
        _spell_wide(lexicon, row, wide)
    if spelling == at.STRING_SPELLING:
        _spell_escapes(lexicon, row)
        end = _first_end(lexicon, place)
        if end >= 0:
            store32(row, 0x22, at.FIRST_END - end)
    if spelling != at.NUMBER_SPELLING:
        store64(load64(lexicon, at.L_LOOPS), state, _loops(lexicon, row, state, wide))
    return 0


@kernel
def _loops(lexicon: int, row: int, state: int, wide: int) -> int:
    """The kinds of characters that leave a state as it is."""
    kinds, all_kinds, changed = load64(lexicon, at.L_KINDS), 0, 0
    for byte in range(128):
        kind = load64(kinds, byte)
        all_kinds |= kind
        if load32(row, byte) != state:
            changed |= kind
    return all_kinds & ~changed | (WIDE | ODD if wide == state else 0)


@kernel
def _has_room(lexicon: int) -> int:
    """1 when there is room for the states of a row."""
    used, capacity = load64(lexicon, at.L_STATES + 1), load64(lexicon, at.L_STATES + 2)
    return 1 if used + _ROOM * at.STATE_FIELDS <= capacity else 0


@kernel
def _reads(lexicon: int, position: int, byte: int) -> int:
    """1 when a position reads an ASCII character."""
    charset = load32(load64(lexicon, at.L_POSITIONS), position * at.POSITION_FIELDS)
    if charset < 0:
        return 0
    return load64(load64(lexicon, at.L_CHAR_SETS), charset * at.CHAR_SET_FIELDS + (byte >> 6)) >> (byte & 63) & 1


@kernel
def _read_alike(lexicon: int, place: int, byte: int, other: int) -> int:
    """1 when the positions of a set that read a byte are those that read another one."""
    members = load64(lexicon, at.L_SETS) + (place >> 32) * 4
    for index in range((place & at.MASK32) >> 2):
        position = load32(members, index)
        if _reads(lexicon, position, byte) != _reads(lexicon, position, other):
            return 0
    return 1


@kernel
def _same_as_before(lexicon: int, place: int, row: int, byte: int) -> int:
    """The entry of a byte before this one that does the same; _NO_TARGET if there is none.

    Of the bytes before, those are looked at where a run of bytes that do the same begins.
    """
    if byte and _read_alike(lexicon, place, byte, byte - 1):
        return load32(row, byte - 1)
    last = _NO_TARGET
    for other in range(byte - 1):
        target = load32(row, other)
        if target != last and _read_alike(lexicon, place, byte, other):
            return target
        last = target
    return _NO_TARGET


@kernel
def _target(lexicon: int, place: int, byte: int) -> int:
    """The state after an ASCII byte; DEAD, NEED."""
    members = load64(lexicon, at.L_SETS) + (place >> 32) * 4
    positions = load64(lexicon, at.L_POSITIONS)
    _begin_set(lexicon)
    for index in range((place & at.MASK32) >> 2):
        position = load32(members, index)
        if _reads(lexicon, position, byte):
            _add_closure(lexicon, load32(positions, position * at.POSITION_FIELDS + 1))
    return _state_of_set(lexicon, place & 3)


@kernel
def _wide_target(lexicon: int, place: int) -> int:
    """The state after a character from U+0080 on; DEAD, NEED."""
    members = load64(lexicon, at.L_SETS) + (place >> 32) * 4
    positions, charsets = load64(lexicon, at.L_POSITIONS), load64(lexicon, at.L_CHAR_SETS)
    _begin_set(lexicon)
    for index in range((place & at.MASK32) >> 2):
        row = load32(members, index) * at.POSITION_FIELDS
        charset = load32(positions, row)
        if charset >= 0 and load64(charsets, charset * at.CHAR_SET_FIELDS + 2):
            _add_closure(lexicon, load32(positions, row + 1))
    return _state_of_set(lexicon, place & 3)


@kernel
def _begin_set(lexicon: int) -> None:
    """An empty set. A position is in it when its mark is L_MARK."""
    store64(lexicon, at.L_MARK, load64(lexicon, at.L_MARK) + 1)
    store64(lexicon, at.L_FOUND + 1, 0)


@kernel
def _add_closure(lexicon: int, position: int) -> None:
    """Add a position to the set, or those that it jumps to.

    BOUNDS: the list and the stack have room for each position once, which is marked before.
    """
    positions, marks, mark = load64(lexicon, at.L_POSITIONS), load64(lexicon, at.L_MARKS), load64(lexicon, at.L_MARK)
    found, stack, depth = load64(lexicon, at.L_FOUND), load64(lexicon, at.L_PENDING), 0
    if load32(marks, position) != mark:
        store32(marks, position, mark)
        store32(stack, 0, position)
        depth = 1
    while depth:
        depth -= 1
        here = load32(stack, depth)
        row = here * at.POSITION_FIELDS
        if load32(positions, row) != at.JUMP:
            count = load64(lexicon, at.L_FOUND + 1)
            store32(found, count, here)
            store64(lexicon, at.L_FOUND + 1, count + 1)
            continue
        for field in range(1, 3):
            following = load32(positions, row + field)
            if following >= 0 and load32(marks, following) != mark:
                store32(marks, following, mark)
                store32(stack, depth, following)
                depth += 1


@kernel
def _state_of_set(lexicon: int, spelling: int) -> int:
    """The state that is the set just made, found or added; DEAD for the empty set; NEED."""
    found, count = load64(lexicon, at.L_FOUND), load64(lexicon, at.L_FOUND + 1)
    if count == 0:
        return at.DEAD
    _sort(found, count)
    used = load64(lexicon, at.L_SETS + 1)
    if used + count > load64(lexicon, at.L_SETS + 2):
        return at.NEED
    table, mask = load64(lexicon, at.L_SET_TABLE), load64(lexicon, at.L_SET_MASK)
    place = _hash(found, count, spelling) & mask
    while True:
        state = load32(table, place) - 1
        if state < 0:
            break
        if _is_set(lexicon, state, found, count, spelling):
            return state
        place = (place + 1) & mask
    if 2 * load64(lexicon, at.L_SET_TABLE + 1) > mask or _has_room_for_one(lexicon) == 0:
        return at.NEED
    members = load64(lexicon, at.L_SETS) + used * 4
    for index in range(count):
        store32(members, index, load32(found, index))
    store64(lexicon, at.L_SETS + 1, used + count)
    first = load32(found, 0)
    state = _add_state(lexicon, first if first < at.NUM_ENDS and spelling != at.STRING_SPELLING else -1)
    store32(load64(lexicon, at.L_STATES), state * at.STATE_FIELDS + at.D_BOUNDARY, spelling != at.NUMBER_SPELLING)
    store64(load64(lexicon, at.L_SET_OF), state, used << 32 | count << 2 | spelling)
    _fill_row(lexicon, state, at.UNBUILT)
    store32(table, place, state + 1)
    store64(lexicon, at.L_SET_TABLE + 1, load64(lexicon, at.L_SET_TABLE + 1) + 1)
    return state


@kernel
def note_set(lexicon: int, state: int) -> None:
    """Enter a state into the hash table, which was emptied."""
    place = load64(load64(lexicon, at.L_SET_OF), state)
    members = load64(lexicon, at.L_SETS) + (place >> 32) * 4
    table, mask = load64(lexicon, at.L_SET_TABLE), load64(lexicon, at.L_SET_MASK)
    slot = _hash(members, (place & at.MASK32) >> 2, place & 3) & mask
    while load32(table, slot):
        slot = (slot + 1) & mask
    store32(table, slot, state + 1)


@kernel
def _has_room_for_one(lexicon: int) -> int:
    """1 when there is room for a state, and then for those within characters."""
    used, capacity = load64(lexicon, at.L_STATES + 1), load64(lexicon, at.L_STATES + 2)
    return 1 if used + 24 * at.STATE_FIELDS <= capacity else 0


@kernel
def _hash(found: int, count: int, spelling: int) -> int:
    mixed = spelling
    for index in range(count):
        mixed = (mixed * 0x9E3779B1 + load32(found, index) + 1) & 0x3FFFFFFF
        mixed ^= mixed >> 15
    return mixed


@kernel
def _is_set(lexicon: int, state: int, found: int, count: int, spelling: int) -> int:
    """1 when a state is this set."""
    place = load64(load64(lexicon, at.L_SET_OF), state)
    if place & at.MASK32 != count << 2 | spelling:
        return 0
    members = load64(lexicon, at.L_SETS) + (place >> 32) * 4
    for index in range(count):
        if load32(members, index) != load32(found, index):
            return 0
    return 1


@kernel
def _sort(numbers: int, count: int) -> None:
    """Sort int32 numbers in place, by Shell's method."""
    gap = 1
    while 3 * gap + 1 < count:
        gap = 3 * gap + 1
    while gap:
        for index in range(gap, count):
            number, place = load32(numbers, index), index
            while place >= gap and load32(numbers, place - gap) > number:
                store32(numbers, place, load32(numbers, place - gap))
                place -= gap
            store32(numbers, place, number)
        gap //= 3


@kernel
def _first_end(lexicon: int, place: int) -> int:
    """The first language whose text may end in a set; -1 if none."""
    first = load32(load64(lexicon, at.L_SETS), place >> 32)
    return first if first < at.NUM_ENDS else -1


@kernel
def _add_state(lexicon: int, accept: int) -> int:
    """A new state, as inside a character. BOUNDS: `_has_room`."""
    used = load64(lexicon, at.L_STATES + 1)
    fields = load64(lexicon, at.L_STATES) + used * 4
    for field in range(at.STATE_FIELDS):
        store32(fields, field, 0)
    store32(fields, at.D_ACCEPT, accept)
    store32(fields, at.D_SEGMENT, -1)
    store64(lexicon, at.L_STATES + 1, used + at.STATE_FIELDS)
    return used // at.STATE_FIELDS


@kernel
def _add_inner(lexicon: int) -> int:
    """A new state inside a character, with a row that leads nowhere."""
    state = _add_state(lexicon, -1)
    _fill_row(lexicon, state, at.DEAD)
    return state


@kernel
def _fill_row(lexicon: int, state: int, entry: int) -> None:
    """Give a row the same entry for each byte."""
    row, both = load64(lexicon, at.L_ROWS) + state * 1024, entry << 32 | (entry & at.MASK32)
    for word in range(128):
        store64(row, word, both)


@kernel
def _fill(lexicon: int, state: int, low: int, high: int, target: int) -> None:
    """Let bytes low .. high lead from a state inside a character to another one."""
    row = load64(lexicon, at.L_ROWS) + state * 1024
    for byte in range(low, high + 1):
        store32(row, byte, target)


@kernel
def _spell_wide(lexicon: int, row: int, target: int) -> None:
    """Let all characters from U+0080 on lead to a state, by places within them that are made once for each state."""
    inside = load32(load64(lexicon, at.L_INSIDE), target)
    if inside == 0:
        inside = _add_inner(lexicon)
        for _ in range(6):
            _add_inner(lexicon)
        store32(load64(lexicon, at.L_INSIDE), target, inside)
        _fill(lexicon, inside, 0x80, 0xBF, target)
        _fill(lexicon, inside + 1, 0x80, 0xBF, inside)
        _fill(lexicon, inside + 2, 0x80, 0xBF, inside + 1)
        _fill(lexicon, inside + 3, 0xA0, 0xBF, inside)  # after E0
        _fill(lexicon, inside + 4, 0x80, 0x9F, inside)  # after ED
        _fill(lexicon, inside + 5, 0x90, 0xBF, inside + 1)  # after F0
        _fill(lexicon, inside + 6, 0x80, 0x8F, inside + 1)  # after F4
    for byte in range(0xC2, 0xE0):
        store32(row, byte, inside)
    for byte in range(0xE0, 0xF0):
        store32(row, byte, inside + 1)
    for byte in range(0xF0, 0xF5):
        store32(row, byte, inside + 2)
    store32(row, 0xE0, inside + 3)
    store32(row, 0xED, inside + 4)
    store32(row, 0xF0, inside + 5)
    store32(row, 0xF4, inside + 6)


@kernel
def _short_escape(code: int) -> int:
    """The letter of the short escape of a control character, quote or backslash; 0 where there is none."""
    if code == 0x22 or code == 0x5C:
        return code
    if code == 0x08:
        return 0x62
    if code == 0x09:
        return 0x74
    if code == 0x0A:
        return 0x6E
    if code == 0x0C:
        return 0x66
    return 0x72 if code == 0x0D else 0


@kernel
def _spell_escapes(lexicon: int, row: int) -> None:
    """Move the characters of a string's row that need an escape to places after a backslash."""
    escaped, lasts = -1, -1
    quoted = load32(row, 0x22)
    backslashed = load32(row, 0x5C)
    for code in range(0x20):
        target = load32(row, code)
        store32(row, code, at.DEAD)
        if target == at.DEAD:
            continue
        if escaped < 0:
            escaped = _add_inner(lexicon)
        letter = _short_escape(code)
        if letter:
            _fill(lexicon, escaped, letter, letter, target)
            continue
        if lasts < 0:
            lasts = _spell_long_escape(lexicon, escaped)
        digit = 0x30 + (code & 15) if code & 15 < 10 else 0x57 + (code & 15)
        third = lasts + 2
        _fill(lexicon, lasts + (code >> 4), digit, digit, target)
        _fill(lexicon, third, 0x30 + (code >> 4), 0x30 + (code >> 4), lasts + (code >> 4))
    store32(row, 0x22, at.DEAD)
    store32(row, 0x5C, at.DEAD)
    for letter in (0x22, 0x5C):
        target = quoted if letter == 0x22 else backslashed
        if target != at.DEAD:
            if escaped < 0:
                escaped = _add_inner(lexicon)
            _fill(lexicon, escaped, letter, letter, target)
    if escaped >= 0:
        store32(row, 0x5C, escaped)


@kernel
def _spell_long_escape(lexicon: int, escaped: int) -> int:
    """The two states before the last digit of an escape like \\u001f, and the one before them."""
    lasts = _add_inner(lexicon)
    _add_inner(lexicon)
    third, second, first = _add_inner(lexicon), _add_inner(lexicon), _add_inner(lexicon)
    _fill(lexicon, second, 0x30, 0x30, third)
    _fill(lexicon, first, 0x30, 0x30, second)
    _fill(lexicon, escaped, 0x75, 0x75, first)
    return lasts
