"""Kernels: the tokens that are allowed in a state.

A mask is a base row (for a string state: all tokens that stay inside, made once for each state) and some changed words.
`fill_mask` walks the vocabulary's trie with a queue of (node, code, stack node). An entry means: what is under this
node goes on from that state. Entries of big subtrees in strings and numbers are answered by a segment: the tokens that
stay inside, and the exits, where the walk goes on in the state that follows. Entries of words follow the words, not the
trie.

An OVERLAY is answered by its base lexeme; when all of that is done, what lies along the words is corrected: under the
end of a word nothing of the base's counts. So corrections wait until the queue is empty.

Captures (a key or an item whose text decides what follows) are passed without the text. That is right until the frame
that follows takes another key or item, within the same token. Entries behind a capture carry a taint, and where its
text could matter the tokens are not allowed but listed: whoever fills a row tries them out. With many values left, none
of which is read yet, one more exclusion changes nothing (F_FRAGILE says where it might).
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from . import layout as at
from .advance import step
from .memory import kernel, load8, load32, load64, store32, store64
from .steps import class_at, counter_row, frame_row, give_back, need, pair_hash, state_field
from .word_steps import (
    any_allowed,
    base_at,
    enter_group,
    enter_overlay_group,
    group_end,
    set_row,
    word_byte,
    word_depth,
    word_index,
)

_SMALL = 24  # tokens of a subtree that are stepped through one by one. PERF: a guess between 8 and 64


@kernel
def fill_mask(m: int, code: int, stack: int, resume: int) -> tuple[int, int, int]:
    """The mask of a state: (address of the base row, address of the changed words, how many of them).

    The changed words are int32 pairs (word, value). (NEED, 0, 0): build what register M_NEED says, then call again with
    resume = 1. O(changed tokens + exits).
    """
    lexicon = load64(m, at.M_LEXICON)
    store64(m, at.M_EXACT, 0)
    if not resume:
        _begin(lexicon, code, stack)
    while True:
        head = load64(lexicon, at.L_HEAD)
        while head < load64(lexicon, at.L_TAIL):
            if _expand(m, lexicon, load64(lexicon, at.L_QUEUE) + head * 24) < 0:
                return at.NEED, 0, 0
            head += 1
            store64(lexicon, at.L_HEAD, head)
            store64(lexicon, at.L_CURSOR, 0)
        if load64(lexicon, at.L_NUM_DELAYED) == 0:
            break
        _take_delayed(lexicon)
    if is_complete(m, code, stack):
        for index in range(load64(lexicon, at.L_NUM_EOS)):
            _set_bit(lexicon, load32(load64(lexicon, at.L_EOS), index), 1)
    return _finish(m, lexicon)


@kernel
def is_complete(m: int, code: int, stack: int) -> int:
    """1 when the document may end here."""
    if code == at.DONE:
        return 1
    if code >> at.TAG_SHIFT != at.NUMBER:
        return 0
    lexicon = load64(m, at.M_LEXICON)
    if state_field(lexicon, code & at.MASK32, at.D_ACCEPT) < 0:
        return 0
    frame = load64(load64(m, at.M_NODES), stack) & at.MASK32
    kind = load64(load64(m, at.M_FRAMES) + frame * (at.FRAME_FIELDS * 8), at.F_KIND)
    return 1 if kind == at.ROOT_FRAME else 0


@kernel
def _begin(lexicon: int, code: int, stack: int) -> None:
    """A new walk from the root of the vocabulary."""
    store64(lexicon, at.L_EPOCH, load64(lexicon, at.L_EPOCH) + 1)
    store64(lexicon, at.L_NUM_TOUCHED, 0)
    store64(lexicon, at.L_BASE_ROW, load64(lexicon, at.L_ZERO_ROW))
    store64(lexicon, at.L_HEAD, 0)
    store64(lexicon, at.L_TAIL, 0)
    store64(lexicon, at.L_CURSOR, 0)
    store64(lexicon, at.L_NUM_DELAYED, 0)
    store64(lexicon, at.L_NUM_VERIFY, 0)
    store64(lexicon, at.L_NUM_ENDS, 0)
    _append(lexicon, 0, code, stack)


@kernel
def _append(lexicon: int, node: int, code: int, stack: int) -> None:
    """Add an entry to the queue; its taint is above the node's 32 bits. BOUNDS: `_expand` made room."""
    tail = load64(lexicon, at.L_TAIL)
    entry = load64(lexicon, at.L_QUEUE) + tail * 24
    store64(entry, 0, node)
    store64(entry, 1, code)
    store64(entry, 2, stack)
    store64(lexicon, at.L_TAIL, tail + 1)


