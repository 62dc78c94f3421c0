"""Kernels: which tokens may come next in a configuration.

The tokens of a vocabulary form a trie by their bytes. To make a mask is to walk that trie and the machine in step: at
each node the machine is in the configuration to which the node's bytes lead. Where a token ends at a node, its bit is
set. An entry of the queue is a node with its configuration, whose children are still to be looked at.

A walk node by node would take milliseconds. So most work is saved in two ways:

- In a string or a number, nearly all tokens stay inside. An `Interior` of the DFA's state says which do. At the root of
  the trie it has a whole row of a bitmask, made once, and the mask starts from that base row. It also lists the exits:
  the nodes whose last byte ends the string or number. The walk goes on behind these only.
- In a string that must be one of some words, the walk follows the words and not the children of the node.

What is kept of a mask is the address of its base row, and a patch: the words of 32 bits in which the mask differs.

An OVERLAY configuration is in a string that can be one of some words, or a text of a base lexeme that is none of them
(the keys of an open object). It is done in two steps. First the base alone allows its tokens. When the queue is
empty, a CORRECTION walks along the words: where a text is a word or begins one, what the base said does not count.

A capture is the text of a key or an item that has just ended, and that decides what may come after it (no key comes
twice, items are unique). Here no text is at hand, so the walk passes captures as if any text did. This is right until
a second key or item ends in the same token, in the same container: it might equal the first. So entries behind a
capture carry a taint, which says in which container the capture was. Where the taint matters the token is not allowed
but listed in `must_try`, and Python tries it out by accepting it. `FrameRow.fragile` says where one more capture alone
may change what comes.
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

_SMALL = 24  # a subtree of so few tokens is walked, not answered by an interior. PERF: a guess between 8 and 64
_ROOM = 300  # entries that one entry may add: one for each byte, and a few more (exits are counted apart)


# ---- What Python calls.


@exported(releases_gil=False)
def begin_mask(address: int, code: int, stack: int) -> None:
    """Begin the mask of a configuration: at the root of the trie. address: of the DocumentMachine."""
    begin(DocumentMachine.at(address).tables.mask, 0, code, stack)


@exported
def fill_mask(address: int) -> tuple[int, int, int]:
    """Go on with a mask to its end: (address of the base row, address of the patch, length of the patch).

    address: of the DocumentMachine. The patch is an array of `ChangedWord`. Where it waits, call it again.
    O(changed tokens + exits).
    """
    machine = DocumentMachine.at(address)
    machine.is_exact = 0  # captures are passed without their texts
    walk(machine)
    mask = machine.tables.mask
    if is_complete(address, mask.code, mask.stack):
        for token in machine.tables.trie.end_ids:
            set_bit(mask, token, 1)
    return finish(machine)


@exported(releases_gil=False)
def is_complete(address: int, code: int, stack: int) -> int:
    """1 when the document may end here, 0 otherwise. address: of the DocumentMachine.

    A document has ended (DONE), or it is a number, which ends only where the text does.
    """
    if code == at.DONE:
        return 1
    if code >> at.TAG_SHIFT != at.NUMBER:
        return 0
    machine = DocumentMachine.at(address)
    if machine.tables.dfa.states[code & at.MASK32].accepts < 0:
        return 0
    frame = machine.nodes[stack] & at.MASK32
    return 1 if machine.frames[frame].kind == at.ROOT_FRAME else 0


# ---- The queue.


@kernel
def walk(machine: DocumentMachine) -> None:
    """Do all entries of the queue; then the last delayed one, with all that it adds; and so on until there are none.

    The last comes first, as a correction takes back what was found behind the base's exits, other corrections' words
    included.
    """
    mask = machine.tables.mask
    while True:
        while mask.head < mask.queue.used:
            expand(machine, mask.queue[mask.head])
            mask.head += 1
            mask.cursor = 0
        if mask.delayed.used == 0:
            return
        take_last_delayed(mask)


@kernel
def begin(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Begin a mask in which no token is allowed yet, with one entry: a node of the trie in a configuration."""
    mask.epoch += 1  # so all words of `scratch` count as equal to the base row
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
    """Add an entry to the queue. node: the node of the trie in the low 32 bits, its taint above them."""
    _set_entry(mask.queue[mask.queue.reserve(1)], node, code, stack)


