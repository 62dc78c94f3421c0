"""Kernels: one byte, and one token, in a local state.

They return a pair (local state, stack node): DEAD where no text goes on so, NEED where Python must build what register
M_NEED says; afterwards the same step is made again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load8, load32, load64, store32, store64
from ..automaton.steps import pair_hash, push
from . import layout as pd
from .entries import build_return
from .rows import entry_at, ready


@kernel
def push_frame(p: int, parent: int, frame: int) -> int:
    """The stack node of a frame on top of a stack; NEED when the table is full."""
    used = load64(p, at.M_NODES + 1)
    node = push(p, parent, frame)
    if node == used:
        depths = load64(p, pd.P_DEPTHS)
        store32(depths, node, load32(depths, parent) + 1)
    return node


@kernel
def state_field(p: int, state: int, field: int) -> int:
    """A field of a local state."""
    return load32(load64(p, pd.P_STATES), state * pd.STATE_FIELDS + field)


@kernel
def popped(p: int, state: int, frame: int) -> int:
    """What a state that returns becomes when a frame is popped, as in a row; UNBUILT."""
    keys, values, mask = load64(p, pd.P_RETURN_KEYS), load64(p, pd.P_RETURN_VALUES), load64(p, pd.P_RETURN_MASK)
    key = state << 32 | frame
    place = pair_hash(state, frame, mask)
    while True:
        found = load64(keys, place)
        if found == key:
            return load32(values, place)
        if found == 0:
            return pd.UNBUILT
        place = (place + 1) & mask


@kernel
def follow(p: int, entry: int, stack: int) -> tuple[int, int]:
    """Where an entry of a row leads to: frames are pushed and popped until a state is reached that does not return.

    Ends, since each turn pops a frame and what is then pushed leads to a state that does not return.
    """
    nodes, actions = load64(p, at.M_NODES), load64(p, pd.P_ACTIONS)
    while True:
        state = entry
        if entry <= pd.FIRST_ACTION:
            action = (pd.FIRST_ACTION - entry) * pd.ACTION_FIELDS
            frame, state = load32(actions, action + pd.A_FRAME), load32(actions, action + pd.A_STATE)
            if frame:
                stack = push_frame(p, stack, frame)
                if stack < 0:
                    return pd.NEED, 0
        if not state_field(p, state, pd.G_RETURNS):
            return state, stack
        depth = load32(load64(p, pd.P_DEPTHS), stack)
        if depth < load64(p, pd.P_LOWEST):
            store64(p, pd.P_LOWEST, depth)
        node = load64(nodes, stack)
        entry, stack = popped(p, state, node & at.MASK32), node >> 32
        if entry == pd.UNBUILT:
            entry = build_return(p, state, node & at.MASK32)
            if entry == pd.NEED:
                return pd.NEED, 0


@kernel
def step(p: int, state: int, stack: int, byte: int) -> tuple[int, int]:
    """One byte."""
    entry = entry_at(p, state, byte)
    if entry >= 0:
        return entry, stack
    if entry > pd.FIRST_ACTION:
        return entry, 0
    return follow(p, entry, stack)


@kernel
def advance(p: int, state: int, stack: int, token: int, position: int) -> tuple[int, int]:
    """Where a token's bytes from `position` on lead to. After a NEED, M_POSITION, M_CODE, M_STACK say where to go on.

    When a state is met inside of the token in which a JSON document may begin, M_FOUND is set to 1.
    """
    lexicon = load64(p, at.M_LEXICON)
    text, starts = load64(lexicon, at.L_TEXT), load64(lexicon, at.L_TEXT_START)
    start, end = load32(starts, token), load32(starts, token + 1)
    for index in range(start + position, end):
        if index > start and state_field(p, state, pd.G_DOCUMENTS):
            store64(p, at.M_FOUND, 1)
        following, new_stack = step(p, state, stack, load8(text, index))
        if following < 0:
            store64(p, at.M_POSITION, index - start)
            store64(p, at.M_CODE, state)
            store64(p, at.M_STACK, stack)
            return following, 0
        state, stack = following, new_stack
    return state, stack


@kernel
def known_mask(p: int, state: int, stack: int) -> int:
    """The number of the mask of a local state with a stack, if one was made for the same upper frames; -1."""
    found, nodes = state_field(p, state, pd.G_MASK), load64(p, at.M_NODES)
    keys, values, mask = load64(p, pd.P_MASK_KEYS), load64(p, pd.P_MASK_VALUES), load64(p, pd.P_MASK_MASK)
    while found < 0:
        node = load64(nodes, stack)
        frame = node & at.MASK32
        key, place = -found << 32 | frame, pair_hash(-found, frame, mask)
        while load64(keys, place) != 0 and load64(keys, place) != key:
            place = (place + 1) & mask
        found = load32(values, place) if load64(keys, place) == key else 0
        stack = node >> 32
    return found - 1


@kernel
def next_place(p: int, place: int, token: int) -> tuple[int, int]:
    """The place after a token, as local state << 32 | stack, and the number of its mask, -1 where that is not known.

    (DEAD, .); (NEED, .), then `advance` goes on; (BESIDE, .) where a JSON document may begin on the way, or more than
    one local state is needed.
    """
    starts = load64(load64(p, at.M_LEXICON), at.L_TEXT_START)
    if load32(starts, token) == load32(starts, token + 1):
        return pd.DEAD, -1
    store64(p, at.M_FOUND, 0)
    state, stack = advance(p, place >> 32, place & at.MASK32, token, 0)
    if state == pd.NEED:
        return pd.NEED, -1
    if load64(p, at.M_FOUND) or (state >= 0 and state_field(p, state, pd.G_BESIDE)):
        return pd.BESIDE, -1
    return (state << 32 | stack, known_mask(p, state, stack)) if state >= 0 else (state, -1)


@kernel
def forced_byte(p: int, state: int) -> int:
    """The only byte that may come in a state; DEAD when there are none or several; NEED."""
    if ready(p, state) == pd.NEED:
        return pd.NEED
    rows, found = load64(p, pd.P_ROWS) + state * 1024, pd.DEAD
    for byte in range(256):
        if load32(rows, byte) != pd.DEAD:
            if found >= 0:
                return pd.DEAD
            found = byte
    return found