@kernel
def _delay(lexicon: int, node: int, code: int, stack: int) -> None:
    """Add an entry that waits until the queue is empty."""
    count = load64(lexicon, at.L_NUM_DELAYED)
    entry = load64(lexicon, at.L_DELAYED) + count * 24
    store64(entry, 0, node)
    store64(entry, 1, code)
    store64(entry, 2, stack)
    store64(lexicon, at.L_NUM_DELAYED, count + 1)


@kernel
def _take_delayed(lexicon: int) -> None:
    """Start the queue again with the delayed entries."""
    delayed, queue = load64(lexicon, at.L_DELAYED), load64(lexicon, at.L_QUEUE)
    for index in range(3 * load64(lexicon, at.L_NUM_DELAYED)):
        store64(queue, index, load64(delayed, index))
    store64(lexicon, at.L_TAIL, load64(lexicon, at.L_NUM_DELAYED))
    store64(lexicon, at.L_NUM_DELAYED, 0)
    store64(lexicon, at.L_HEAD, 0)
    store64(lexicon, at.L_CURSOR, 0)


@kernel
def _touch(lexicon: int, word: int) -> None:
    """Let a word of the scratch row differ from the base row."""
    if load32(load64(lexicon, at.L_EPOCHS), word) != load64(lexicon, at.L_EPOCH):
        store32(load64(lexicon, at.L_EPOCHS), word, load64(lexicon, at.L_EPOCH))
        store32(load64(lexicon, at.L_SCRATCH), word, load32(load64(lexicon, at.L_BASE_ROW), word))
        count = load64(lexicon, at.L_NUM_TOUCHED)
        store32(load64(lexicon, at.L_TOUCHED), count, word)
        store64(lexicon, at.L_NUM_TOUCHED, count + 1)


@kernel
def _set_bit(lexicon: int, token: int, value: int) -> None:
    """Allow a token (value 1) or not (0)."""
    word = token >> 5
    _touch(lexicon, word)
    scratch = load64(lexicon, at.L_SCRATCH)
    bit = 1 << (token & 31)
    old = load32(scratch, word)
    store32(scratch, word, old | bit if value else old & ~bit)


@kernel
def _set_own(lexicon: int, node: int) -> None:
    """Allow the tokens that end at a node."""
    ids = load64(lexicon, at.L_SORTED)
    first, end = load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, at.L_OWN_END), node)
    for index in range(first, end):
        _set_bit(lexicon, load32(ids, index), 1)


@kernel
def _note_end(lexicon: int, node: int, taint: int) -> None:
    """Note that the document ends at a node. BOUNDS: a node is noted at most twice, by a base and its correction."""
    ends, found = load64(lexicon, at.L_ENDS), load64(lexicon, at.L_NUM_ENDS)
    store32(ends, 2 * found, node)
    store32(ends, 2 * found + 1, 1 if taint == at.VERIFY else 0)
    store64(lexicon, at.L_NUM_ENDS, found + 1)