@kernel
def delay(mask: MaskWork, node: int, code: int, stack: int) -> None:
    """Add an entry that is done when the queue is empty. node: as for `append`."""
    _set_entry(mask.delayed[mask.delayed.reserve(1)], node, code, stack)


@kernel
def _set_entry(entry: MaskEntry, node: int, code: int, stack: int) -> None:
    entry.node = node
    entry.code = code
    entry.stack = stack


@kernel
def make_room(mask: MaskWork, count: int) -> None:
    """Let so many entries be added without growing a table, since that would begin the exported kernel anew."""
    mask.queue.ensure(mask.queue.used + count)
    mask.delayed.ensure(mask.delayed.used + count)


@kernel
def take_last_delayed(mask: MaskWork) -> None:
    """Move the last of the delayed entries to the queue, all of whose entries are done."""
    last = mask.delayed.used - 1
    entry = mask.delayed[last]
    mask.head = 0
    mask.cursor = 0
    mask.queue.used = 0
    append(mask, entry.node, entry.code, entry.stack)
    mask.delayed.used = last


# ---- The bits.


@kernel
def _touch(mask: MaskWork, word: int) -> None:
    """Let a word of `scratch` hold that word of the mask. It is copied from the base row when first touched."""
    if mask.epochs[word] != mask.epoch:
        mask.epochs[word] = mask.epoch
        mask.scratch[word] = row_at(mask.base_row, len(mask.scratch))[word]
        mask.touched[mask.num_touched] = word
        mask.num_touched += 1


@kernel
def set_bit(mask: MaskWork, token: int, value: int) -> None:
    """Allow a token (value 1) or rule it out (0)."""
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
    """Allow (value 1) or rule out (0) all tokens that end at a node or below it."""
    trie = tables.trie
    for index in range(trie.token_start[node], trie.token_end[node]):
        set_bit(tables.mask, trie.sorted_ids[index], value)


@kernel
def _try_own(tables: Tables, node: int) -> None:
    """List the tokens that end at a node in `must_try`."""
    trie, mask = tables.trie, tables.mask
    for index in range(trie.token_start[node], trie.own_end[node]):
        mask.must_try[mask.num_must_try] = index  # BOUNDS: has room for all tokens, and none is there twice
        mask.num_must_try += 1


@kernel
def finish(machine: Machine) -> tuple[int, int, int]:
    """Keep the words that differ from the base row as a patch. Returns what `fill_mask` does."""
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
    patch.words.used = first + changed  # what was reserved for words that do not differ is free again
    return mask.base_row, words.address, changed


# ---- Where the document ends inside of a token. A grammar that goes on after the document reads the rest of it.


@kernel
def _note_end(mask: MaskWork, node: int, taint: int) -> None:
    """Note that the document ends at a node.

    BOUNDS: `ends` has room for each node twice, as a base and its correction can note the same one.
    """
    end = mask.ends[mask.num_ends]
    end.node = node
    end.must_try = 1 if taint == at.VERIFY else 0
    mask.num_ends += 1


@kernel
def _forget_ends(tables: Tables, node: int) -> None:
    """Forget the ends that were noted at a node or below it.

    A node is below another one when its tokens are among that one's. A chain of nodes without branches has the same
    tokens, but no end is noted above the node in such a chain: the text goes on to the node, so it had not ended.
    """
    mask, starts, token_ends, kept = tables.mask, tables.trie.token_start, tables.trie.token_end, 0
    for index in range(mask.num_ends):
        end, free = mask.ends[index], mask.ends[kept]
        if starts[end.node] < starts[node] or token_ends[end.node] > token_ends[node]:
            free.node = end.node
            free.must_try = end.must_try
            kept += 1
    mask.num_ends = kept


@kernel
def _forget_must_try(tables: Tables, node: int) -> None:
    """Forget the tokens to be tried out that end at a node or below it."""
    mask, start, end, kept = tables.mask, tables.trie.token_start[node], tables.trie.token_end[node], 0
    for index in range(mask.num_must_try):
        place = mask.must_try[index]
        if place < start or place >= end:
            mask.must_try[kept] = place
            kept += 1
    mask.num_must_try = kept


