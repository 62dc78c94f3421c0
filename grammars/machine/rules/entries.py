"""Kernels: the entries of rows that lead to contents: the local state of a content, and the frame to push before it.

A kernel that has waited for Python starts its work again from the beginning.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, value_of_pair
from ...memory.kernel import exported, kernel
from ...memory.sorting import sort
from .. import asking
from .. import layout as at
from ..lexemes.mask_states import mask_state_of
from . import layout as pd
from .closures import add_rest, begin_closure, closure_of, left_of, rest_of, returned
from .counters import crossed_content, describe_counts, known_crossing, note_crossing
from .gss_edges import sort_united
from .labels import relabelled
from .numbers import intern, make_room_to_move, numbers_of, rest_flags
from .structs import Rules


@kernel
def entry_of(rules: Rules, number: int) -> int:
    """Return the row entry that leads to a content. The entry may push a frame, or lead to a returning state."""
    content = rules.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    flags = rest_flags(rules, number)
    if flags & pd.HAS_LABELS or not (flags & pd.IS_DEEP or _is_deep(rules, number)):
        return _shallow_entry(rules, number)
    frame, shallow = _pushed(rules, number)
    state = _shallow_entry(rules, shallow)
    if state <= pd.FIRST_ACTION:
        state = rules.actions[pd.FIRST_ACTION - state].state
    entry = _add_action(rules, frame, state)
    content.entry = entry
    return entry


@exported(releases_gil=False)
def entry_after(address: int, gss_node: int) -> int:
    """Return the entry of the configuration after a token or document that a GSS node follows.

    address: address of a Rules.
    """
    rules = Rules.at(address)
    return entry_of(rules, left_of(rules, gss_node))


@exported(releases_gil=False)
def start_entry(address: int, position: int, is_complete: int) -> int:
    """Return the entry of the empty text, at a position of the rule for whole texts.

    address: address of a Rules.
    is_complete: 1 if the empty text may be the whole text.
    """
    rules = Rules.at(address)
    return entry_of(rules, closure_of(rules, position, is_complete))


@kernel
def build_return(rules: Rules, state: int, frame: int) -> int:
    """Compute the entry of a returning state when a frame is popped, and keep it for `steps.popped`."""
    entry = entry_of(rules, returned(rules, rules.states[state].content, frame))
    make_room(rules.returns)
    add(rules.returns, state << 32 | frame, entry)
    return entry


@kernel
def crossed(rules: Rules, state: int, count: int) -> int:
    """Return the local state that replaces a state with a count, from its crossing on; DEAD for none."""
    entry = known_crossing(rules, state, count)
    if entry == pd.UNBUILT:
        content = crossed_content(rules, state, count)
        entry = pd.DEAD if content == pd.DEAD else _shallow_entry(rules, content)
        note_crossing(rules, state, count, entry)
    return rules.actions[pd.FIRST_ACTION - entry].state if entry <= pd.FIRST_ACTION else entry


@kernel
def local_mask_state_of(rules: Rules, state: int) -> int:
    """Return the mask state of a local state; mostly the state itself. See `lexemes.mask_states`."""
    if rules.states[state].mask_state == 0:
        found = _find_mask_state(rules, state)
        rules.states[state].mask_state = found + 1
        rules.states[found].mask_state = found + 1
    return rules.states[state].mask_state - 1


@kernel
def _find_mask_state(rules: Rules, state: int) -> int:
    content, is_other = rules.states[state].content, 0
    items = numbers_of(rules, content)
    make_room_to_move(rules, len(items))
    moved = rules.moving.moved.span()
    for index in range(len(items)):
        item, lexeme = items[index], items[index] >> 32
        if lexeme <= pd.DFA_STATE_BITS:
            item = mask_state_of(rules.tables.dfa, lexeme) << 32 | item & at.MASK32
        is_other |= item != items[index]
        moved[index] = item
    if not is_other:
        return state
    count = sort_united(rules, moved, len(items))
    entry = _shallow_entry(rules, intern(rules, moved, count, rules.contents[content].rest, 1))
    return rules.actions[pd.FIRST_ACTION - entry].state if entry <= pd.FIRST_ACTION else entry


@kernel
def _shallow_entry(rules: Rules, number: int) -> int:
    """Like `entry_of`, without pushing a frame: adds a local state."""
    content = rules.contents[number]
    entry = content.entry
    if entry != pd.UNBUILT:
        return entry
    rest, state = rest_flags(rules, number), rules.states.used
    rules.states.ensure(state + 1)
    rules.rows.ensure(state + 1)
    rules.row_edges.ensure(state + 1)
    rules.loops.ensure(state + 1)
    entry = state
    root = _root_of(rules, number) if rest == pd.HAS_DOCUMENTS and content.count == 0 else 0
    if rest & (pd.HAS_LABELS | pd.HAS_DOCUMENTS):
        entry = _add_action(rules, 0, state)
    new = rules.states[state]
    new.returns = 1 if rest & pd.HAS_LABELS else 0
    new.is_complete = 1 if rest & pd.HAS_COMPLETE else 0
    new.root = root
    new.begins_documents = 1 if rest & pd.HAS_DOCUMENTS and not root else 0
    new.content = number
    describe_counts(rules, new, numbers_of(rules, number))
    new.row_kind = pd.NO_ROW
    new.is_beside = 1 if rest & (pd.HAS_DOCUMENTS | pd.HAS_TOKENS) and not root else 0
    new.mask = 0
    new.mask_state = 0
    rules.loops[state] = 0
    rules.states.used = state + 1
    content.entry = entry
    return entry


@kernel
def _root_of(rules: Rules, number: int) -> int:
    """Return the root frame of a content's only document; 0 if it has several."""
    documents = numbers_of(rules, rules.contents[number].rest)
    if len(documents) > 1:
        return 0
    document, gss_node = documents[0] >> 32 & pd.NUMBER_BITS, documents[0] & at.MASK32
    root = value_of_pair(rules.roots, document, 1 + gss_node)
    if root < 0:
        asking.ask(rules.request, asking.ROOT, state=document, node=gss_node)
    return root


