"""Kernels: closures: the threads with which texts can go on, from continuations and positions of rules.

A closure goes on with each way of its continuations, then into the rules that are called there. What it finds is
interned as a content. Kernels return NEED where Python must build what register M_NEED says; then all is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.memory import kernel, load32, load64, store32, store64
from ..automaton.steps import need
from . import layout as pd
from .labels import new_epoch, substituted
from .numbers import content_at, intern, numbers_of, sort
from .ways import after, continuation_field, note, position_field, union, ways_of


@kernel
def begin_closure(p: int) -> None:
    """A closure of nothing yet."""
    new_epoch(p)
    for field in (pd.P_NUM_COLLECTED, pd.P_NUM_RESTS, pd.P_NUM_REACHED):
        store64(p, field, 0)
    store64(p, pd.P_FIRST_RULE, load64(p, pd.P_RULES + 1))
    store64(p, pd.P_LAST_RULE, -1)


@kernel
def left_of(p: int, continuation: int) -> int:
    """The content of what goes on after a continuation, found if need be; NEED."""
    found = continuation_field(p, continuation, pd.K_LEFT)
    if found >= 0:
        return found
    begin_closure(p)
    if leave(p, continuation) < 0:
        return pd.NEED
    found = finish_closure(p)
    if found >= 0:
        note(p, continuation, pd.K_LEFT, found)
    return found


@kernel
def closure_of(p: int, position: int, is_complete: int) -> int:
    """The content of a text at a position of the rule of whole texts; NEED. is_complete: 1 if it may end as well."""
    begin_closure(p)
    if _reach(p, position, pd.END) < 0 or (is_complete and add_rest(p, pd.COMPLETE << pd.KIND_SHIFT) < 0):
        return pd.NEED
    return finish_closure(p)


@kernel
def returned(p: int, content: int, frame: int) -> int:
    """The content that a content is when a frame is popped; NEED."""
    begin_closure(p)
    kept, fields = numbers_of(p, frame), content_at(p, content)
    threads, rest = numbers_of(p, content), load64(fields, pd.C_REST)
    for index in range(load64(fields, pd.C_COUNT)):
        thread = load64(threads, index)
        continuation = substituted(p, thread & at.MASK32, kept)
        if continuation < 0 or _collect(p, thread >> 32, continuation) < 0:
            return pd.NEED
    rests = numbers_of(p, rest)
    for index in range(load64(content_at(p, rest), pd.C_COUNT)):
        number = load64(rests, index)
        kind, status = number >> pd.KIND_SHIFT, 0
        if kind == pd.LABEL:
            status = leave(p, load64(kept, number >> 32 & pd.NUMBER_BITS))
        elif kind == pd.COMPLETE:
            status = add_rest(p, number)
        else:
            continuation = substituted(p, number & at.MASK32, kept)
            status = add_rest(p, (number >> 32) << 32 | continuation) if continuation >= 0 else pd.NEED
        if status < 0:
            return pd.NEED
    return finish_closure(p)


@kernel
def leave(p: int, continuation: int) -> int:
    """Go on with each way of a continuation; 0, or NEED."""
    epoch, waiting, depth = load64(p, pd.P_EPOCH), load64(p, pd.P_PATH), 1
    store64(waiting, 0, continuation)
    while depth:
        depth -= 1
        here = load64(waiting, depth)
        if continuation_field(p, here, pd.K_SEEN) == epoch:
            continue
        note(p, here, pd.K_SEEN, epoch)
        ways, count = ways_of(p, here), continuation_field(p, here, pd.K_COUNT)
        if depth + count > load64(p, pd.P_SCRATCH_ROOM):
            return need(p, pd.NEED_SCRATCH, depth + count, 0)[0]
        for index in range(count):
            position, then, status = load64(ways, index) >> 32, load64(ways, index) & at.MASK32, 0
            if position == pd.END_WAY:
                status = add_rest(p, pd.COMPLETE << pd.KIND_SHIFT)
            elif position < 0:
                status = add_rest(p, pd.LABEL << pd.KIND_SHIFT | (pd.FIRST_LABEL - position) << 32)
            else:
                status = _reach(p, position, then)
                if position_field(p, position, pd.T_FLAGS) & pd.IS_FINAL:
                    store64(waiting, depth, then)
                    depth += 1
            if status < 0:
                return pd.NEED
    return 0


@kernel
def _reach(p: int, position: int, then: int) -> int:
    """Add a position with what comes after its rule; 0, or NEED."""
    fields = load64(p, pd.P_POSITIONS) + position * (pd.POSITION_FIELDS * 4)
    if load32(fields, pd.T_SEEN) == load64(p, pd.P_EPOCH):
        then = union(p, load32(fields, pd.T_THEN), then)
        if then < 0:
            return pd.NEED
    else:
        count = load64(p, pd.P_NUM_REACHED)
        if count >= load64(p, pd.P_SCRATCH_ROOM):
            return need(p, pd.NEED_SCRATCH, count + 1, 0)[0]
        store32(fields, pd.T_SEEN, load64(p, pd.P_EPOCH))
        store64(load64(p, pd.P_REACHED), count, position)
        store64(p, pd.P_NUM_REACHED, count + 1)
    store32(fields, pd.T_THEN, then)
    return 0


@kernel
def _call(p: int, rule: int, then: int) -> int:
    """Add a rule with what comes after it; 0, or NEED."""
    fields = load64(p, pd.P_RULES) + rule * (pd.RULE_FIELDS * 4)
    if load32(fields, pd.N_SEEN) == load64(p, pd.P_EPOCH):
        then = union(p, load32(fields, pd.N_THEN), then)
        if then < 0:
            return pd.NEED
    else:
        store32(fields, pd.N_SEEN, load64(p, pd.P_EPOCH))
        store64(p, pd.P_FIRST_RULE, min(rule, load64(p, pd.P_FIRST_RULE)))
        store64(p, pd.P_LAST_RULE, max(rule, load64(p, pd.P_LAST_RULE)))
    store32(fields, pd.N_THEN, then)
    return 0


@kernel
def _collect(p: int, lexeme: int, continuation: int) -> int:
    """Add a thread; 0, or NEED."""
    count = load64(p, pd.P_NUM_COLLECTED)
    if count >= load64(p, pd.P_SCRATCH_ROOM):
        return need(p, pd.NEED_SCRATCH, count + 1, 0)[0]
    store64(load64(p, pd.P_COLLECTED), count, lexeme << 32 | continuation)
    store64(p, pd.P_NUM_COLLECTED, count + 1)
    return 0


@kernel
def add_rest(p: int, number: int) -> int:
    """Add something beside threads; 0, or NEED."""
    count = load64(p, pd.P_NUM_RESTS)
    if count >= load64(p, pd.P_SCRATCH_ROOM):
        return need(p, pd.NEED_SCRATCH, count + 1, 0)[0]
    store64(load64(p, pd.P_RESTS), count, number)
    store64(p, pd.P_NUM_RESTS, count + 1)
    return 0


@kernel
def finish_closure(p: int) -> int:
    """The content of a closure, with what the rules that it calls begin with; NEED."""
    reached = load64(p, pd.P_REACHED)
    for index in range(load64(p, pd.P_NUM_REACHED)):
        position = load64(reached, index)
        if _enter(p, position, position_field(p, position, pd.T_THEN)) < 0:
            return pd.NEED
    rule, epoch = load64(p, pd.P_FIRST_RULE), load64(p, pd.P_EPOCH)
    while rule <= load64(p, pd.P_LAST_RULE):  # callers come before what they begin with
        fields = load64(p, pd.P_RULES) + rule * (pd.RULE_FIELDS * 4)
        is_called = load32(fields, pd.N_SEEN) == epoch
        if is_called and _enter(p, load32(fields, pd.N_POSITION), load32(fields, pd.N_THEN)) < 0:
            return pd.NEED
        rule += 1
    rest = rest_of(p)
    if rest < 0:
        return pd.NEED
    threads = load64(p, pd.P_COLLECTED)
    count = _merged(p, threads, load64(p, pd.P_NUM_COLLECTED))
    return intern(p, threads, count, rest, 1) if count >= 0 else pd.NEED


@kernel
def _enter(p: int, position: int, then: int) -> int:
    """Add what may come at a position; 0, or NEED."""
    first = position_field(p, position, pd.T_EDGES)
    if first < 0:
        return need(p, pd.NEED_POSITION, position, 0)[0]
    edges = load64(p, pd.P_EDGES) + first * 4
    num_terminals, num_calls = position_field(p, position, pd.T_TERMINALS), position_field(p, position, pd.T_CALLS)
    num_documents = position_field(p, position, pd.T_DOCUMENTS)
    count = num_terminals + num_calls + num_documents + position_field(p, position, pd.T_TOKENS)
    store64(p, pd.P_WORK, load64(p, pd.P_WORK) - 16 * (count + 1))
    if load64(p, pd.P_WORK) <= 0:
        return need(p, pd.NEED_PAUSE, 0, 0)[0]
    for index in range(count):
        what = load32(edges, index * pd.EDGE_FIELDS)
        continuation, status = after(p, load32(edges, index * pd.EDGE_FIELDS + 1), then), 0
        if continuation < 0:
            return pd.NEED
        if index < num_terminals:
            status = _collect(p, what, continuation)
        elif index < num_terminals + num_calls:
            status = _call(p, what, continuation)
        else:
            kind = pd.DOCUMENT if index < num_terminals + num_calls + num_documents else pd.TOKENS
            status = add_rest(p, kind << pd.KIND_SHIFT | what << 32 | continuation)
        if status < 0:
            return pd.NEED
    return 0


@kernel
def _merged(p: int, numbers: int, count: int) -> int:
    """Sort numbers and unite the continuations of those that begin alike; how many there are then, NEED."""
    sort(numbers, count)
    num_kept = 0
    for index in range(count):
        number = load64(numbers, index)
        if num_kept and load64(numbers, num_kept - 1) >> 32 == number >> 32:
            num_kept -= 1
            continuation = union(p, load64(numbers, num_kept) & at.MASK32, number & at.MASK32)
            if continuation < 0:
                return pd.NEED
            number = (number >> 32) << 32 | continuation
        store64(numbers, num_kept, number)
        num_kept += 1
    return num_kept


@kernel
def rest_of(p: int) -> int:
    """What was added beside threads, as a content; 0 for nothing, NEED."""
    numbers = load64(p, pd.P_RESTS)
    count = _merged(p, numbers, load64(p, pd.P_NUM_RESTS))
    if count <= 0:
        return count
    rest = intern(p, numbers, count, pd.REST, 1)
    if rest < 0:
        return pd.NEED
    flags = 0
    for index in range(count):
        flags |= 1 << (load64(numbers, index) >> pd.KIND_SHIFT)
        if continuation_field(p, load64(numbers, index) & at.MASK32, pd.K_DEEP):  # that of others is END
            flags |= pd.IS_DEEP
    store64(content_at(p, rest), pd.C_ENTRY, flags)
    return rest
