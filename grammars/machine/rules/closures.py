"""Kernels: closures: the items that may come next, from GSS nodes and positions of rules.

A closure follows each edge of its GSS nodes, then enters the rules called there. The result is interned as a content.
A kernel that has waited for Python computes the whole closure again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from .. import asking
from .. import layout as at
from . import layout as pd
from .counters import separate
from .gss_edges import after, gss_edges_of, sort_united, union
from .labels import new_epoch, substituted
from .numbers import intern, numbers_of
from .structs import Rules


@kernel
def begin_closure(rules: Rules) -> None:
    """Begin an empty closure."""
    new_epoch(rules)
    closure = rules.closure
    closure.items.used = 0
    closure.rests.used = 0
    closure.reached.used = 0
    closure.missing.used = 0
    closure.first_rule = rules.rules.used
    closure.last_rule = -1


@kernel
def left_of(rules: Rules, gss_node: int) -> int:
    """Return the content of everything that goes on after a GSS node; computed on first use."""
    found = rules.gss_nodes[gss_node].left
    if found >= 0:
        return found
    begin_closure(rules)
    leave(rules, gss_node)
    found = finish_closure(rules)
    rules.gss_nodes[gss_node].left = found
    return found


@kernel
def closure_of(rules: Rules, position: int, is_complete: int) -> int:
    """Return the content at a position of the rule for whole texts. is_complete: 1 if the text may also end there."""
    begin_closure(rules)
    _reach(rules, position, pd.END)
    if is_complete:
        add_rest(rules, pd.COMPLETE << pd.KIND_SHIFT)
    return finish_closure(rules)


@kernel
def returned(rules: Rules, content: int, frame: int) -> int:
    """Return the content after a frame is popped: the GSS nodes that `frame` keeps replace the labels in `content`."""
    begin_closure(rules)
    kept, items = numbers_of(rules, frame), numbers_of(rules, content)
    for item in items:
        _collect(rules, item >> 32, substituted(rules, item & at.MASK32, frame))
    rests = numbers_of(rules, rules.contents[content].rest)
    for number in rests:
        kind = number >> pd.KIND_SHIFT
        if kind == pd.LABEL:
            leave(rules, kept[number >> 32 & pd.NUMBER_BITS])
        elif kind == pd.COMPLETE:
            add_rest(rules, number)
        else:
            add_rest(rules, (number >> 32) << 32 | substituted(rules, number & at.MASK32, frame))
    return finish_closure(rules)


@kernel
def leave(rules: Rules, gss_node: int) -> None:
    """Follow each edge of a GSS node."""
    epoch, waiting, depth = rules.epoch, rules.closure.waiting.span(), 1
    waiting[0] = gss_node
    while depth:
        depth -= 1
        here = waiting[depth]
        if rules.gss_nodes[here].seen == epoch:
            continue
        rules.gss_nodes[here].seen = epoch
        gss_edges = gss_edges_of(rules, here)
        rules.closure.waiting.ensure(depth + len(gss_edges))
        for gss_edge in gss_edges:
            position, then = gss_edge >> 32, gss_edge & at.MASK32
            if position == pd.END_EDGE:
                add_rest(rules, pd.COMPLETE << pd.KIND_SHIFT)
            elif position < 0:
                add_rest(rules, pd.LABEL << pd.KIND_SHIFT | (pd.FIRST_LABEL - position) << 32)
            else:
                _reach(rules, position, then)
                if rules.positions[position].flags & pd.IS_FINAL:
                    waiting[depth] = then
                    depth += 1


@kernel
def _reach(rules: Rules, position: int, then: int) -> None:
    """Add a position and the GSS node after its rule."""
    fields, reached = rules.positions[position], rules.closure.reached
    if fields.seen == rules.epoch:
        then = union(rules, fields.then, then)
    else:
        reached[reached.reserve(1)] = position
        fields.seen = rules.epoch
    fields.then = then


@kernel
def _call(rules: Rules, rule: int, then: int) -> None:
    """Add a called rule and the GSS node after it."""
    fields, closure = rules.rules[rule], rules.closure
    if fields.seen == rules.epoch:
        then = union(rules, fields.then, then)
    else:
        fields.seen = rules.epoch
        closure.first_rule = min(rule, closure.first_rule)
        closure.last_rule = max(rule, closure.last_rule)
    fields.then = then


@kernel
def _collect(rules: Rules, lexeme: int, gss_node: int) -> None:
    """Add an item."""
    items = rules.closure.items
    items[items.reserve(1)] = lexeme << 32 | gss_node


@kernel
def add_rest(rules: Rules, number: int) -> None:
    """Add a document, a set of tokens, a label or COMPLETE: a number of a REST."""
    rests = rules.closure.rests
    rests[rests.reserve(1)] = number


@kernel
def finish_closure(rules: Rules) -> int:
    """Return the content of a closure, after entering all rules that it calls."""
    closure = rules.closure
    for index in range(closure.reached.used):
        position = closure.reached[index]
        _enter(rules, position, rules.positions[position].then)
    rule, epoch = closure.first_rule, rules.epoch
    while rule <= closure.last_rule:  # callers are numbered before the rules that they begin with
        fields = rules.rules[rule]
        if fields.seen == epoch:
            _enter(rules, fields.position, fields.then)
        rule += 1
    if closure.missing.used:
        asking.ask(rules.request, asking.TERMINALS)
    rest, items = rest_of(rules), closure.items.span()
    separate(rules, items, closure.items.used)
    return intern(rules, items, sort_united(rules, items, closure.items.used), rest, 1)


@kernel
def _enter(rules: Rules, position: int, then: int) -> None:
    """Add everything that may come at a position."""
    first, end = rules.positions[position].first_edge, rules.positions[position + 1].first_edge
    rules.work_left -= 16 * (end - first + 1)
    if rules.work_left <= 0:
        asking.ask(rules.request, asking.PAUSE)
    for edge in rules.edges.span().part(first, end - first):
        what, gss_node = edge >> 32, after(rules, edge & at.MASK32, then)
        symbol = rules.symbols[what]
        if symbol.kind == pd.CALL:
            _call(rules, symbol.number, gss_node)
        elif symbol.kind != pd.TERMINAL:
            add_rest(rules, symbol.kind << pd.KIND_SHIFT | what << 32 | gss_node)
        elif symbol.number >= 0:
            _collect(rules, symbol.number, gss_node)
        else:
            missing = rules.closure.missing
            missing[missing.reserve(1)] = what


@kernel
def rest_of(rules: Rules) -> int:
    """Return the content of everything that was added beside items; 0 if nothing was."""
    numbers = rules.closure.rests.span()
    count = sort_united(rules, numbers, rules.closure.rests.used)
    if count == 0:
        return 0
    rest, flags = intern(rules, numbers, count, pd.REST, 1), 0
    for index in range(count):
        flags |= 1 << (numbers[index] >> pd.KIND_SHIFT)
        # numbers of other kinds have the GSS node END, which is not deep
        if rules.gss_nodes[numbers[index] & at.MASK32].is_deep:
            flags |= pd.IS_DEEP
    rules.contents[rest].entry = flags
    return rest
