"""Kernels: runs: tokens that surely stay inside a DFA state, because one of its threads reads all their characters.

A run is a set of byte classes, and the number of their characters that may be read without looking at each. Masks need
no DFA states for such tokens. Example: after `x` in `.*x.{200}` each token with an x leads to a state of its own.

A position goes on with the position behind it that reads all of its characters. A leaf of a product that is no such
position goes on with the state that most bytes lead to.
"""

# mypy: disable-error-code="no-any-return"

from __future__ import annotations

from typing import Final

from ...memory.kernel import kernel
from ...memory.structs import Array, int32
from .. import layout as at
from ..structs import Dfa, Run
from .products import leaves_of, position_of, product_of, state_after
from .sets import add_closure, begin_set, members_of
from .threads import is_set, state_of_member
from .trie_kernels import ODD, WIDE

MAX_RUN: Final = 255  # maximum number of characters to follow
ENDLESS: Final = 1 << 30
ALL_CLASSES: Final = (1 << 61) - 1
_MANY_CHARACTERS: Final = 64  # few tokens have more characters
_LETTER: Final = 0x61
_LEAD_OF_ODD: Final = 0xC2


@kernel
def note_run(dfa: Dfa, state: int, found: Run) -> None:
    """Improve the run of a state by another run, part by part."""
    items, run, escaped = dfa.set_of[state], dfa.runs[state], 0
    if items.spelling == at.STRING_SPELLING:
        escaped = dfa.escaped_classes
    if worth(found.classes & ~escaped, found.length) > worth(run.classes, run.length):
        run.classes = found.classes & ~escaped
        run.length = found.length
    if worth(found.few_classes & ~escaped, found.length_of_few) > worth(run.few_classes, run.length_of_few):
        run.few_classes = found.few_classes & ~escaped
        run.length_of_few = found.length_of_few
    run.most_left = max(run.most_left, found.most_left)


@kernel
def worth(classes: int, length: int) -> int:
    """Return an estimate of the number of tokens that a run decides. PERF: a guess."""
    count, left = 0, classes
    while left:
        left &= left - 1
        count += 1
    return count * min(length, _MANY_CHARACTERS)


@kernel
def note_position_runs(dfa: Dfa, state: int) -> None:
    """Find the best run among the positions of a state that is a set."""
    items, run = dfa.set_of[state], dfa.runs[state]
    forget_run(run)
    run.longest = at.MAX_COUNT + 1
    if items.spelling == at.NUMBER_SPELLING or not dfa.states[state].is_between:
        return
    for member in members_of(dfa, items):
        if member >= at.NUM_ENDS and member < at.FIRST_SET_ITEM:
            find_run(dfa, member)
            found = dfa.position_runs[member]
            note_run(dfa, state, found)
    run.longest = _longest(dfa, state)


@kernel
def _longest(dfa: Dfa, state: int) -> int:
    """Return the maximum number of characters before an end of a state that is a set."""
    most = 0
    for member in members_of(dfa, dfa.set_of[state]):
        if member < at.FIRST_SET_ITEM:
            most = max(most, dfa.positions[member].longest)
            continue
        item = dfa.items[member - at.FIRST_SET_ITEM]
        of_product = _longest_in_product(dfa, item.product_state) if item.node == 0 else at.MAX_COUNT + 1
        most = max(most, of_product + dfa.positions[item.following].longest)
    return min(most, at.MAX_COUNT + 1)


@kernel
def _longest_in_product(dfa: Dfa, number: int) -> int:
    """Like `_longest`, for a product state, as far as the required leaves tell."""
    least, required, leaves = at.MAX_COUNT + 1, product_of(dfa, number).required, leaves_of(dfa, number)
    for leaf in range(len(leaves)):
        if required >> leaf & 1 and leaves[leaf] != at.DEAD and is_set(dfa, leaves[leaf]):
            most = 0
            for member in members_of(dfa, dfa.set_of[leaves[leaf]]):
                is_item = member >= at.FIRST_SET_ITEM
                most = max(most, at.MAX_COUNT + 1 if is_item else dfa.positions[member].longest)
            least = min(least, most)
    return least


@kernel
def find_run(dfa: Dfa, position: int) -> None:
    """Find the run of a position."""
    run = dfa.position_runs[position]
    if run.length or dfa.positions[position].reads < 0:
        return
    _find_following(dfa, position)
    begin_run(run, run.classes, dfa.positions[position].shortest)
    here = position
    while run.length_of_few < MAX_RUN:
        here = dfa.position_runs[here].following
        if here < 0:
            break
        _find_following(dfa, here)
        if not go_on(run, dfa.position_runs[here].classes, 1 if here == position else 0):
            break
        run.most_left = max(run.most_left, dfa.positions[here].shortest)


@kernel
def forget_run(run: Run) -> None:
    """Reset a run to no characters."""
    run.classes = 0
    run.length = 0
    run.few_classes = 0
    run.length_of_few = 0
    run.most_left = 0


@kernel
def begin_run(run: Run, classes: int, most_left: int) -> None:
    """Begin a run with one character of some classes."""
    run.classes = classes
    run.length = 1
    run.few_classes = classes
    run.length_of_few = 1
    run.most_left = most_left


