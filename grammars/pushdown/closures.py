"""Kernels: closures: the items with which texts can go on, from GSS nodes and positions of rules.

A closure goes on with each edge of its GSS nodes, then into the rules that are called there. What it finds is
interned as a content. Where kernels wait, all is done again afterwards.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..automaton import asking
from ..automaton import layout as at
from ..memory.kernel import kernel
from . import layout as pd
from .gss_edges import after, gss_edges_of, sort_united, union
from .labels import new_epoch, substituted
from .numbers import intern, numbers_of
from .structs import RuleMachine


@kernel
def begin_closure(machine: RuleMachine) -> None:
    """A closure of nothing yet."""
    new_epoch(machine)
    closure = machine.closure
    closure.items.used = 0
    closure.rests.used = 0
    closure.reached.used = 0
    closure.first_rule = machine.rules.used
    closure.last_rule = -1


@kernel
def left_of(machine: RuleMachine, gss_node: int) -> int:
    """The content of what goes on after a GSS node, found if need be."""
    found = machine.gss_nodes[gss_node].left
    if found >= 0:
        return found
    begin_closure(machine)
    leave(machine, gss_node)
    found = finish_closure(machine)
    machine.gss_nodes[gss_node].left = found
    return found


@kernel
def closure_of(machine: RuleMachine, position: int, is_complete: int) -> int:
    """The content of a text at a position of the rule of whole texts. is_complete: 1 if it may end as well."""
    begin_closure(machine)
    _reach(machine, position, pd.END)
    if is_complete:
        add_rest(machine, pd.COMPLETE << pd.KIND_SHIFT)
    return finish_closure(machine)


@kernel
def returned(machine: RuleMachine, content: int, frame: int) -> int:
    """The content that a content is when a frame is popped."""
    begin_closure(machine)
    kept, items = numbers_of(machine, frame), numbers_of(machine, content)
    for item in items:
        _collect(machine, item >> 32, substituted(machine, item & at.MASK32, frame))
    rests = numbers_of(machine, machine.contents[content].rest)
    for number in rests:
        kind = number >> pd.KIND_SHIFT
        if kind == pd.LABEL:
            leave(machine, kept[number >> 32 & pd.NUMBER_BITS])
        elif kind == pd.COMPLETE:
            add_rest(machine, number)
        else:
            add_rest(machine, (number >> 32) << 32 | substituted(machine, number & at.MASK32, frame))
    return finish_closure(machine)


@kernel
def leave(machine: RuleMachine, gss_node: int) -> None:
    """Go on with each edge of a GSS node."""
    epoch, waiting, depth = machine.epoch, machine.closure.waiting.span(), 1
    waiting[0] = gss_node
    while depth:
        depth -= 1
        here = waiting[depth]
        if machine.gss_nodes[here].seen == epoch:
            continue
        machine.gss_nodes[here].seen = epoch
        gss_edges = gss_edges_of(machine, here)
        machine.closure.waiting.ensure(depth + len(gss_edges))
        for gss_edge in gss_edges:
            position, then = gss_edge >> 32, gss_edge & at.MASK32
            if position == pd.END_EDGE:
                add_rest(machine, pd.COMPLETE << pd.KIND_SHIFT)
            elif position < 0:
                add_rest(machine, pd.LABEL << pd.KIND_SHIFT | (pd.FIRST_LABEL - position) << 32)
            else:
                _reach(machine, position, then)
                if machine.positions[position].flags & pd.IS_FINAL:
                    waiting[depth] = then
                    depth += 1


@kernel
def _reach(machine: RuleMachine, position: int, then: int) -> None:
    """Add a position with what comes after its rule."""
    fields, reached = machine.positions[position], machine.closure.reached
    if fields.seen == machine.epoch:
        then = union(machine, fields.then, then)
    else:
        reached[reached.reserve(1)] = position
        fields.seen = machine.epoch
    fields.then = then


@kernel
def _call(machine: RuleMachine, rule: int, then: int) -> None:
    """Add a rule with what comes after it."""
    fields, closure = machine.rules[rule], machine.closure
    if fields.seen == machine.epoch:
        then = union(machine, fields.then, then)
    else:
        fields.seen = machine.epoch
        closure.first_rule = min(rule, closure.first_rule)
        closure.last_rule = max(rule, closure.last_rule)
    fields.then = then


@kernel
def _collect(machine: RuleMachine, lexeme: int, gss_node: int) -> None:
    """Add an item."""
    items = machine.closure.items
    items[items.reserve(1)] = lexeme << 32 | gss_node


@kernel
def add_rest(machine: RuleMachine, number: int) -> None:
    """Add something beside items."""
    rests = machine.closure.rests
    rests[rests.reserve(1)] = number


@kernel
def finish_closure(machine: RuleMachine) -> int:
    """The content of a closure, with what the rules that it calls begin with."""
    closure = machine.closure
    for index in range(closure.reached.used):
        position = closure.reached[index]
        _enter(machine, position, machine.positions[position].then)
    rule, epoch = closure.first_rule, machine.epoch
    while rule <= closure.last_rule:  # callers come before what they begin with
        fields = machine.rules[rule]
        if fields.seen == epoch:
            _enter(machine, fields.position, fields.then)
        rule += 1
    rest, items = rest_of(machine), closure.items.span()
    return intern(machine, items, sort_united(machine, items, closure.items.used), rest, 1)


@kernel
def _enter(machine: RuleMachine, position: int, then: int) -> None:
    """Add what may come at a position."""
    fields, edges = machine.positions[position], machine.edges.span()
    first = fields.first_edge
    if first < 0:
        asking.ask(machine.request, asking.POSITION, position=position)
    num_terminals, num_calls, num_documents = fields.num_terminals, fields.num_calls, fields.num_documents
    count = num_terminals + num_calls + num_documents + fields.num_tokens
    machine.work_left -= 16 * (count + 1)
    if machine.work_left <= 0:
        asking.ask(machine.request, asking.PAUSE)
    for index in range(count):
        what = edges[first + index].what
        gss_node = after(machine, edges[first + index].target, then)
        if index < num_terminals:
            _collect(machine, what, gss_node)
        elif index < num_terminals + num_calls:
            _call(machine, what, gss_node)
        else:
            kind = pd.DOCUMENT if index < num_terminals + num_calls + num_documents else pd.TOKENS
            add_rest(machine, kind << pd.KIND_SHIFT | what << 32 | gss_node)


@kernel
def rest_of(machine: RuleMachine) -> int:
    """What was added beside items, as a content; 0 for nothing."""
    numbers = machine.closure.rests.span()
    count = sort_united(machine, numbers, machine.closure.rests.used)
    if count == 0:
        return 0
    rest, flags = intern(machine, numbers, count, pd.REST, 1), 0
    for index in range(count):
        flags |= 1 << (numbers[index] >> pd.KIND_SHIFT)
        if machine.gss_nodes[numbers[index] & at.MASK32].is_deep:  # that of others is END
            flags |= pd.IS_DEEP
    machine.contents[rest].entry = flags
    return rest