@kernel
def _forget_ends(lexicon: int, node: int) -> None:
    """Forget the ends under a node, or there. No end lies above it, in spite of what equal ranges of tokens may say."""
    ends, starts, token_ends = (
        load64(lexicon, at.L_ENDS),
        load64(lexicon, at.L_TOKEN_START),
        load64(lexicon, at.L_TOKEN_END),
    )
    kept = 0
    for index in range(load64(lexicon, at.L_NUM_ENDS)):
        other = load32(ends, 2 * index)
        if load32(starts, other) < load32(starts, node) or load32(token_ends, other) > load32(token_ends, node):
            store32(ends, 2 * kept, other)
            store32(ends, 2 * kept + 1, load32(ends, 2 * index + 1))
            kept += 1
    store64(lexicon, at.L_NUM_ENDS, kept)


@kernel
def _clear_subtree(lexicon: int, node: int) -> None:
    """Allow no token that passes through a node or ends there."""
    _forget_ends(lexicon, node)
    ids = load64(lexicon, at.L_SORTED)
    first, end = load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, at.L_TOKEN_END), node)
    for index in range(first, end):
        _set_bit(lexicon, load32(ids, index), 0)


@kernel
def _verify_own(lexicon: int, node: int) -> None:
    """List the tokens that end at a node as to be tried out."""
    ids, out, found = load64(lexicon, at.L_SORTED), load64(lexicon, at.L_VERIFY), load64(lexicon, at.L_NUM_VERIFY)
    first, end = load32(load64(lexicon, at.L_TOKEN_START), node), load32(load64(lexicon, at.L_OWN_END), node)
    for index in range(first, end):
        store32(out, found, load32(ids, index))
        found += 1
    store64(lexicon, at.L_NUM_VERIFY, found)


@kernel
def _enter(m: int, lexicon: int, node: int, taint: int, before: int, code: int, stack: int) -> None:
    """A token may end at a node, in a state; and the walk goes on from there. before: the code before the last byte."""
    if taint or load64(m, at.M_CAPTURED):
        taint = _taint_after(m, taint, before, code, stack)
    if taint == at.VERIFY:
        _verify_own(lexicon, node)
    else:
        _set_own(lexicon, node)
    first_child = load64(lexicon, at.L_FIRST_CHILD)
    if load32(first_child, node) < load32(first_child, node + 1):
        if code == at.DONE:
            _note_end(lexicon, node, taint)
        else:
            _append(lexicon, taint << 32 | node, code, stack)


@kernel
def _taint_after(m: int, taint: int, before: int, code: int, stack: int) -> int:
    """The taint after a byte that led from code `before` to a code."""
    captured = load64(m, at.M_CAPTURED)
    if captured:
        taint = at.VERIFY if taint else captured
    if taint == 0 or taint == at.VERIFY or code == at.DONE:
        return taint
    nodes, place, is_lexeme = load64(m, at.M_NODES), code >> 6, code >> at.TAG_SHIFT != at.STRUCTURAL
    node = load64(nodes, stack)
    if not is_lexeme and (place == at.FIRST_ITEM or place == at.FIRST_KEY):
        below = load64(nodes, node >> 32)
        is_item = load64(frame_row(m, below & at.MASK32), at.F_KIND) == at.ARRAY_FRAME
        return at.VERIFY if is_item and below >> 32 == taint - 1 else taint
    row = frame_row(m, node & at.MASK32)
    if node >> 32 != taint - 1 or load64(row, at.F_KIND) <= at.VALUE_FRAME:
        return taint
    if not is_lexeme:
        is_next = place == at.VALUE or place == at.KEY
        return at.VERIFY if place == at.LITERAL or (is_next and load64(row, at.F_FRAGILE) & 1) else taint
    if before >> at.TAG_SHIFT != at.STRUCTURAL or code >> at.TAG_SHIFT == at.NUMBER:
        return at.VERIFY
    return at.VERIFY if load64(row, at.F_FRAGILE) & 2 else taint