@kernel
def go_on(run: Run, classes: int, is_loop: int) -> bool:
    """Extend a run by a character that has the given classes, if all or some of the run's classes are among them.

    classes: byte classes that the next position reads.
    is_loop: 1 if the run is back at its beginning.

    Returns False if the run ends here.
    """
    if run.few_classes & classes == 0:
        return False
    if run.classes & ~classes == 0 and run.length == run.length_of_few:
        run.length += 1
    run.few_classes &= classes
    run.length_of_few += 1
    if is_loop or run.length == MAX_RUN:
        run.length = ENDLESS if run.length + 1 >= run.length_of_few else run.length
    if is_loop or run.length_of_few == MAX_RUN:
        run.length_of_few = ENDLESS
    return True


@kernel
def _find_following(dfa: Dfa, position: int) -> None:
    """Find the byte classes that a position reads, and the best position behind it that reads them too; -1 if none."""
    run = dfa.position_runs[position]
    if run.is_known:
        return
    classes = _classes_of(dfa, dfa.positions[position].reads)
    following, most = -1, 0
    begin_set(dfa)
    add_closure(dfa, dfa.positions[position].following)
    for index in range(dfa.found.used):
        member = dfa.found[index]
        if member >= at.NUM_ENDS and member < at.FIRST_SET_ITEM:
            found = 4 * worth(classes & _classes_of(dfa, dfa.positions[member].reads), 1)
            found += 1 if member == position and found else 0
            if found > most:
                following, most = member, found
    run.classes = classes
    run.following = following
    run.is_known = 1


@kernel
def _classes_of(dfa: Dfa, reads: int) -> int:
    """Return the byte classes of a set of characters. A token may end inside a character that begins with C2."""
    chars, all_classes, missing = dfa.char_sets[reads], 0, 0
    if chars.byte_classes:
        return chars.byte_classes & ALL_CLASSES
    for byte in range(128):
        all_classes |= dfa.byte_classes[byte]
        if not chars.ascii[byte >> 6] >> (byte & 63) & 1:
            missing |= dfa.byte_classes[byte]
    found = all_classes & ~missing
    if chars.others == at.ALL_OTHERS:
        found |= WIDE | ODD
    elif chars.usual == at.ALL_USUAL and dfa.nodes[chars.others][_LEAD_OF_ODD & 63]:
        found |= WIDE
    chars.byte_classes = found | 1 << 61
    return found


@kernel
def best_position(dfa: Dfa, state: int) -> int:
    """Return the position with the best run in a state that is a set; -1 if there is none."""
    best, most = -1, 0
    for member in members_of(dfa, dfa.set_of[state]):
        if member >= at.NUM_ENDS and member < at.FIRST_SET_ITEM:
            find_run(dfa, member)
            found = worth(dfa.position_runs[member].classes, dfa.position_runs[member].length)
            if found > most:
                best, most = member, found
    return best


@kernel
def best_thread(dfa: Dfa, state: int) -> int:
    """Return the thread of a leaf with the best run; the leaf itself if none of its positions reads on."""
    best = best_position(dfa, state) if state != at.DEAD and is_set(dfa, state) else -1
    return state if best < 0 else state_of_member(dfa, best, at.TEXT_SPELLING)


@kernel
def leaf_run(dfa: Dfa, state: int, is_positive: int) -> tuple[int, int]:
    """Return byte classes whose characters all lead a leaf to one state, and that state. BOUNDS: the leaf's row is
    made.
    """
    if state == at.DEAD:
        return ALL_CLASSES, at.DEAD
    if is_positive and is_set(dfa, state):
        position = best_position(dfa, state)
        following = dfa.position_runs[position].following if position >= 0 else -1
        if following < 0:
            return 0, at.DEAD
        return dfa.position_runs[position].classes, state_of_member(dfa, following, at.TEXT_SPELLING)
    position = position_of(dfa, state)
    if position >= 0:
        if dfa.positions[position].reads < 0:
            return ALL_CLASSES, at.DEAD
        find_run(dfa, position)
        return dfa.position_runs[position].classes, state_after(dfa, position)
    if dfa.loops[state]:
        return dfa.loops[state], state
    return _classes_to(dfa, dfa.rows[state], dfa.rows[state][_LETTER])


@kernel
def _classes_to(dfa: Dfa, row: Array[int32], target: int) -> tuple[int, int]:
    """Return the byte classes that lead to a target (also DEAD) in a row, and the target."""
    all_classes, missing, is_dead = 0, 0, True
    for byte in range(128):
        all_classes |= dfa.byte_classes[byte]
        if row[byte] != target:
            missing |= dfa.byte_classes[byte]
    for byte in range(_LEAD_OF_ODD, 0xF5):
        is_dead = is_dead and row[byte] == at.DEAD
    found = all_classes & ~missing
    if is_dead if target == at.DEAD else dfa.inside[target] and row[_LEAD_OF_ODD] == dfa.inside[target]:
        found |= WIDE | ODD
    return found, target