@kernel
def _is_deep(rules: Rules, content: int) -> int:
    """Return 1 if a frame must be pushed before the items of a content."""
    items, gss_nodes = numbers_of(rules, content), rules.gss_nodes.span()
    for item in items:
        if gss_nodes[item & at.MASK32].is_deep:
            return 1
    return 0


@kernel
def _add_action(rules: Rules, frame: int, state: int) -> int:
    """Return an entry that pushes a frame (0 for none) and leads to a state."""
    number = rules.actions.reserve(1)
    rules.actions[number].frame = frame
    rules.actions[number].state = state
    return pd.FIRST_ACTION - number


@kernel
def _pushed(rules: Rules, number: int) -> tuple[int, int]:
    """Return the frame to push before a content, and the content that remains.

    Labels are numbered in the order of the items' GSS nodes, so that contents with the same nodes have the same frame.
    """
    begin_closure(rules)
    items, moved = numbers_of(rules, number), rules.moving.moved.span()
    count = len(items)
    for index in range(count):
        moved[index] = items[index] & at.MASK32
    sort(moved, count)
    for index in range(count):
        relabelled(rules, moved[index])
    for index in range(count):
        moved[index] = items[index] >> 32 << 32 | relabelled(rules, items[index] & at.MASK32)
    rests = numbers_of(rules, rules.contents[number].rest)
    for beside in rests:
        if beside >> pd.KIND_SHIFT != pd.COMPLETE:
            beside = beside >> 32 << 32 | relabelled(rules, beside & at.MASK32)
        add_rest(rules, beside)
    rest, labels = rest_of(rules), rules.relabelling.labels
    frame = intern(rules, labels.span(), labels.used, pd.FRAME, 1)
    return frame, intern(rules, moved, count, rest, 1)