@kernel
def _child(lexicon: int, node: int, byte: int) -> int:
    """The child of a node by a byte, 0 if there is none."""
    if node == 0:
        return load32(load64(lexicon, at.L_ROOT_CHILD), byte)
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    low, end = load32(first_child, node), load32(first_child, node + 1)
    high = end
    while low < high:
        middle = (low + high) >> 1
        if load8(bytes_, middle) < byte:
            low = middle + 1
        else:
            high = middle
    return low if low < end and load8(bytes_, low) == byte else 0


@kernel
def _expand(m: int, lexicon: int, entry: int) -> int:
    """Do one entry of the queue; 0, or NEED. After a NEED it is done again from register L_CURSOR on."""
    code, stack = load64(entry, 1), load64(entry, 2)
    node, taint = load64(entry, 0) & at.MASK32, load64(entry, 0) >> 32
    room = load64(lexicon, at.L_QUEUE_CAPACITY) - load64(lexicon, at.L_TAIL)
    if room < 300 or load64(lexicon, at.L_DELAYED_CAPACITY) - load64(lexicon, at.L_NUM_DELAYED) < 300:
        return need(m, at.NEED_QUEUE, 0, 300)[0]
    tag = code >> at.TAG_SHIFT
    if tag == at.CORRECTION:
        return _correct(m, lexicon, node, code, stack)
    if tag == at.WORDS:
        return _expand_words(m, lexicon, node, taint, code, stack)
    tokens = load32(load64(lexicon, at.L_TOKEN_END), node) - load32(load64(lexicon, at.L_TOKEN_START), node)
    if tag == at.STRUCTURAL or taint or (node != 0 and tokens <= _SMALL):
        return _expand_children(m, lexicon, node, taint, code, stack)
    if tag == at.OVERLAY:
        base = base_at(m, code)
        if base == at.NEED:
            return at.NEED
        if base >= 0:
            _append(lexicon, node, base, stack)
        _delay(lexicon, node, code - (at.OVERLAY << at.TAG_SHIFT) + (at.CORRECTION << at.TAG_SHIFT), stack)
        return 0
    return _expand_segment(m, lexicon, node, code, stack)


@kernel
def _expand_children(m: int, lexicon: int, node: int, taint: int, code: int, stack: int) -> int:
    """Step through the children of a node."""
    first_child, bytes_ = load64(lexicon, at.L_FIRST_CHILD), load64(lexicon, at.L_BYTE)
    structural = load64(lexicon, at.L_STRUCTURAL_BYTE)
    any_byte = code >> at.TAG_SHIFT != at.STRUCTURAL
    first = load32(first_child, node)
    for child in range(first + load64(lexicon, at.L_CURSOR), load32(first_child, node + 1)):
        byte = load8(bytes_, child)
        if any_byte or load8(structural, byte):
            store64(m, at.M_CAPTURED, 0)
            following, new_stack = step(m, code, stack, byte)
            if following >= 0:
                _enter(m, lexicon, child, taint, code, following, new_stack)
            elif following == at.NEED:
                store64(lexicon, at.L_CURSOR, child - first)
                return at.NEED
    return 0


@kernel
def _expand_words(m: int, lexicon: int, node: int, taint: int, code: int, stack: int) -> int:
    """Follow the words of a WORDS state into the children of a node."""
    row = set_row(m, code)
    first, size, depth = load64(row, at.W_FIRST), load64(row, at.W_SIZE), word_depth(code)
    begin = word_index(code)
    end = size if depth == 0 else group_end(m, first, size, begin, depth)
    word = begin + load64(lexicon, at.L_CURSOR)
    while word < end:
        child = _child(lexicon, node, word_byte(m, first, word, depth))
        if child != 0:
            store64(m, at.M_CAPTURED, 0)
            following, new_stack = enter_group(m, code, stack, row, word)
            if following >= 0:
                _enter(m, lexicon, child, taint, code, following, new_stack)
            elif following == at.NEED:
                store64(lexicon, at.L_CURSOR, word - begin)
                return at.NEED
        word = group_end(m, first, size, word, depth + 1)
    return 0


