"""Kernels: the tokens that are allowed in a state.

A mask is a base row (for a string state: all tokens that stay inside, made once for each state) and some changed words.
`fill_mask` walks the vocabulary's trie with a queue of (node, code, stack node). An entry means: what is under this
node goes on from that state. Entries of big subtrees in strings and numbers are answered by an interior: the tokens
that stay inside, and the exits, where the walk goes on in the state that follows. Entries of words follow the words,
not the trie.

An OVERLAY is answered by its base lexeme; when all of that is done, what lies along the words is corrected: under the
end of a word nothing of the base's counts. So corrections wait until the queue is empty.

Captures (a key or an item whose text decides what follows) are passed without the text. That is right until the frame
that follows takes another key or item, within the same token. Entries behind a capture carry a taint, and where its
text could matter the tokens are not allowed but listed: whoever fills a row tries them out. With many values left, none
of which is read yet, one more exclusion changes nothing (`FrameRow.fragile` says where it might).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.hash_map import slot_of
from ..memory.kernel import exported, kernel
from ..memory.rows import row_at
from . import layout as at
from .advance import step
from .asking import ask_for_interior
from .steps import class_at, counter_of, give_back
from .structs import DocumentMachine, Interior, Machine, MaskEntry, MaskWork, Tables, Trie
from .word_steps import (
    any_allowed,
    base_at,
    enter_group,
    enter_overlay_group,
    group_end,
    word_byte,
    word_depth,
    word_index,
    words_of,
)

_SMALL = 24  # tokens of a subtree that are stepped through one by one. PERF: a guess between 8 and 64
_ROOM = 300  # entries that one node may add, besides the exits of its interior


@exported(releases_gil=False)
def begin_mask(address: int, code: int, stack: int) -> None:
    """Begin the mask of a state. address: of the DocumentMachine."""
    begin(DocumentMachine.at(address).tables.mask, 0, code, stack)


@exported
def fill_mask(address: int) -> tuple[int, int, int]:
    """Go on with a mask to its end: (address of the base row, address of the changed words, how many of them).

    address: of the DocumentMachine. The changed words are `ChangedWord`s. Where it waits, call it again.
    O(changed tokens + exits).
    """
    machine = DocumentMachine.at(address)
    machine.is_exact = 0
    walk(machine)
    mask = machine.tables.mask
    if is_complete(address, mask.code, mask.stack):
        for token in machine.tables.trie.end_ids:
            set_bit(mask, token, 1)
    return finish(machine)


@kernel
def walk(machine: DocumentMachine) -> None:
    """Do all entries of the queue, and then those that wait until it is empty."""
    mask = machine.tables.mask
    while True:
        while mask.head < mask.queue.used:
            expand(machine, mask.queue[mask.head])
            mask.head += 1
            mask.cursor = 0
        if mask.delayed.used == 0:
            return
        take_delayed(mask)


@exported(releases_gil=False)
def is_complete(address: int, code: int, stack: int) -> int:
    """1 when the document may end here. address: of the DocumentMachine."""
    if code == at.DONE:
        return 1
    if code >> at.TAG_SHIFT != at.NUMBER:
        return 0
    machine = DocumentMachine.at(address)
    if machine.tables.dfa.states[code & at.MASK32].accepts < 0:
        return 0
    return 1 if machine.frames[machine.nodes[stack] & at.MASK32].kind == at.ROOT_FRAME else 0


@kernel
def begin(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """A new mask: no token is allowed yet; what is under a node of the vocabulary goes on from a state."""
    mask.epoch += 1
    mask.num_touched = 0
    mask.base_row = mask.zero_row
    mask.code = code
    mask.stack = stack
    mask.head = 0
    mask.cursor = 0
    mask.queue.used = 0
    mask.delayed.used = 0
    mask.num_must_try = 0
    mask.num_ends = 0
    append(mask, node, code, stack)


@kernel
def append(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Add an entry to the queue; its taint is above the node's 32 bits."""
    _fill(mask.queue[mask.queue.reserve(1)], node, code, stack)


