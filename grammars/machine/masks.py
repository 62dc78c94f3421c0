"""Kernels: which tokens may come next in a configuration.

The walk. The tokens of a vocabulary form a trie by their bytes. A kernel makes a mask by walking that trie and the
machine in step. At each node the machine is in the configuration to which the node's bytes lead: a code (its state) and
a stack, both numbers that codes.py takes apart. The tokens that end at a visited node are allowed, or must be tried out
(see below). If the machine can't follow a byte, its code is DEAD and the walk skips that node. An entry of the queue is
a node whose children are still to be visited, with its configuration.

Codes. A code's tag says what kind of state it is: STRUCTURAL between strings and numbers, and in literals; STRING or
NUMBER in a string or number that a DFA reads; COUNTED in a string that a DFA reads and whose characters are counted as
well; WORDS and OVERLAY in a string that follows words; LOCAL outside of documents, in rules. The context of a
STRUCTURAL code says what comes next:

    ROOT_VALUE    the value that is the whole document
    FIRST_KEY     a key or `}`, after `{`
    KEY           a key, after `,`
    COLON         `:`, after a key
    FIRST_ITEM    an item or `]`, after `[`
    VALUE         a value: of a member, after `:`, or an item, after `,`
    AFTER_MEMBER  `,` or `}`
    AFTER_ITEM    `,` or `]`
    LITERAL       more bytes of true, false or null

After the whole document the code is DONE, and the stack is empty. A document in rules is followed by LOCAL states.

Frames. At the bottom of the stack is the document's frame, and on top of it one frame for each open container. A frame
describes the texts that may come in the container; `FrameRow.kind` is its kind. From the closing quote of a member's
key to the end of its value, the value's frame replaces the object's frame. Then comes the frame of the object with one
more used key. While `{"a":1,"b":[2,3]}` is read, the top frame is:

    ROOT_FRAME    before `{`
    OBJECT_FRAME  from `{` to the end of the key "a", from the comma to the end of the key "b", and before `}`
    VALUE_FRAME   while `:1` is read, and from the second `:` to `[`; then it lies below the array's frame
    ARRAY_FRAME   from `[` to `]`. Then the object's frame replaces the VALUE_FRAME

Walking all tokens of a vocabulary (129,000, say) in this way takes milliseconds. Two kinds of states are therefore not
walked child by child:

- Interiors. Nearly all tokens stay inside a string or number. The `Interior` of its state, made once, lists these
  tokens. At the root of the trie the tokens are a row of a bitmask instead, and the mask starts from that row. An
  interior also has the exits: the nodes where the string or number has ended. The walk goes on from the exits only. A
  string's exit is the node after the closing quote. A number has no last byte of its own, so its exit is a node before
  the byte that follows the number.
- Words. If a string must be one of some words (a declared key, say), the walk follows the words and not all children
  of the node.

Overlays. An OVERLAY state is in a string that may be one of some words, or else a text of a base lexeme. A text that is
both counts as the word. Example: the keys of an object that permits keys beside the declared ones. Such a state is
walked twice (but child by child in a tainted entry, or if few tokens are left). First the base alone is walked, as if
there were no words. Then a correction, an entry with the tag CORRECTION, goes along the words and repairs the base's
result there (`_correct`). Corrections wait until the queue is empty; the last one added is done first. A correction
clears whole subtrees. A correction that was added later may lie in such a subtree. It therefore comes first, since it
could otherwise allow cleared tokens again.

Classes. The texts that may follow a string or number may depend on its own text: after a key, on the patterns that the
key matches. Texts are therefore divided into classes, which are numbers. The same texts follow all texts of one class.

Taints. A capture is a text that has just ended and that may decide more about later texts than its class says. Most
captures only exclude their equals: no key comes twice, and the items of a unique array differ. The walk does not know
the text before the token, so for the walk such a capture excludes nothing. That is wrong only if the same token begins
a second key or item in the same container. Other captures may decide anything (in an array that must have two equal
items, say). After a capture the walk goes on with a taint:

    UNTAINTED  no capture was passed in this token
    1 + below  one excluding capture was passed. The container's frame lies on the stack `below`. (That
               frame may change after each member or item; the stack below it stays the same.)
    VERIFY     the tokens here may depend on captured texts. Such tokens are not allowed, but listed in
               `must_try`, and Python tries them out. This taint comes after a capture that may decide anything, and
               where a second key or item comes in the named container. A second capture also gives VERIFY, because a
               taint can name one container only.

A single byte may end two captures: in `[[1]` the bracket ends the number and the inner array. The inner container ends
with the bracket, so the taint names only the outer one.

If a step passes a capture, it writes the taint `1 + below` or VERIFY into the field `machine.captured`. The walk sets
the field to UNTAINTED before a step, and reads it afterwards.

Rules. A document may stand in rules (the arguments of a call, in tags). The walk goes from LOCAL states into documents
and out of them; a taint that names a container ends when the walk leaves that document. If a document may begin beside
something else, the walk follows the other thing and lists a fork. The mask's caller then makes another mask of the
tokens that the document allows there. A number as the whole document has no end of its own, so rules hold no such
document: a number there is a terminal of the rules.

Waiting. If a kernel needs something that only Python can make, all kernels end, and `fill_mask` is called again. The
kernel goes on with the same entry. The parts of an entry are therefore numbered (children, words, exits), and `cursor`
is the number of the next one. Parts before it are done; that part itself may start again.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from ..memory.kernel import exported, kernel
from .advance import may_be_structural, step
from .asking import COUNT_ROWS, ask
from .choices.choice_steps import choice_byte, first_from, is_whole_choice
from .codes import (
    begins_document,
    choice_code,
    context_of,
    count_of,
    counted_code,
    depth_of,
    dfa_state_of,
    end_choice_of,
    first_choice_of,
    first_word_of,
    local_code,
    local_count_of,
    local_state_of,
    mark_bytes_of,
    spaces_of,
    stack_below,
    styled_context_of,
    tag_of,
    with_tag,
)
from .documents.steps import class_of_language, counter_of, end_value, top_row
from .documents.styled_steps import beside_text, ended_object, may_be_opened, opened, step_beside_text, text_code
from .documents.word_steps import (
    base_at,
    next_group,
    range_end,
    step_into_group,
    step_into_overlay_group,
    word_byte,
    word_set_of,
)
from .interiors import build_interior, known_interior
from .layout import (
    ARRAY_FRAME,
    BESIDE_TEXT,
    CHOICE,
    CORRECTION,
    COUNTED,
    DEAD,
    DONE,
    FIRST_ITEM,
    FIRST_KEY,
    IN_QUOTE,
    KEY,
    LITERAL,
    LOCAL,
    MASK32,
    MAY_LEAVE_NO_STRING,
    MAY_LEAVE_NOTHING,
    NO_WORD,
    NUMBER,
    OTHER_CAPTURE,
    OVERLAY,
    QUOTED,
    ROOT_FRAME,
    STRUCTURAL,
    STYLED,
    STYLED_SHIFT,
    STYLED_VALUE,
    UNTAINTED,
    VALUE,
    VALUE_FRAME,
    VERIFY,
    WORDS,
)
from .machine import Machine
from .mask_codes import mask_code_of
from .mask_work import (
    ROOT,
    append,
    append_tainted,
    begin,
    child_of,
    delay,
    finish,
    list_fork,
    list_own_to_try,
    make_room,
    set_bit,
    set_own,
    set_subtree,
    start_from,
    take_back,
    take_last_delayed,
)
from .quotes.walks import quote_interior
from .rules.rows import entry_at, make_ready_for
from .rules.steps import follow_row, step_local
from .rules.walks import exit_count, local_interior
from .structs import Interior, InteriorExit, Interiors, MaskEntry, Tables, Trie

# maximum number of tokens under a node to walk strings and numbers child by child. PERF: 8 to 64 are as fast
_FEW_TOKENS = 24
_MOST_CHILDREN = 256  # maximum number of children of a node: one for each byte
_UNLIMITED = -1
_NO_POP = 1 << 40  # more frames than any stack has


# ---- What Python calls.


@exported(releases_gil=False)
def begin_mask(address: int, node: int, code: int, stack: int) -> None:
    """Begin the mask of the tokens under a node of the trie.

    address: address of the Machine.
    node: node of the trie; 0, the root, for all tokens.
    code, stack: configuration of the text at that node.
    """
    machine = Machine.at(address)
    machine.lowest = _NO_POP
    machine.tables.walk.key = DEAD
    begin(machine.tables.mask, node, code, stack)


@exported
def fill_mask(address: int) -> tuple[int, int, int]:
    """Go on with a mask to its end. Returns the addresses of the base row and of the patch, and the patch's length.

    address: address of the Machine.

    The patch is an array of `ChangedWord`. If the kernel waits for Python, call it again. O(changed tokens + exits).
    """
    machine = Machine.at(address)
    machine.is_exact = 0  # captures are passed without their texts
    walk(machine)
    mask = machine.tables.mask
    # LOCAL codes: `start_from` already set the row's end tokens
    if tag_of(mask.code) != LOCAL and is_complete(address, mask.code, mask.stack):
        for token in machine.tables.trie.end_ids:  # the end-of-sequence tokens
            set_bit(mask, token, 1)
    return finish(mask, machine.room)


@exported(releases_gil=False)
def is_complete(address: int, code: int, stack: int) -> int:
    """Return 1 if the text may end here, else 0. address: address of the Machine.

    A document may end if it is complete (DONE), or if it is a number, which ends only with the text.
    """
    if code == DONE:
        return 1
    machine = Machine.at(address)
    if tag_of(code) == LOCAL:
        return machine.rules.states[local_state_of(code)].is_complete
    if tag_of(code) == CHOICE:
        return is_whole_choice(machine, code, stack)
    if tag_of(code) == STYLED:
        machine.is_exact = 0
        code, stack = ended_object(machine, code, stack)
        return machine.rules.states[local_state_of(code)].is_complete if tag_of(code) == LOCAL else 0
    if tag_of(code) != NUMBER:
        return 0
    may_end = machine.tables.dfa.states[dfa_state_of(code)].accepts >= 0  # true after `1`, false after `1.`
    is_whole_document = top_row(machine, stack).kind == ROOT_FRAME
    return 1 if may_end and is_whole_document else 0


# The trie. A node's children are the nodes first_child[node] .. first_child[node + 1] - 1. The tokens that end at the
# node or below it are at the places token_start[node] .. token_end[node] - 1.


@kernel
def _has_children(trie: Trie, node: int) -> bool:
    return trie.first_child[node] < trie.first_child[node + 1]


@kernel
def _num_tokens_from(trie: Trie, node: int) -> int:
    """Return the number of tokens that end at a node or below it."""
    return trie.token_end[node] - trie.token_start[node]


# ---- The walk.


@kernel
def walk(machine: Machine) -> None:
    """Do all entries of the queue, then the last waiting correction with all entries that it adds, until none waits."""
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
def expand(machine: Machine, entry: MaskEntry) -> None:
    """Do one entry of the queue: visit the nodes below its node.

    Interiors and corrections ignore taints, and save no time for few tokens. The children of an entry with a taint or
    few tokens are therefore visited one by one.
    """
    tables, node, taint, stack = machine.tables, entry.node, entry.taint, entry.stack
    code = mask_code_of(machine, entry.code)
    make_room(tables.mask, _MOST_CHILDREN)  # room for the entries that this one adds; `_expand_interior` makes its own
    tag = tag_of(code)
    # At the root even the smallest interior is better: it is one row.
    is_small = node != ROOT and _num_tokens_from(tables.trie, node) <= _FEW_TOKENS
    if tag == CORRECTION:
        _correct(machine, node, with_tag(code, OVERLAY), stack)
    elif tag == WORDS:
        _expand_words(machine, node, taint, code, stack)
    elif tag == CHOICE:
        _expand_choice(machine, node, code, stack)
    elif tag == QUOTED and taint == UNTAINTED:
        _expand_interior(machine, node, code, stack)
    elif tag == LOCAL:
        if node == ROOT:
            _leave_local_states(machine, code, stack)
        else:
            _expand_local(machine, node, taint, code, stack)
    elif tag == STRUCTURAL or taint != UNTAINTED or is_small:
        _expand_children(machine, node, taint, code, stack)
    elif tag == STYLED:
        _expand_styled(machine, node, code, stack)
    elif tag == OVERLAY:
        base = base_at(machine, code)  # the base's code after the same bytes of the string
        if base != DEAD:  # DEAD: no text of the base begins with these bytes
            append(tables.mask, node, base, stack)
        delay(tables.mask, node, with_tag(code, CORRECTION), stack)
    else:
        _expand_interior(machine, node, code, stack)


@kernel
def _enter(machine: Machine, node: int, taint: int, before: int, code: int, stack: int) -> None:
    """Handle a node that the walk has reached: allow the tokens that end there, or list them to be tried; queue the
    node.

    code, stack: configuration at the node.
    before, taint: code and taint before the node's byte.
    """
    tables = machine.tables
    if taint != UNTAINTED or machine.captured != UNTAINTED:
        taint = _taint_after(machine, taint, before, code, stack)
    if tag_of(code) == LOCAL:
        _enter_local(machine, node, taint, code, stack)
        return
    if taint == VERIFY:
        list_own_to_try(tables, node)
    else:
        set_own(tables, node)
    if code != DONE and _has_children(tables.trie, node):
        append_tainted(tables.mask, node, taint, code, stack)


@kernel
def _expand_children(machine: Machine, node: int, taint: int, code: int, stack: int) -> None:
    """Step the machine by the byte of each child."""
    tables = machine.tables
    trie = tables.trie
    first = trie.first_child[node]
    for child in range(first + tables.mask.cursor, trie.first_child[node + 1]):
        byte = trie.byte[child]
        if may_be_structural(machine, code, byte):  # other bytes never occur between lexemes, so the step is saved
            tables.mask.cursor = child - first
            machine.captured = UNTAINTED
            following, new_stack = step(machine, code, stack, byte)
            if following != DEAD:
                _enter(machine, child, taint, code, following, new_stack)


# ---- Taints.
#
# Example: an object with any keys, after `{`, and the token `"a":1,"b`:
#
#     "    untainted. The first key begins
#     a    untainted
#     "    the key has ended, which is a capture: 1 + the stack below the object's frame
#     :    the same taint: up to the comma no second key of this object can begin
#     1
#     ,
#     "    the same taint. A key begins. Other keys are left for it, so the token `"a":1,"` is allowed
#     b    VERIFY. The second key may become equal to the first one, whose text the walk does not know


@kernel
def _taint_after(machine: Machine, taint: int, before: int, code: int, stack: int) -> int:
    """Return the taint after a byte. taint, before: taint and code before the byte. code, stack: configuration after
    it.
    """
    if machine.captured != UNTAINTED:  # a capture has ended with this byte
        taint = machine.captured if taint == UNTAINTED else VERIFY
    if taint == UNTAINTED or taint == VERIFY:
        return taint
    if code == DONE or tag_of(code) == LOCAL or begins_document(code):  # no key or item of the container can come again
        return UNTAINTED
    return VERIFY if _may_repeat(machine, taint - 1, before, code, stack) else taint


@kernel
def _may_repeat(machine: Machine, container: int, before: int, code: int, stack: int) -> int:
    """Return 0 if the next texts cannot depend on the unknown text of a container's last key or item, else not 0.

    container: stack below the container's frame.
    before: code before the last byte.

    `FrameRow.fragile` has two bits for the effect of one more used key or item: MAY_LEAVE_NOTHING if perhaps nothing
    can come any more, MAY_LEAVE_NO_STRING if perhaps no string can.
    """
    if _has_begun_item(machine, container, code, stack):
        return 1  # the item may equal the captured one
    row = top_row(machine, stack)
    is_in_member = row.kind == VALUE_FRAME  # a VALUE_FRAME replaces the object's frame
    if is_in_member or stack_below(machine, stack) != container:
        return 0
    if tag_of(code) == STYLED:  # if an opening mark has begun, some key or string must come
        if styled_context_of(code) == IN_QUOTE:
            return row.fragile & MAY_LEAVE_NO_STRING
        return row.fragile & MAY_LEAVE_NOTHING if mark_bytes_of(code) or spaces_of(code) else 0
    if tag_of(code) == STRUCTURAL:
        context = context_of(code)
        is_after_comma = context == KEY or context == VALUE  # an item: the VALUE of a member was ruled out above
        if is_after_comma:  # some key or item must come now
            return row.fragile & MAY_LEAVE_NOTHING
        return 1 if context == LITERAL else 0  # a literal may equal the captured item
    is_bare = row.style != 0 and (context_of(before) == KEY or context_of(before) == FIRST_KEY)  # a name has begun
    is_between = tag_of(before) == STRUCTURAL and tag_of(code) != NUMBER and not is_bare
    is_opening_quote = tag_of(before) == STYLED or is_between
    if is_opening_quote:  # some string must come now
        return row.fragile & MAY_LEAVE_NO_STRING
    return 1  # the string or number may become equal to the captured one


@kernel
def _has_begun_item(machine: Machine, array: int, code: int, stack: int) -> int:
    """Return 1 if an item of an array has begun with `[` or `{`, and only whitespace was read since; else 0.

    array: stack below the array's frame.
    """
    if tag_of(code) != STRUCTURAL or (context_of(code) != FIRST_ITEM and context_of(code) != FIRST_KEY):
        return 0
    outside = stack_below(machine, stack)  # stack without the container that has begun
    is_item = top_row(machine, outside).kind == ARRAY_FRAME
    return 1 if is_item and stack_below(machine, outside) == array else 0


# ---- Rules.


@kernel
def _enter_local(machine: Machine, node: int, taint: int, code: int, stack: int) -> None:
    """Like `_enter`, for a local state. taint: taint after the byte."""
    tables, state = machine.tables, local_state_of(code)
    if taint == VERIFY:
        list_own_to_try(tables, node)
    elif tables.trie.below[node] & ~machine.rules.loops[state] == 0 and _counts_on(machine, node, code):
        # no token below changes the state
        set_subtree(tables, node, 1)
        return
    else:
        set_own(tables, node)
    if _has_children(tables.trie, node):
        append_tainted(tables.mask, node, taint, code, stack)
        if machine.rules.states[state].begins_documents:
            list_fork(tables.mask, node, taint, code, stack)


@kernel
def _counts_on(machine: Machine, node: int, code: int) -> bool:
    """Return True if no token under a node reaches a bound of the count of a LOCAL code."""
    state, trie = machine.rules.states[local_state_of(code)], machine.tables.trie
    return not state.is_counting or local_count_of(code) + trie.most_chars[node] - trie.chars[node] < state.crossing


@kernel
def _leave_local_states(machine: Machine, code: int, stack: int) -> None:
    """Begin a mask in a local state: allow the tokens that stay in local states, then go on at the exits.

    At an exit a byte pushes, pops or begins a document. Starts with the exit at the cursor.
    """
    mask, rules, bytes_ = machine.tables.mask, machine.rules, machine.tables.trie.byte
    count = local_count_of(code)
    interior = local_interior(rules, machine.room, local_state_of(code), count)
    make_room(mask, interior.num_exits)
    if mask.cursor == 0:
        start_from(mask, interior.row)
    exits = rules.interiors.exits.span().part(interior.first_exit, interior.num_exits)
    last, byte, following, new_stack = DEAD, -1, DEAD, 0
    machine.captured = UNTAINTED
    for index in range(mask.cursor, interior.num_exits):
        child, before = exits[index].node, counted_code(exits[index].language, exit_count(exits[index], count))
        if before != last or bytes_[child] != byte:
            last, byte = before, bytes_[child]
            mask.cursor = index
            following, new_stack = step_local(machine, before, stack, byte)
        if following != DEAD:
            _enter(machine, child, UNTAINTED, code, following, new_stack)


@kernel
def _expand_local(machine: Machine, node: int, taint: int, code: int, stack: int) -> None:
    """Step a local state by the byte of each child."""
    trie, mask, rules, state = machine.tables.trie, machine.tables.mask, machine.rules, local_state_of(code)
    bytes_, first, end = trie.byte, trie.first_child[node], trie.first_child[node + 1]
    make_ready_for(rules, state, end - first)
    machine.captured = UNTAINTED
    for child in range(first + mask.cursor, end):
        mask.cursor = child - first
        entry = entry_at(rules, state, bytes_[child])
        if entry >= 0 and not rules.states[entry].is_counting:
            _enter_local(machine, child, taint, local_code(entry), stack)
        elif entry != DEAD:
            following, new_stack = follow_row(machine, entry, local_count_of(code), stack)
            if following != DEAD:
                _enter(machine, child, taint, code, following, new_stack)


# ---- Choices.


@kernel
def _expand_choice(machine: Machine, node: int, code: int, depth: int) -> None:
    """Visit the children whose bytes continue words of the range."""
    low, high = first_choice_of(code), end_choice_of(code)
    machine.captured = UNTAINTED
    if choice_byte(machine, low, depth) < 0:  # the first word has ended
        low += 1
    while low < high:
        byte = choice_byte(machine, low, depth)
        end = first_from(machine, low, high, depth, byte + 1)
        child = child_of(machine.tables.trie, node, byte)
        if child != 0:
            _enter(machine, child, UNTAINTED, code, choice_code(low, end), depth + 1)
        low = end


# ---- Objects in a style.


@kernel
def _expand_styled(machine: Machine, node: int, code: int, stack: int) -> None:
    """At the beginning of a value, first walk its texts, then visit the few children that begin something else."""
    tables, context = machine.tables, styled_context_of(code)
    if context < STYLED_VALUE or context == IN_QUOTE:
        _expand_children(machine, node, UNTAINTED, code, stack)
        return
    if context < BESIDE_TEXT:
        text = text_code(machine, code, stack)
        code += (BESIDE_TEXT - STYLED_VALUE) << STYLED_SHIFT
        if text >= 0:
            append(tables.mask, node, text, stack)
            delay(tables.mask, node, code, stack)
            return
    before = code - ((BESIDE_TEXT - STYLED_VALUE) << STYLED_SHIFT)
    if may_be_opened(machine, stack):
        inner, new_stack = opened(machine, before, stack)
        if inner != DEAD:
            append(tables.mask, node, inner, new_stack)
        return
    for place in range(tables.mask.cursor, 3):
        byte = beside_text(place)
        child = child_of(tables.trie, node, byte)
        if child != 0:
            tables.mask.cursor = place
            machine.captured = UNTAINTED
            following, new_stack = step_beside_text(machine, before, stack, byte)
            if following != DEAD:
                _enter(machine, child, UNTAINTED, before, following, new_stack)


# ---- Words.
#
# A word set has its words sorted, each with its closing quote. A WORDS or OVERLAY code has the number of bytes read
# (`depth`) and the first word that begins with these bytes (`start`). All words from `start` up to `range_end` begin
# with these bytes. Neighbours with the same next byte form a group, named by its first word. Example: the words ab" ac"
# b" (0, 1, 2):
#
#     nothing read   depth 0, start 0, end 3   groups: words 0 and 1 by the byte a; word 2 by the byte b
#     a read         depth 1, start 0, end 2   groups: word 0 by b; word 1 by c
#     ac read        depth 2, start 1, end 2   groups: word 1 by its closing quote


@kernel
def _expand_words(machine: Machine, node: int, taint: int, code: int, stack: int) -> None:
    """Visit the children whose bytes continue words: one child for each group."""
    tables, word_set, depth, start = machine.tables, word_set_of(machine, code), depth_of(code), first_word_of(code)
    end, group = range_end(machine, word_set, start, depth), start + tables.mask.cursor
    while group < end:
        child = child_of(tables.trie, node, word_byte(machine, word_set, group, depth))
        if child != 0:
            tables.mask.cursor = group - start
            machine.captured = UNTAINTED
            following, new_stack = step_into_group(machine, code, stack, word_set, group)
            if following != DEAD:  # DEAD: no word of the group is allowed
                _enter(machine, child, taint, code, following, new_stack)
        group = next_group(machine, word_set, group, depth)


@kernel
def _correct(machine: Machine, node: int, code: int, stack: int) -> None:
    """Repair, along the words, the result of the base of an OVERLAY code below a node.

    Like `_expand_words`, a correction visits the children to which groups of words lead. Example: `fo"` is excluded and
    `foo"` allowed, beside any string as the base. At a child the configuration is one of three:

        OVERLAY       f, fo, foo  An allowed word, or another text of the base, begins like this. The tokens that end
                                  here are allowed. The child's own correction repairs the tokens that go on.
        DEAD          fo"         An excluded word has ended (or only excluded words begin like this, and no other text
                                  of the base does). Everything that the base allowed here and below is taken back,
                                  also from the lists.
        another code  foo"        An allowed word has ended. Everything that the base allowed is taken back, too; then
                                  the walk goes on from here, with the texts that follow this word.
    """
    tables, word_set, depth, start = machine.tables, word_set_of(machine, code), depth_of(code), first_word_of(code)
    base = base_at(machine, code)  # the base's code for all groups, or DEAD: no other texts begin like the words
    end, group = range_end(machine, word_set, start, depth), start + tables.mask.cursor
    while group < end:
        child = child_of(tables.trie, node, word_byte(machine, word_set, group, depth))
        if child != 0:
            tables.mask.cursor = group - start
            machine.captured = UNTAINTED
            following, new_stack = step_into_overlay_group(machine, code, stack, base, group)
            if tag_of(following) == OVERLAY:  # DEAD has no tag, so it is not OVERLAY
                set_own(tables, child)
                # The base's walk below the child is over, since this correction waited for it. The child's correction
                # may come at once.
                append(tables.mask, child, with_tag(following, CORRECTION), new_stack)
            else:
                take_back(tables, child)
                if following != DEAD:
                    _enter(machine, child, UNTAINTED, code, following, new_stack)
        group = next_group(machine, word_set, group, depth)


# ---- Interiors.


@kernel
def _expand_interior(machine: Machine, node: int, code: int, stack: int) -> None:
    """Do an entry in a string or number: allow the tokens that stay inside, then go on at the exits."""
    mask = machine.tables.mask
    if tag_of(code) == QUOTED:
        kept, interior = machine.quotes.interiors, quote_interior(machine, code, node)
    else:
        kept, interior = machine.tables.interiors, _interior_of(machine, dfa_state_of(code), node)
    make_room(mask, interior.num_exits)
    if mask.cursor == 0:  # runs twice if the first exit waits, which does no harm
        _stay_inside(machine, kept, interior, code)
    _leave(machine, kept, interior, code, stack)


@kernel
def _interior_of(machine: Machine, state: int, node: int) -> Interior:
    """Return the interior of a DFA's state at a node; made if it does not exist."""
    kept = machine.tables.interiors
    known = known_interior(kept, state, node)
    return kept.made[known if known > 0 else build_interior(machine, state, node)]