@kernel
def _correct(m: int, lexicon: int, node: int, code: int, stack: int) -> int:
    """Correct what the base of an OVERLAY state allowed under a node, along the words."""
    overlay = code - (at.CORRECTION << at.TAG_SHIFT) + (at.OVERLAY << at.TAG_SHIFT)
    row = set_row(m, code)
    first, size, depth = load64(row, at.W_FIRST), load64(row, at.W_SIZE), word_depth(code)
    begin = word_index(code)
    end = size if depth == 0 else group_end(m, first, size, begin, depth)
    base = base_at(m, overlay)
    if base == at.NEED:
        return at.NEED
    word = begin + load64(lexicon, at.L_CURSOR)
    while word < end:
        child = _child(lexicon, node, word_byte(m, first, word, depth))
        group = group_end(m, first, size, word, depth + 1)
        if child != 0:
            store64(m, at.M_CAPTURED, 0)
            following, new_stack = enter_overlay_group(m, overlay, stack, base, word)
            if following == at.NEED:
                store64(lexicon, at.L_CURSOR, word - begin)
                return at.NEED
            if following >> at.TAG_SHIFT != at.OVERLAY:
                _clear_subtree(lexicon, child)
                if following >= 0:
                    _enter(m, lexicon, child, 0, overlay, following, new_stack)
            else:
                if any_allowed(m, row, word, group):
                    _set_own(lexicon, child)
                correction = following - (at.OVERLAY << at.TAG_SHIFT) + (at.CORRECTION << at.TAG_SHIFT)
                _append(lexicon, child, correction, new_stack)
        word = group
    return 0


@kernel
def find_segment(m: int, lexicon: int, state: int, node: int) -> int:
    """The address of the segment of a DFA state at a node; NEED when it is not built."""
    index = -1
    if node == 0:
        index = state_field(lexicon, state, at.D_SEGMENT)
    else:
        keys, mask = load64(lexicon, at.L_SEGMENT_KEYS), load64(lexicon, at.L_SEGMENT_MASK)
        key, place = state << 32 | node, pair_hash(state, node, mask)
        while load64(keys, place) != 0 and load64(keys, place) != key:
            place = (place + 1) & mask
        if load64(keys, place) == key:
            index = load32(load64(lexicon, at.L_SEGMENT_VALUES), place)
    if index < 0:
        return need(m, at.NEED_SEGMENT, state, node)[0]
    return load64(lexicon, at.L_SEGMENTS) + index * (at.SEGMENT_FIELDS * 8)


@kernel
def _expand_segment(m: int, lexicon: int, node: int, code: int, stack: int) -> int:
    """Do an entry of a string or number state by its segment."""
    is_counted = code >> at.TAG_SHIFT == at.COUNTED
    state = code & (at.MAX_STATES - 1 if is_counted else at.MASK32)
    segment = find_segment(m, lexicon, state, node)
    if segment < 0:
        return at.NEED
    num_exits = load64(segment, at.S_NUM_EXITS)
    if load64(lexicon, at.L_QUEUE_CAPACITY) - load64(lexicon, at.L_TAIL) < num_exits + 300:
        return need(m, at.NEED_QUEUE, 0, num_exits + 300)[0]
    rest = -1
    if is_counted:
        high = load64(counter_row(lexicon, code), at.K_HIGH)
        count = (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)
        rest = high - count if high >= 0 else -1
    if load64(lexicon, at.L_CURSOR) == 0 and _stay_inside(m, lexicon, segment, node, rest) < 0:
        return at.NEED
    return _leave(m, lexicon, segment, code, stack)