@kernel
def delay(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Add an entry that waits until the queue is empty."""
    _fill(mask.delayed[mask.delayed.reserve(1)], node, code, stack)


@kernel
def _fill(entry: MaskEntry, node: int, code: int, stack: int) -> None:
    entry.node = node
    entry.code = code
    entry.stack = stack


@kernel
def make_room(mask: MaskWork, count: int) -> None:
    """Let so many entries be added, so that none of them begins the kernel anew with some of them added already."""
    mask.queue.ensure(mask.queue.used + count)
    mask.delayed.ensure(mask.delayed.used + count)


@kernel
def take_delayed(mask: MaskWork) -> None:
    """Start the queue again with the delayed entries."""
    mask.queue.ensure(mask.delayed.used)
    mask.head = 0
    mask.cursor = 0
    mask.queue.used = 0
    for index in range(mask.delayed.used):
        entry = mask.delayed[index]
        append(mask, entry.node, entry.code, entry.stack)
    mask.delayed.used = 0


@kernel
def _touch(mask: MaskWork, word: int) -> None:
    """Let a word of the scratch row differ from the base row."""
    if mask.epochs[word] != mask.epoch:
        mask.epochs[word] = mask.epoch
        mask.scratch[word] = row_at(mask.base_row, len(mask.scratch))[word]
        mask.touched[mask.num_touched] = word
        mask.num_touched += 1


@kernel
def set_bit(mask: MaskWork, token: int, value: int) -> None:
    """Allow a token (value 1) or not (0)."""
    word, bit = token >> 5, 1 << (token & 31)
    _touch(mask, word)
    old = mask.scratch[word]
    mask.scratch[word] = old | bit if value else old & ~bit


@kernel
def set_own(tables: Tables, node: int) -> None:
    """Allow the tokens that end at a node."""
    trie = tables.trie
    for index in range(trie.token_start[node], trie.own_end[node]):
        set_bit(tables.mask, trie.sorted_ids[index], 1)


@kernel
def set_subtree(tables: Tables, node: int, value: int) -> None:
    """Allow (value 1) or not (0) all tokens that pass through a node or end there."""
    trie = tables.trie
    for index in range(trie.token_start[node], trie.token_end[node]):
        set_bit(tables.mask, trie.sorted_ids[index], value)


@kernel
def _note_end(mask: MaskWork, node: int, taint: int) -> None:
    """Note that the document ends at a node. BOUNDS: a node is noted at most twice, by a base and its correction."""
    end = mask.ends[mask.num_ends]
    end.node = node
    end.must_try = 1 if taint == at.VERIFY else 0
    mask.num_ends += 1


@kernel
def _forget_ends(tables: Tables, node: int) -> None:
    """Forget the ends under a node, or there. No end lies above it, in spite of what equal ranges of tokens may say."""
    mask, starts, token_ends, kept = tables.mask, tables.trie.token_start, tables.trie.token_end, 0
    for index in range(mask.num_ends):
        end, free = mask.ends[index], mask.ends[kept]
        if starts[end.node] < starts[node] or token_ends[end.node] > token_ends[node]:
            free.node = end.node
            free.must_try = end.must_try
            kept += 1
    mask.num_ends = kept


@kernel
def _clear_subtree(tables: Tables, node: int) -> None:
    """Allow no token that passes through a node or ends there."""
    _forget_ends(tables, node)
    set_subtree(tables, node, 0)


@kernel
def _try_own(tables: Tables, node: int) -> None:
    """List the tokens that end at a node as to be tried out."""
    trie, mask = tables.trie, tables.mask
    for index in range(trie.token_start[node], trie.own_end[node]):
        mask.must_try[mask.num_must_try] = trie.sorted_ids[index]
        mask.num_must_try += 1


@kernel
def _enter(machine: DocumentMachine, node: int, taint: int, before: int, code: int, stack: int) -> None:
    """A token may end at a node, in a state; and the walk goes on from there. before: the code before the last byte."""
    tables = machine.tables
    if taint or machine.captured:
        taint = _taint_after(machine, taint, before, code, stack)
    if taint == at.VERIFY:
        _try_own(tables, node)
    else:
        set_own(tables, node)
    if tables.trie.first_child[node] < tables.trie.first_child[node + 1]:
        if code == at.DONE:
            _note_end(tables.mask, node, taint)
        else:
            append(tables.mask, taint << 32 | node, code, stack)


@kernel
def _taint_after(machine: DocumentMachine, taint: int, before: int, code: int, stack: int) -> int:
    """The taint after a byte that led from code `before` to a code."""
    captured = machine.captured
    if captured:
        taint = at.VERIFY if taint else captured
    if taint == 0 or taint == at.VERIFY or code == at.DONE:
        return taint
    slot, is_lexeme = code >> 6, code >> at.TAG_SHIFT != at.STRUCTURAL
    node = machine.nodes[stack]
    if not is_lexeme and (slot == at.FIRST_ITEM or slot == at.FIRST_KEY):
        below = machine.nodes[node >> 32]
        is_item = machine.frames[below & at.MASK32].kind == at.ARRAY_FRAME
        return at.VERIFY if is_item and below >> 32 == taint - 1 else taint
    frame = machine.frames[node & at.MASK32]
    if node >> 32 != taint - 1 or frame.kind <= at.VALUE_FRAME:
        return taint
    if not is_lexeme:
        is_next = slot == at.VALUE or slot == at.KEY
        return at.VERIFY if slot == at.LITERAL or (is_next and frame.fragile & 1) else taint
    if before >> at.TAG_SHIFT != at.STRUCTURAL or code >> at.TAG_SHIFT == at.NUMBER:
        return at.VERIFY
    return at.VERIFY if frame.fragile & 2 else taint


@kernel
def child_of(trie: Trie, node: int, byte: int) -> int:
    """The child of a node by a byte, 0 if there is none."""
    if node == 0:
        return trie.root_child[byte]
    low, end = trie.first_child[node], trie.first_child[node + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if trie.byte[middle] < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and trie.byte[low] == byte else 0


@kernel
def expand(machine: DocumentMachine, entry: MaskEntry) -> None:
    """Do one entry of the queue, from the mask's `cursor` on."""
    tables, code, stack = machine.tables, entry.code, entry.stack
    node, taint = entry.node & at.MASK32, entry.node >> 32
    make_room(tables.mask, _ROOM)
    tag, num_tokens = code >> at.TAG_SHIFT, tables.trie.token_end[node] - tables.trie.token_start[node]
    if tag == at.CORRECTION:
        _correct(machine, node, code, stack)
    elif tag == at.WORDS:
        _expand_words(machine, node, taint, code, stack)
    elif tag == at.STRUCTURAL or taint or (node != 0 and num_tokens <= _SMALL):
        _expand_children(machine, node, taint, code, stack)
    elif tag == at.OVERLAY:
        base = base_at(machine, code)
        if base >= 0:
            append(tables.mask, node, base, stack)
        delay(tables.mask, node, code - (at.OVERLAY << at.TAG_SHIFT) + (at.CORRECTION << at.TAG_SHIFT), stack)
    else:
        _expand_interior(machine, node, code, stack)


@kernel
def _expand_children(machine: DocumentMachine, node: int, taint: int, code: int, stack: int) -> None:
    """Step through the children of a node."""
    tables = machine.tables
    trie, is_structural = tables.trie, tables.is_structural
    any_byte = code >> at.TAG_SHIFT != at.STRUCTURAL
    first = trie.first_child[node]
    for child in range(first + tables.mask.cursor, trie.first_child[node + 1]):
        byte = trie.byte[child]
        if any_byte or is_structural[byte]:
            machine.captured = 0
            tables.mask.cursor = child - first
            following, new_stack = step(machine, code, stack, byte)
            if following >= 0:
                _enter(machine, child, taint, code, following, new_stack)


@kernel
def _expand_words(machine: DocumentMachine, node: int, taint: int, code: int, stack: int) -> None:
    """Follow the words of a WORDS state into the children of a node."""
    tables, words = machine.tables, words_of(machine, code)
    first, size, depth = words.first, words.size, word_depth(code)
    start = word_index(code)
    end = size if depth == 0 else group_end(machine, first, size, start, depth)
    word = start + tables.mask.cursor
    while word < end:
        child = child_of(tables.trie, node, word_byte(machine, first, word, depth))
        if child != 0:
            machine.captured = 0
            tables.mask.cursor = word - start
            following, new_stack = enter_group(machine, code, stack, words, word)
            if following >= 0:
                _enter(machine, child, taint, code, following, new_stack)
        word = group_end(machine, first, size, word, depth + 1)


@kernel
def _correct(machine: DocumentMachine, node: int, code: int, stack: int) -> None:
    """Correct what the base of an OVERLAY state allowed under a node, along the words."""
    overlay = code - (at.CORRECTION << at.TAG_SHIFT) + (at.OVERLAY << at.TAG_SHIFT)
    tables, words = machine.tables, words_of(machine, code)
    first, size, depth = words.first, words.size, word_depth(code)
    start = word_index(code)
    end = size if depth == 0 else group_end(machine, first, size, start, depth)
    base = base_at(machine, overlay)
    word = start + tables.mask.cursor
    while word < end:
        child = child_of(tables.trie, node, word_byte(machine, first, word, depth))
        group = group_end(machine, first, size, word, depth + 1)
        if child != 0:
            machine.captured = 0
            tables.mask.cursor = word - start
            following, new_stack = enter_overlay_group(machine, overlay, stack, base, word)
            if following >> at.TAG_SHIFT != at.OVERLAY:
                _clear_subtree(tables, child)
                if following >= 0:
                    _enter(machine, child, 0, overlay, following, new_stack)
            else:
                if any_allowed(machine, words, word, group):
                    set_own(tables, child)
                correction = following - (at.OVERLAY << at.TAG_SHIFT) + (at.CORRECTION << at.TAG_SHIFT)
                append(tables.mask, child, correction, new_stack)
        word = group


@kernel
def find_interior(machine: DocumentMachine, state: int, node: int) -> int:
    """The interior of a DFA state at a node."""
    tables, index = machine.tables, -1
    if node == 0:
        index = tables.dfa.states[state].interior
    else:
        slot = slot_of(tables.interior_of, state << 32 | node)
        if slot >= 0:
            index = tables.interior_of.values[slot]
    if index < 0:
        ask_for_interior(machine, state, node)
    return index


@kernel
def _expand_interior(machine: DocumentMachine, node: int, code: int, stack: int) -> None:
    """Do an entry of a string or number state by its interior."""
    tables, is_counted = machine.tables, code >> at.TAG_SHIFT == at.COUNTED
    state = code & (at.MAX_STATES - 1 if is_counted else at.MASK32)
    interior = tables.interiors[find_interior(machine, state, node)]
    make_room(tables.mask, interior.num_exits)
    rest = -1
    if is_counted:
        high = counter_of(tables, code).high
        count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
        rest = high - count if high >= 0 else -1
    if tables.mask.cursor == 0:
        _stay_inside(machine, interior, state, node, rest)
    _leave(machine, interior, code, stack)


@kernel
def _stay_inside(machine: DocumentMachine, interior: Interior, state: int, node: int, rest: int) -> None:
    """Allow the tokens that stay inside the lexeme and need at most `rest` characters (-1: any number)."""
    tables = machine.tables
    if node == 0:
        row = interior.row
        if 0 <= rest < interior.max_count:
            if len(interior.count_rows) == 0:
                ask_for_interior(machine, state, node)
            row = interior.count_rows[rest]
        tables.mask.base_row = row
        return
    for slot in range(interior.first_token, interior.first_token + interior.num_tokens):
        token = tables.tokens[slot]
        if rest >= 0 and token.characters > rest:
            break
        set_bit(tables.mask, token.token, 1)


@kernel
def _leave(machine: DocumentMachine, interior: Interior, code: int, stack: int) -> None:
    """Go on from the exits of an interior."""
    tables, is_number = machine.tables, code >> at.TAG_SHIFT == at.NUMBER
    slot = at.NUMBER_CAPTURE if is_number else at.OTHER_CAPTURE
    last, following, new_stack = -1, at.DEAD, 0
    machine.captured = 0  # set by the first exit of a captured lexeme, and right for all others
    for index in range(tables.mask.cursor, interior.num_exits):
        exit_ = tables.exits[interior.first_exit + index]
        returned = _class_of_exit(tables, code, exit_.language, exit_.characters)
        if returned < 0:
            continue
        if returned != last:
            tables.mask.cursor = index
            following, new_stack = give_back(machine, stack, returned, 0 if is_number else 1, slot)
            last = returned
        if following >= 0:
            if not is_number:
                _enter(machine, exit_.node, 0, code, following, new_stack)
            elif following != at.DONE:
                append(tables.mask, machine.captured << 32 | exit_.node, following, new_stack)


@kernel
def _class_of_exit(tables: Tables, code: int, language: int, characters: int) -> int:
    """The class that an exit returns; -1 when too few or too many characters were counted."""
    if code >> at.TAG_SHIFT != at.COUNTED:
        return class_at(tables.dfa, code, language)
    counter = counter_of(tables, code)
    total = ((code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)) + characters
    is_right = total >= counter.low and (counter.high < 0 or total <= counter.high)
    return counter.returned if is_right else -1


@kernel
def finish(machine: Machine) -> tuple[int, int, int]:
    """Keep the changed words as a patch; what `fill_mask` gives."""
    mask, patch = machine.tables.mask, machine.patch
    first, changed = patch.words.reserve(mask.num_touched), 0
    words, base = patch.words.span().part(first, mask.num_touched), row_at(mask.base_row, len(mask.scratch))
    for index in range(mask.num_touched):
        word = mask.touched[index]
        value = mask.scratch[word]
        if value != base[word]:
            words[changed].word = word
            words[changed].value = value
            changed += 1
    patch.words.used = first + changed
    return mask.base_row, words.address, changed
