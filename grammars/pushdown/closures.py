"""Kernels: closures: the threads with which texts can go on, from continuations and positions of rules.

A closure goes on with each way of its continuations, then into the rules that are called there. What it finds is
interned as a content. Kernels return NEED where Python must build what `machine.request` says; then all is done again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import layout as at
from ..automaton.steps import need
from ..memory.kernel import kernel
from ..memory.sorting import sort
from ..memory.structs import Array
from . import layout as pd
from .labels import new_epoch, substituted
from .numbers import intern, numbers_of
from .structs import RuleMachine
from .ways import after, union, ways_of


@kernel
def begin_closure(machine: RuleMachine) -> None:
    """A closure of nothing yet."""
    new_epoch(machine)
    closure = machine.closure
    closure.threads.used = 0
    closure.rests.used = 0
    closure.reached.used = 0
    closure.first_rule = machine.rules.used
    closure.last_rule = -1


@kernel
def left_of(machine: RuleMachine, continuation: int) -> int:
    """The content of what goes on after a continuation, found if need be; NEED."""
    found = machine.continuations[continuation].left
    if found >= 0:
        return found
    begin_closure(machine)
    if leave(machine, continuation) < 0:
        return pd.NEED
    found = finish_closure(machine)
    if found >= 0:
        machine.continuations[continuation].left = found
    return found


@kernel
def closure_of(machine: RuleMachine, position: int, is_complete: int) -> int:
    """The content of a text at a position of the rule of whole texts; NEED. is_complete: 1 if it may end as well."""
    begin_closure(machine)
    if _reach(machine, position, pd.END) < 0:
        return pd.NEED
    if is_complete and add_rest(machine, pd.COMPLETE << pd.KIND_SHIFT) < 0:
        return pd.NEED
    return finish_closure(machine)


@kernel
def returned(machine: RuleMachine, content: int, frame: int) -> int:
    """The content that a content is when a frame is popped; NEED."""
    begin_closure(machine)
    kept, threads = numbers_of(machine, frame), numbers_of(machine, content)
    for thread in threads:
        continuation = substituted(machine, thread & at.MASK32, frame)
        if continuation < 0 or _collect(machine, thread >> 32, continuation) < 0:
            return pd.NEED
    rests = numbers_of(machine, machine.contents[content].rest)
    for number in rests:
        kind, status = number >> pd.KIND_SHIFT, 0
        if kind == pd.LABEL:
            status = leave(machine, kept[number >> 32 & pd.NUMBER_BITS])
        elif kind == pd.COMPLETE:
            status = add_rest(machine, number)
        else:
            continuation = substituted(machine, number & at.MASK32, frame)
            status = add_rest(machine, (number >> 32) << 32 | continuation) if continuation >= 0 else pd.NEED
        if status < 0:
            return pd.NEED
    return finish_closure(machine)


@kernel
def leave(machine: RuleMachine, continuation: int) -> int:
    """Go on with each way of a continuation; 0, or NEED."""
    epoch, waiting, depth = machine.epoch, machine.closure.waiting.span(), 1
    waiting[0] = continuation
    while depth:
        depth -= 1
        here = waiting[depth]
        if machine.continuations[here].seen == epoch:
            continue
        machine.continuations[here].seen = epoch
        ways = ways_of(machine, here)
        if depth + len(ways) > machine.closure.waiting.capacity:
            return need(machine, pd.NEED_SCRATCH, depth + len(ways), 0)[0]
        for way in ways:
            position, then, status = way >> 32, way & at.MASK32, 0
            if position == pd.END_WAY:
                status = add_rest(machine, pd.COMPLETE << pd.KIND_SHIFT)
            elif position < 0:
                status = add_rest(machine, pd.LABEL << pd.KIND_SHIFT | (pd.FIRST_LABEL - position) << 32)
            else:
                status = _reach(machine, position, then)
                if machine.positions[position].flags & pd.IS_FINAL:
                    waiting[depth] = then
                    depth += 1
            if status < 0:
                return pd.NEED
    return 0


@kernel
def _reach(machine: RuleMachine, position: int, then: int) -> int:
    """Add a position with what comes after its rule; 0, or NEED."""
    fields, reached = machine.positions[position], machine.closure.reached
    if fields.seen == machine.epoch:
        then = union(machine, fields.then, then)
        if then < 0:
            return pd.NEED
    else:
        count = reached.used
        if count >= reached.capacity:
            return need(machine, pd.NEED_SCRATCH, count + 1, 0)[0]
        fields.seen = machine.epoch
        reached[count] = position
        reached.used = count + 1
    fields.then = then
    return 0


@kernel
def _call(machine: RuleMachine, rule: int, then: int) -> int:
    """Add a rule with what comes after it; 0, or NEED."""
    fields, closure = machine.rules[rule], machine.closure
    if fields.seen == machine.epoch:
        then = union(machine, fields.then, then)
        if then < 0:
            return pd.NEED
    else:
        fields.seen = machine.epoch
        closure.first_rule = min(rule, closure.first_rule)
        closure.last_rule = max(rule, closure.last_rule)
    fields.then = then
    return 0


@kernel
def _collect(machine: RuleMachine, lexeme: int, continuation: int) -> int:
    """Add a thread; 0, or NEED."""
    threads = machine.closure.threads
    count = threads.used
    if count >= threads.capacity:
        return need(machine, pd.NEED_SCRATCH, count + 1, 0)[0]
    threads[count] = lexeme << 32 | continuation
    threads.used = count + 1
    return 0


@kernel
def add_rest(machine: RuleMachine, number: int) -> int:
    """Add something beside threads; 0, or NEED."""
    rests = machine.closure.rests
    count = rests.used
    if count >= rests.capacity:
        return need(machine, pd.NEED_SCRATCH, count + 1, 0)[0]
    rests[count] = number
    rests.used = count + 1
    return 0


@kernel
def finish_closure(machine: RuleMachine) -> int:
    """The content of a closure, with what the rules that it calls begin with; NEED."""
    closure = machine.closure
    for index in range(closure.reached.used):
        position = closure.reached[index]
        if _enter(machine, position, machine.positions[position].then) < 0:
            return pd.NEED
    rule, epoch = closure.first_rule, machine.epoch
    while rule <= closure.last_rule:  # callers come before what they begin with
        fields = machine.rules[rule]
        if fields.seen == epoch and _enter(machine, fields.position, fields.then) < 0:
            return pd.NEED
        rule += 1
    rest = rest_of(machine)
    if rest < 0:
        return pd.NEED
    threads = closure.threads.span()
    count = _merged(machine, threads, closure.threads.used)
    return intern(machine, threads, count, rest, 1) if count >= 0 else pd.NEED


@kernel
def _enter(machine: RuleMachine, position: int, then: int) -> int:
    """Add what may come at a position; 0, or NEED."""
    fields, edges = machine.positions[position], machine.edges.span()
    first = fields.first_edge
    if first < 0:
        return need(machine, pd.NEED_POSITION, position, 0)[0]
    num_terminals, num_calls, num_documents = fields.num_terminals, fields.num_calls, fields.num_documents
    count = num_terminals + num_calls + num_documents + fields.num_tokens
    machine.work_left -= 16 * (count + 1)
    if machine.work_left <= 0:
        return need(machine, pd.NEED_PAUSE, 0, 0)[0]
    for index in range(count):
        what = edges[first + index].what
        continuation, status = after(machine, edges[first + index].target, then), 0
        if continuation < 0:
            return pd.NEED
        if index < num_terminals:
            status = _collect(machine, what, continuation)
        elif index < num_terminals + num_calls:
            status = _call(machine, what, continuation)
        else:
            kind = pd.DOCUMENT if index < num_terminals + num_calls + num_documents else pd.TOKENS
            status = add_rest(machine, kind << pd.KIND_SHIFT | what << 32 | continuation)
        if status < 0:
            return pd.NEED
    return 0


@kernel
def _merged(machine: RuleMachine, numbers: Array[int], count: int) -> int:
    """Sort numbers and unite the continuations of those that begin alike; how many there are then, NEED."""
    sort(numbers, count)
    num_kept = 0
    for index in range(count):
        number = numbers[index]
        if num_kept and numbers[num_kept - 1] >> 32 == number >> 32:
            num_kept -= 1
            continuation = union(machine, numbers[num_kept] & at.MASK32, number & at.MASK32)
            if continuation < 0:
                return pd.NEED
            number = (number >> 32) << 32 | continuation
        numbers[num_kept] = number
        num_kept += 1
    return num_kept


@kernel
def rest_of(machine: RuleMachine) -> int:
    """What was added beside threads, as a content; 0 for nothing, NEED."""
    numbers = machine.closure.rests.span()
    count = _merged(machine, numbers, machine.closure.rests.used)
    if count <= 0:
        return count
    rest = intern(machine, numbers, count, pd.REST, 1)
    if rest < 0:
        return pd.NEED
    flags = 0
    for index in range(count):
        flags |= 1 << (numbers[index] >> pd.KIND_SHIFT)
        if machine.continuations[numbers[index] & at.MASK32].is_deep:  # that of others is END
            flags |= pd.IS_DEEP
    machine.contents[rest].entry = flags
    return rest