@kernel
def _clear_subtree(tables: Tables, node: int) -> None:
    """Take back all that was found at a node or below it."""
    _forget_must_try(tables, node)
    _forget_ends(tables, node)
    set_subtree(tables, node, 0)


# ---- One step of the walk.


@kernel
def _enter(machine: DocumentMachine, node: int, taint: int, before: int, code: int, stack: int) -> None:
    """The walk has come to a node: allow the tokens that end there, and go on below it.

    code, stack: the configuration at the node. before, taint: the code and the taint one byte earlier.
    """
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
    """The taint after a byte that led from code `before` to a configuration.

    A taint is 0 where no capture was passed. It is 1 + the stack node below the container's frame where one was, and
    VERIFY where the captured text may matter. Frames change with each member, the node below them does not.
    """
    captured = machine.captured
    if captured:  # by this byte: one capture taints, a second one in the same token has to be tried out
        taint = at.VERIFY if taint else captured
    if taint == 0 or taint == at.VERIFY or code == at.DONE:
        return taint
    container = taint - 1
    slot, is_lexeme = code >> 6, code >> at.TAG_SHIFT != at.STRUCTURAL
    node = machine.nodes[stack]
    frame, below = machine.frames[node & at.MASK32], node >> 32

    # A container has just begun, which put one more frame on the stack: it matters if it is an item of `container`.
    if not is_lexeme and (slot == at.FIRST_ITEM or slot == at.FIRST_KEY):
        outer = machine.nodes[below]
        is_item = machine.frames[outer & at.MASK32].kind == at.ARRAY_FRAME
        return at.VERIFY if is_item and outer >> 32 == container else taint

    # Elsewhere, only what stands directly in `container` can be a second key or item of it.
    if below != container or frame.kind <= at.VALUE_FRAME:
        return taint

    # Between lexemes: a literal has begun; or the next key or item must come, and perhaps none is left.
    if not is_lexeme:
        is_next = slot == at.VALUE or slot == at.KEY
        return at.VERIFY if slot == at.LITERAL or (is_next and frame.fragile & at.MAY_LEAVE_NOTHING) else taint

    # In a lexeme: any byte may make it the captured one again, but for the quote that begins a string. That quote is
    # the byte after a structural code, and matters only if no string may be left.
    if before >> at.TAG_SHIFT != at.STRUCTURAL or code >> at.TAG_SHIFT == at.NUMBER:
        return at.VERIFY
    return at.VERIFY if frame.fragile & at.MAY_LEAVE_NO_STRING else taint


@kernel
def child_of(trie: Trie, node: int, byte: int) -> int:
    """The child of a node by a byte, 0 if there is none. By bisection: children ascend by their bytes."""
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
    """Do one entry of the queue.

    Where a kernel waits in the middle of it, the entry is expanded again later; `mask.cursor` says how many of its
    parts are done.
    """
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
        delay(tables.mask, node, _with_tag(code, at.CORRECTION), stack)
    else:
        _expand_interior(machine, node, code, stack)


@kernel
def _with_tag(code: int, tag: int) -> int:
    """A code with another tag: OVERLAY and CORRECTION have the same parts."""
    return (code & ((1 << at.TAG_SHIFT) - 1)) | tag << at.TAG_SHIFT


# ---- The ways to expand an entry.