@kernel
def _stay_inside(machine: Machine, kept: Interiors, interior: Interior, code: int) -> None:
    """Allow the tokens that stay inside, if enough characters are left for them.

    A row of these tokens becomes the base row. `count_rows[n]` has the tokens that need at most n characters, and no
    token needs more than `max_count`. Without a row, the tokens are listed in ascending order of the characters needed.
    """
    tables, num_left = machine.tables, _characters_left(machine.tables, code)
    if interior.row:
        row = interior.row
        if num_left != _UNLIMITED and num_left < interior.max_count:
            if len(interior.count_rows) == 0:
                ask(machine.request, COUNT_ROWS, state=dfa_state_of(code))
            row = interior.count_rows[num_left]
        start_from(tables.mask, row)
        return
    for inside in kept.tokens.span().part(interior.first_token, interior.num_tokens):
        if num_left != _UNLIMITED and inside >> 32 > num_left:
            return
        set_bit(tables.mask, inside & MASK32, 1)


@kernel
def _characters_left(tables: Tables, code: int) -> int:
    """Return how many more characters the string of a code may have; _UNLIMITED if there is no bound."""
    if tag_of(code) != COUNTED:
        return _UNLIMITED
    high = counter_of(tables, code).high  # maximum number of characters of the string; -1: no bound
    return high - count_of(code) if high >= 0 else _UNLIMITED