@kernel
def _stay_inside(m: int, lexicon: int, segment: int, node: int, rest: int) -> int:
    """Allow the tokens that stay inside the lexeme and need at most `rest` characters (-1: any number); 0, NEED."""
    if node == 0:
        row = load64(segment, at.S_ROW)
        if 0 <= rest < load64(segment, at.S_MAX_COUNT):
            rows = load64(segment, at.S_COUNT_ROWS)
            if rows == 0:
                index = (segment - load64(lexicon, at.L_SEGMENTS)) // (at.SEGMENT_FIELDS * 8)
                return need(m, at.NEED_COUNT_ROWS, index, 0)[0]
            row = load64(rows, rest)
        store64(lexicon, at.L_BASE_ROW, row)
        return 0
    tokens = load64(lexicon, at.L_TOKENS) + load64(segment, at.S_TOKENS) * 8
    for index in range(load64(segment, at.S_NUM_TOKENS)):
        if rest >= 0 and load32(tokens, 2 * index + 1) > rest:
            break
        _set_bit(lexicon, load32(tokens, 2 * index), 1)
    return 0


@kernel
def _leave(m: int, lexicon: int, segment: int, code: int, stack: int) -> int:
    """Go on from the exits of a segment."""
    tag = code >> at.TAG_SHIFT
    slot = at.M_CAPTURE_A if tag == at.NUMBER else at.M_CAPTURE_B
    exits = load64(lexicon, at.L_EXITS) + load64(segment, at.S_EXITS) * 12
    last, following, new_stack = -1, at.DEAD, 0
    store64(m, at.M_CAPTURED, 0)  # set by the first exit of a captured lexeme, and right for all others
    for index in range(load64(lexicon, at.L_CURSOR), load64(segment, at.S_NUM_EXITS)):
        returned = _class_of_exit(lexicon, code, load32(exits, 3 * index + 1), load32(exits, 3 * index + 2))
        if returned < 0:
            continue
        if returned != last:
            following, new_stack = give_back(m, stack, returned, 1 if tag != at.NUMBER else 0, slot)
            if following == at.NEED:
                store64(lexicon, at.L_CURSOR, index)
                return at.NEED
            last = returned
        if following >= 0:
            node = load32(exits, 3 * index)
            if tag != at.NUMBER:
                _enter(m, lexicon, node, 0, code, following, new_stack)
            elif following != at.DONE:
                _append(lexicon, load64(m, at.M_CAPTURED) << 32 | node, following, new_stack)
    return 0


@kernel
def _class_of_exit(lexicon: int, code: int, index: int, count: int) -> int:
    """The class that an exit returns; -1 when too few or too many characters were counted."""
    if code >> at.TAG_SHIFT != at.COUNTED:
        return class_at(lexicon, code, index)
    row = counter_row(lexicon, code)
    total = ((code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)) + count
    high = load64(row, at.K_HIGH)
    return load64(row, at.K_CLASS) if total >= load64(row, at.K_LOW) and (high < 0 or total <= high) else -1


@kernel
def _finish(m: int, lexicon: int) -> tuple[int, int, int]:
    """Keep the changed words as a patch."""
    count, used = load64(lexicon, at.L_NUM_TOUCHED), load64(m, at.M_PATCH_USED)
    if used + count > load64(m, at.M_PATCH_CAPACITY):
        need(m, at.NEED_PATCH, 0, count)
        return at.NEED, 0, 0
    patch = load64(m, at.M_PATCH) + used * 8
    touched, scratch = load64(lexicon, at.L_TOUCHED), load64(lexicon, at.L_SCRATCH)
    base = load64(lexicon, at.L_BASE_ROW)
    changed = 0
    for index in range(count):
        word = load32(touched, index)
        value = load32(scratch, word)
        if value != load32(base, word):
            store32(patch, 2 * changed, word)
            store32(patch, 2 * changed + 1, value)
            changed += 1
    store64(m, at.M_PATCH_USED, used + changed)
    return base, patch, changed