@kernel
def _expand_children(machine: DocumentMachine, node: int, taint: int, code: int, stack: int) -> None:
    """Step the machine by the byte of each child."""
    tables = machine.tables
    trie, is_structural = tables.trie, tables.is_structural
    any_byte = code >> at.TAG_SHIFT != at.STRUCTURAL  # between lexemes only few bytes are possible
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
    """Step by the bytes with which the words go on.

    The words are sorted. A WORDS code knows the first word that begins with the bytes read (`start`), and how many
    bytes these are (`depth`). The words with the same next byte are neighbours: a group, from `word` on.
    """
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
def _correct(machine: DocumentMachine, node: int, correction: int, stack: int) -> None:
    """Correct along the words what the base of an OVERLAY code allowed below a node. Groups: as in `_expand_words`."""
    code = _with_tag(correction, at.OVERLAY)
    tables, words = machine.tables, words_of(machine, code)
    first, size, depth = words.first, words.size, word_depth(code)
    start = word_index(code)
    end = size if depth == 0 else group_end(machine, first, size, start, depth)
    base = base_at(machine, code)
    word = start + tables.mask.cursor
    while word < end:
        child = child_of(tables.trie, node, word_byte(machine, first, word, depth))
        group = group_end(machine, first, size, word, depth + 1)
        if child != 0:
            machine.captured = 0
            tables.mask.cursor = word - start
            following, new_stack = enter_overlay_group(machine, code, stack, base, word)
            if following >> at.TAG_SHIFT == at.OVERLAY:
                if any_allowed(machine, words, word, group):  # else the base's own bits are right at this node
                    set_own(tables, child)
                append(tables.mask, child, _with_tag(following, at.CORRECTION), new_stack)
            else:  # the word has ended, or nothing goes on with these bytes
                _clear_subtree(tables, child)
                if following >= 0:
                    _enter(machine, child, 0, code, following, new_stack)
        word = group


@kernel
def find_interior(machine: DocumentMachine, state: int, node: int) -> int:
    """The number of the interior of a DFA state at a node. Waits where Python has not made it yet."""
    tables, number = machine.tables, -1
    if node == 0:
        number = tables.dfa.states[state].interior
    else:
        slot = slot_of(tables.interior_of, state << 32 | node)
        if slot >= 0:
            number = tables.interior_of.values[slot]
    if number < 0:
        ask_for_interior(machine, state, node)
    return number


@kernel
def _expand_interior(machine: DocumentMachine, node: int, code: int, stack: int) -> None:
    """Answer an entry in a string or a number: allow what stays inside, then go on behind the exits.

    A COUNTED code counts characters: `rest` more may come before the string must end, -1 where any number may.
    """
    tables, is_counted = machine.tables, code >> at.TAG_SHIFT == at.COUNTED
    state = code & (at.MAX_STATES - 1 if is_counted else at.MASK32)
    interior = tables.interiors[find_interior(machine, state, node)]
    make_room(tables.mask, interior.num_exits)
    rest = -1
    if is_counted:
        high = counter_of(tables, code).high
        rest = high - _count_of(code) if high >= 0 else -1
    if tables.mask.cursor == 0:
        _stay_inside(machine, interior, state, node, rest)
    _leave(machine, interior, code, stack)


@kernel
def _count_of(code: int) -> int:
    """How many characters a COUNTED code has counted."""
    return (code >> at.STATE_BITS) & ((1 << at.COUNT_BITS) - 1)


@kernel
def _stay_inside(machine: DocumentMachine, interior: Interior, state: int, node: int, rest: int) -> None:
    """Allow the tokens that stay inside and need at most `rest` characters (-1: any number).

    At the root they are a row, which becomes the mask's base row. There is one more row for each number of characters.
    Elsewhere they are listed, ascending by the characters that they need.
    """
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
    """Go on behind the exits of an interior.

    There the lexeme has ended with a class, and the class decides where the text goes on; that is kept from one exit
    to the next of the same class. A string ends with its quote, whose byte led to the exit's node: the walk enters it.
    A number ends before the byte that follows it: the exit's node goes to the queue, and its children have that byte.
    """
    tables, is_number = machine.tables, code >> at.TAG_SHIFT == at.NUMBER
    slot = at.NUMBER_CAPTURE if is_number else at.OTHER_CAPTURE
    last, following, new_stack = -1, at.DEAD, 0
    machine.captured = 0  # `give_back` sets it at the first exit if it is a capture, and it is the same at all others
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
    """The class of a lexeme that ends at an exit; -1 where it has too few or too many characters.

    language: of the lexeme, which has ended. characters: that the token adds on the way to the exit.
    """
    if code >> at.TAG_SHIFT != at.COUNTED:
        return class_at(tables.dfa, code, language)
    counter = counter_of(tables, code)
    total = _count_of(code) + characters
    is_right = total >= counter.low and (counter.high < 0 or total <= counter.high)
    return counter.returned if is_right else -1
