"""Kernels: the effect of the vocabulary's tokens at a place of a quote.

A walk compares the trie with the place's suffixes, and visits only nodes whose bytes continue some suffix. There are
many such nodes only at the beginning of a quote, so this result is kept.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.kernel import kernel
from ..documents.steps import QUOTE, next_dfa_state
from ..interiors import add_exit, clear, clear_walk, keep_interior, known_interior, note_tokens, write_interior
from ..layout import MASK32
from ..machine import Machine
from ..mask_work import ROOT, child_of, new_row
from ..sources.suffixes import byte_after, first_from, split
from ..structs import Interior
from .ahead import any_leads_on, leads_on
from .ends import accepts, has_length, may_end
from .structs import QuoteEntry, QuoteLexeme, Quotes


@kernel
def quote_interior(machine: Machine, code: int, node: int) -> Interior:
    """Return the interior of the place of a QUOTED code at a node; valid until the next call."""
    kept, number = machine.quotes.interiors, code & MASK32
    if machine.quotes.places[number].depth > 0:
        _walk(machine, number, node)
        write_interior(kept, 0, machine.tables.walk, 0)
        return kept.made[0]
    known = known_interior(kept, number, node)
    return kept.made[known if known > 0 else _build_interior(machine, number, node)]


@kernel
def _build_interior(machine: Machine, place: int, node: int) -> int:
    """Make the interior of the beginning of a quote, and return its number. At the root its tokens are a row."""
    kept, walk, num_words = machine.quotes.interiors, machine.tables.walk, machine.tables.trie.num_words
    _walk(machine, place, node)
    if node != ROOT:
        return keep_interior(kept, place, node, walk, 0)
    row = new_row(machine.room, num_words)
    clear(row)
    for index in range(walk.tokens.used):
        token = walk.tokens[index] & MASK32
        row[token >> 5] |= 1 << (token & 31)
    walk.tokens.used = 0
    number = keep_interior(kept, place, node, walk, row.address)
    machine.room.rows.used += num_words
    return number


@kernel
def _walk(machine: Machine, number: int, node: int) -> None:
    """Find the tokens below `node` that stay inside from a place on, and the nodes after a closing quote.

    If the kernel waits for Python, the next call begins again.
    """
    quotes = machine.quotes
    clear_walk(machine.tables.walk)
    quotes.queue.used = 0
    begun = quotes.places[number]
    lexeme = begun.lexeme
    _push(quotes, node, begun.first, begun.count, begun.depth, begun.state)
    while quotes.queue.used:
        quotes.queue.used -= 1
        entry = quotes.queue[quotes.queue.used]
        if entry.count == 1:
            _follow(machine, quotes, lexeme, entry)
        else:
            _branch(machine, quotes, lexeme, entry)


@kernel
def _push(quotes: Quotes, node: int, first: int, count: int, depth: int, state: int) -> None:
    entry = quotes.queue[quotes.queue.reserve(1)]
    entry.node = node
    entry.first = first
    entry.count = count
    entry.depth = depth
    entry.state = state


@kernel
def _note_inside(machine: Machine, node: int) -> None:
    """Note that the tokens that end at a node stay inside."""
    note_tokens(machine.tables, node, machine.tables.trie.own_end[node], 0, 0)


@kernel
def _note_exit(machine: Machine, lexeme: QuoteLexeme, node: int) -> None:
    """Note that the string may end at a node. All texts of a quote are of one class."""
    child = child_of(machine.tables.trie, node, QUOTE)
    if child:
        add_exit(machine.tables.walk, child, lexeme.returned, 0)


@kernel
def _branch(machine: Machine, quotes: Quotes, number: int, entry: QuoteEntry) -> None:
    """Continue from an entry with several suffixes: add an entry for each next byte of these suffixes."""
    trie, lexeme = machine.tables.trie, quotes.lexemes[number]
    node, first, count, depth, state = entry.node, entry.first, entry.count, entry.depth, entry.state
    if trie.first_child[node] == trie.first_child[node + 1]:
        return
    if may_end(machine, lexeme, first, count, depth, state):
        _note_exit(machine, lexeme, node)
    split(quotes.buckets, lexeme, first, count, depth)
    index, end = first, first + count
    while index < end:
        byte = byte_after(lexeme, index, depth)
        following = first_from(lexeme, index + 1, end, depth, byte + 1)
        child = child_of(trie, node, byte) if byte >= 0 else 0
        if child:
            after = state if state < 0 else next_dfa_state(machine, state, byte)
            is_on = state < 0 or after >= 0
            if is_on and any_leads_on(machine, number, index, following - index, depth + 1, after):
                _note_inside(machine, child)
                _push(quotes, child, index, following - index, depth + 1, after)
        index = following


@kernel
def _follow(machine: Machine, quotes: Quotes, number: int, entry: QuoteEntry) -> None:
    """Continue from an entry with one suffix, along the text."""
    trie, lexeme, node, state = machine.tables.trie, quotes.lexemes[number], entry.node, entry.state
    start = lexeme.order[entry.first]
    place = start + entry.depth
    while trie.first_child[node] < trie.first_child[node + 1]:
        if place > start and lexeme.ends[place] and has_length(lexeme, start, place) and accepts(machine, state):
            _note_exit(machine, lexeme, node)
        if place == len(lexeme.text):
            return
        byte = lexeme.text[place]
        node = child_of(trie, node, byte)
        if node == 0:
            return
        if state >= 0:
            state = next_dfa_state(machine, state, byte)
            if state < 0:
                return
        place += 1
        if not leads_on(machine, number, start, place, state):
            return
        _note_inside(machine, node)