@kernel
def _leave(machine: Machine, kept: Interiors, interior: Interior, code: int, stack: int) -> None:
    """Go on with the walk at the exits of an interior, where the string or number has ended.

    Exits with texts of the same class lead to the same configuration. Neighbours mostly have the same class, so the
    last class is kept with its result. Only the first exit of such a run calls `end_value`, so only that exit can wait.

    A string's exit is the node after its quote, which the walk enters now. A number's exit is its own last node. The
    tokens up to there stay inside, so they are allowed already; the node's children follow the number.
    """
    tables, is_number = machine.tables, tag_of(code) == NUMBER
    last_class, following, new_stack = -1, DEAD, 0
    machine.captured = UNTAINTED  # set once: `end_value` sets it by the frame alone, so all exits get the same value
    for index in range(tables.mask.cursor, interior.num_exits):
        exit_ = kept.exits[interior.first_exit + index]
        returned = _class_at(tables, code, exit_)
        if returned < 0:
            continue
        if returned != last_class:
            tables.mask.cursor = index
            # The number of the capture (OTHER_CAPTURE or NUMBER_CAPTURE) is read only if `is_exact` is 1.
            following, new_stack = end_value(machine, stack, returned, NO_WORD, OTHER_CAPTURE)
            last_class = returned
        if following == DEAD:  # the frame allows no text of this class
            continue
        if not is_number:
            _enter(machine, exit_.node, UNTAINTED, code, following, new_stack)
        elif following != DONE:  # DONE: the number is the whole document, and nothing comes after it
            taint = machine.captured  # no other capture came before: this entry is untainted
            append_tainted(tables.mask, exit_.node, taint, following, new_stack)


@kernel
def _class_at(tables: Tables, code: int, exit_: InteriorExit) -> int:
    """Return the class of the string or number that has ended at an exit; -1 if it has too few or too many characters.

    A DFA reads several languages side by side; an exit names the language of the text. Values that share a DFA may give
    that language different classes, so the code's class map decides. All texts of a counted string have one class,
    which its counter holds.
    """
    if tag_of(code) == QUOTED:
        return exit_.language
    if tag_of(code) != COUNTED:
        return class_of_language(tables.dfa, code, exit_.language)
    counter = counter_of(tables, code)
    total = count_of(code) + exit_.characters
    is_bounded = counter.high >= 0
    has_right_length = counter.low <= total and (not is_bounded or total <= counter.high)
    return counter.returned if has_right_length else -1
