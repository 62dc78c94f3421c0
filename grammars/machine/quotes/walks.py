"""Kernels: the effect of the vocabulary's tokens at a place of a quote.

A walk compares the trie with the place's suffixes. It visits only nodes whose bytes continue some
suffix: mostly a few. Only the beginning of a quote has many; its result is kept.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ...memory.hash_map import add, make_room, value_of_pair
from ...memory.kernel import kernel
from ...memory.rows import row_at
from ..documents.steps import QUOTE, next_dfa_state
from ..interiors import clear
from ..layout import MASK32
from ..machine import Machine
from ..mask_work import ROOT, child_of, new_row
from ..sources.suffixes import byte_after, first_from, split
from ..structs import Trie
from .ahead import any_leads_on, leads_on
from .ends import accepts, has_length, may_end
from .structs import QuoteEntry, QuoteInterior, Quotes


@kernel
def quote_interior(machine: Machine, code: int, node: int) -> QuoteInterior:
    """Return the effect of the tokens below a node at the place of a QUOTED code; valid until the next call."""
    quotes, number = machine.quotes, code & MASK32
    is_kept = quotes.places[number].depth == 0
    if is_kept:
        known = value_of_pair(quotes.interior_of, number, node)
        if known > 0:
            return quotes.interiors[known]
    _walk(machine, quotes, number, node)
    if not is_kept:
        return quotes.interiors[0]
    row = 0
    if node == ROOT:
        row = _row_of(machine, quotes)
    make_room(quotes.interior_of)
    added = quotes.interiors.reserve(1)
    found, kept = quotes.interiors[0], quotes.interiors[added]
    kept.row = row
    kept.first_inside = found.first_inside
    kept.num_inside = found.num_inside
    kept.first_exit = found.first_exit
    kept.num_exits = found.num_exits
    quotes.num_inside += found.num_inside
    quotes.num_exits += found.num_exits
    if row:
        machine.room.rows.used += machine.tables.trie.num_words
    add(quotes.interior_of, number << 32 | node, added)
    return kept


@kernel
def _row_of(machine: Machine, quotes: Quotes) -> int:
    """The address of a new row of the tokens that stay inside, by the last walk. The row is not in use yet."""
    trie, found = machine.tables.trie, quotes.interiors[0]
    row = row_at(new_row(machine.room, trie.num_words).address, trie.num_words)
    clear(row)
    for index in range(found.num_inside):
        node = quotes.inside[found.first_inside + index]
        for place in range(trie.token_start[node], trie.own_end[node]):
            token = trie.sorted_ids[place]
            row[token >> 5] |= 1 << (token & 31)
    return row.address


@kernel
def _walk(machine: Machine, quotes: Quotes, number: int, node: int) -> None:
    """Find the nodes below `node` whose own tokens stay inside, and those after a closing quote, as interior 0.

    Discards the result of earlier walks, also if this walk is restarted.
    """
    quotes.inside.used = quotes.num_inside
    quotes.exits.used = quotes.num_exits
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
    found = quotes.interiors[0]
    found.row = 0
    found.first_inside = quotes.num_inside
    found.num_inside = quotes.inside.used - quotes.num_inside
    found.first_exit = quotes.num_exits
    found.num_exits = quotes.exits.used - quotes.num_exits


@kernel
def _push(quotes: Quotes, node: int, first: int, count: int, depth: int, state: int) -> None:
    entry = quotes.queue[quotes.queue.reserve(1)]
    entry.node = node
    entry.first = first
    entry.count = count
    entry.depth = depth
    entry.state = state


@kernel
def _note_inside(quotes: Quotes, trie: Trie, node: int) -> None:
    """Note that the tokens that end at a node stay inside."""
    if trie.token_start[node] < trie.own_end[node]:
        quotes.inside[quotes.inside.reserve(1)] = node


@kernel
def _note_exit(quotes: Quotes, trie: Trie, node: int) -> None:
    """Note that the string may end at a node."""
    child = child_of(trie, node, QUOTE)
    if child:
        quotes.exits[quotes.exits.reserve(1)] = child


@kernel
def _branch(machine: Machine, quotes: Quotes, number: int, entry: QuoteEntry) -> None:
    """Continue from an entry with several suffixes: one new entry for each byte with which some of them continue."""
    trie, lexeme = machine.tables.trie, quotes.lexemes[number]
    node, first, count, depth, state = entry.node, entry.first, entry.count, entry.depth, entry.state
    if trie.first_child[node] == trie.first_child[node + 1]:
        return
    if may_end(machine, lexeme, first, count, depth, state):
        _note_exit(quotes, trie, node)
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
                _note_inside(quotes, trie, child)
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
            _note_exit(quotes, trie, node)
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
        _note_inside(quotes, trie, node)
