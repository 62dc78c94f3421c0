"""Constructors of Languages that simplify: the results are small, and similar expressions become one object.

Derivatives use these constructors, so the rules also keep state spaces small. Unions and intersections are sets of
nodes. Alternatives that begin with the same part share the part. Runs of the same part add their counts. An
intersection filters sets of words at once.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..watch import paced
from . import charset as cs
from .nodes import (
    ANY_CHAR,
    ANYTHING,
    EMPTY_TEXT,
    MAX_CANONICAL_WORDS,
    NOTHING,
    Chars,
    Complement,
    Concat,
    Intersection,
    Language,
    MachineLanguage,
    Repeat,
    TextAutomaton,
    Union,
    Words,
    are_multiples_gapless,
    ids_of,
    intern,
    one_word,
    sequence_of,
    word_set,
)

_MAX_FACTORING_DEPTH = 30
_SURROGATES = dict.fromkeys(range(cs.FIRST_SURROGATE, cs.LAST_SURROGATE + 1))


def chars(charset: cs.CharSet) -> Language:
    """Return the Language of one character of the set."""
    return intern(charset, Chars, charset) if charset else NOTHING


def text(string: str) -> Language:
    """Return the Language of exactly this text. NOTHING for a text with a surrogate."""
    return one_word(string) if _is_encodable(string) else NOTHING


def words(texts: Iterable[str]) -> Language:
    """Return the Language of these texts, without texts that contain surrogates. The cost of a step does not depend on
    their number.
    """
    wanted = frozenset(texts)
    if not all(map(_is_encodable, paced(wanted))):
        wanted = frozenset(filter(_is_encodable, wanted))
    return word_set(wanted)


def machine(automaton: TextAutomaton) -> Language:
    """Return the Language of the texts that the automaton accepts."""
    return intern((2, automaton), MachineLanguage, automaton)


def concat(*parts: Language) -> Language:
    """Return the concatenation: texts of the first part, each followed by a text of the next part, and so on."""
    result = EMPTY_TEXT
    for part in paced(_joined(parts)[::-1] if len(parts) > 2 else parts[::-1]):
        result = prepend(part, result)
    return result


def _joined(parts: Sequence[Language]) -> list[Language]:
    """Join neighbours that are literal texts. Joining them two by two would copy each text many times."""
    joined: list[Language] = []
    for is_literal, run in itertools.groupby(paced(parts), lambda part: _literal(part) is not None):
        same = [*run]
        literals = [_literal(part) or "" for part in same] if is_literal and len(same) > 1 else []
        joined += [text("".join(literals))] if literals else same
    return joined


def prepend(first: Language, rest: Language) -> Language:
    """Return the concatenation of `first` and `rest`."""
    if first is EMPTY_TEXT or rest is NOTHING:
        return rest
    if rest is EMPTY_TEXT or first is NOTHING:
        return first
    if type(first) is not Concat:
        return _prepend_one(first, rest)
    for part in reversed(sequence_of(first)):
        rest = _prepend_one(part, rest)
    return rest


def union(*parts: Language) -> Language:
    """Return the union: the texts that belong to at least one of the parts."""
    return (_few_words(parts) if 1 < len(parts) <= MAX_CANONICAL_WORDS else None) or _union(parts, 0)


def _few_words(parts: Sequence[Language]) -> Language | None:
    """Return the union of small sets of words; None for other parts. PERF: 2 us; by `_union` 9."""
    found = set[str]()
    for part in parts:
        if type(part) is not Words or part.high - part.low > MAX_CANONICAL_WORDS:
            return None
        found |= part.words
    return word_set(frozenset(found))


def intersect(*parts: Language) -> Language:
    """Return the intersection: the texts that belong to every part."""
    return _intersect(parts, True)


def intersect_lazily(*parts: Language) -> Language:
    """Do as `intersect`, while transitions are being computed: recursive Languages do not filter words."""
    return _intersect(parts, False)


def _intersect(parts: Sequence[Language], steps_recursive: bool) -> Language:
    members = _members(Intersection, parts, ANYTHING)
    if NOTHING in members:
        return NOTHING
    if len(members) < 2:
        return members.pop() if members else ANYTHING
    sets = [part for part in members if type(part) is Words]
    if sets:
        smallest = min(sets, key=lambda part: part.high - part.low)
        members.discard(smallest)
        others = [part for part in members if steps_recursive or not part.is_recursive]
        kept = _filter(smallest, others)
        if kept is NOTHING or len(others) == len(members):
            return kept
        members.difference_update(others)
        members.add(kept)
    merged = _merge_chars_in_intersection(members) or _merge_complements(members, union)
    if merged is not None:
        return _intersect(merged, steps_recursive)
    if _drop_absorbed(members, Union) | _drop_lengths(members):
        return _intersect(list(members), steps_recursive)
    low = max([part.min_length for part in members])
    if any(part.max_length is not None and part.max_length < low for part in members):
        return NOTHING
    if _are_opposites(members, Union):
        return NOTHING
    pruned = _prune(members, low)
    if pruned is not None:
        return _intersect(pruned, steps_recursive)
    key = tuple(sorted(members, key=_id))
    return intern((1, ids_of(key)), Intersection, key)


def complement(child: Language) -> Language:
    """Return the complement: every text that is not in the child."""
    if child is NOTHING:
        return ANYTHING
    if child is ANYTHING:
        return NOTHING
    if type(child) is Complement:
        return child.child
    if type(child) is Repeat and child.child is ANY_CHAR:
        shorter = repeat(ANY_CHAR, 0, child.low - 1) if child.low else NOTHING
        return union(shorter, NOTHING if child.high is None else repeat(ANY_CHAR, child.high + 1))
    return intern((child.id,), Complement, child)


def difference(first: Language, second: Language) -> Language:
    """Return the difference: the texts of the first Language that are not in the second."""
    return intersect(first, complement(second))


def repeat(child: Language, low: int, high: int | None = None) -> Language:
    """Return the child repeated `low` to `high` times; high None: no upper bound. NOTHING when low > high."""
    if high is not None and low > high:
        return NOTHING
    if child is NOTHING:
        return NOTHING if low else EMPTY_TEXT
    if child is EMPTY_TEXT or high == 0:
        return EMPTY_TEXT
    if child.nullable:
        low = 0
        child = _without_empty(child)
    if type(child) is Repeat and are_multiples_gapless(child.low, child.high, low, high):
        low, high = low * child.low, None if high is None or child.high is None else high * child.high
        child = child.child
    elif type(child) is Words and child.literal is not None and len(child.literal) == 1:
        child = chars(cs.single(child.literal))
    if low == high == 1:
        return child
    if low == 0 and high == 1 and type(child) is not Chars:
        return union(EMPTY_TEXT, child)
    return intern((child.id, low, high), Repeat, child, low, high)


def matches(language: Language, string: str) -> bool:
    """True if the text is in the Language. Takes time linear in the text."""
    for char in paced(string):
        language = language.step(ord(char))
        if language is NOTHING:
            return False
    return language.nullable


def _is_encodable(string: str) -> bool:
    return string.isascii() or string.translate(_SURROGATES) == string


def _id(node: Language) -> int:
    return node.id


def _prepend_one(first: Language, rest: Language) -> Language:
    """Return the concatenation of `first`, which is no Concat, and `rest`. NOTHING is allowed for neither."""
    if rest is EMPTY_TEXT or first is EMPTY_TEXT:
        return first if rest is EMPTY_TEXT else rest
    second, tail = (rest.head, rest.tail) if type(rest) is Concat else (rest, EMPTY_TEXT)
    if first is ANYTHING:
        if second.nullable:
            return _prepend_one(ANYTHING, tail)
        if type(second) is Repeat and second.high != second.low:
            return _prepend_one(ANYTHING, prepend(repeat(second.child, second.low, second.low), tail))
    elif second is ANYTHING:
        if first.nullable:
            return rest
        if type(first) is Repeat and first.high != first.low:
            return prepend(repeat(first.child, first.low, first.low), rest)
    merged = _merge_pair(first, second)
    if merged is not None:
        return prepend(merged, tail)
    return intern((first.id, rest.id), Concat, first, rest)


def _merge_pair(first: Language, second: Language) -> Language | None:
    """Merge `first` and `second` into one node: join literal texts, add counts of the same child. None for other
    pairs.
    """
    left = _literal(first)
    if left is not None:
        right = _literal(second)
        return None if right is None else text(left + right)
    if type(first) is Repeat:
        child, low, high = first.child, first.low, first.high
    elif first is second or (type(second) is Repeat and second.child is first):
        child, low, high = first, 1, 1
    else:
        return None
    if type(second) is Repeat and second.child is child:
        return repeat(child, low + second.low, None if high is None or second.high is None else high + second.high)
    return repeat(child, low + 1, None if high is None else high + 1) if second is child else None


def _literal(node: Language) -> str | None:
    if type(node) is Words:
        return node.literal
    if type(node) is Chars and cs.is_single(node.charset):
        return chr(node.charset[0][0])
    return None


def _without_empty(node: Language) -> Language:
    """Remove the empty text from a Language. Returns the node itself when no easy rule applies."""
    if type(node) is Words:
        return word_set(node.words - {""}) if node.nullable else node
    if type(node) is Union:
        return union(*[_without_empty(part) if type(part) is Words else part for part in node.parts])
    return node


def _members(kind: type[Union | Intersection], parts: Sequence[Language], neutral: Language) -> set[Language]:
    """Collect the different parts, those of nested nodes of the same kind too, without the neutral one."""
    members: set[Language] = set()
    for part in paced(parts):
        if type(part) is kind:
            members.update(part.parts)
        elif part is not neutral:
            members.add(part)
    return members


def _union(parts: Sequence[Language], depth: int) -> Language:
    """Return the union of the parts.

    depth: how many shared heads lead to this union.
    """
    members = _members(Union, parts, NOTHING)
    if ANYTHING in members:
        return ANYTHING
    if len(members) < 2:
        return members.pop() if members else NOTHING
    by_type: dict[type, list[Language]] = {}
    for part in paced(members):
        by_type.setdefault(type(part), []).append(part)
    if len(by_type) < len(members) or Repeat in by_type or EMPTY_TEXT in members:
        merged = _merge_in_union(members, by_type, depth)
        if merged is not None:
            return _union(merged, depth)
    if Intersection in by_type and _drop_absorbed(members, Intersection):
        return _union(list(members), depth)
    if Complement in by_type:
        merged = _merge_complements(members, intersect_lazily) or _move_into_complement(members)
        if merged is not None:
            return _union(merged, depth)
        if _are_opposites(members, Intersection):
            return ANYTHING
    key = tuple(sorted(members, key=_id))
    return intern((0, ids_of(key)), Union, key)


def _merge_in_union(
    members: set[Language], by_type: dict[type, list[Language]], depth: int
) -> Sequence[Language] | None:
    """Return fewer members with the same union; None when no rule applies."""
    sets = [part for part in by_type.get(Words, ()) if type(part) is Words]
    if len(sets) > 1:
        return [*members.difference(sets), word_set(frozenset().union(*[part.words for part in sets]))]
    singles = [part for part in by_type.get(Chars, ()) if type(part) is Chars]
    if len(singles) > 1:
        return [*members.difference(singles), chars(cs.union(*[part.charset for part in singles]))]
    if Concat in by_type and depth < _MAX_FACTORING_DEPTH:
        merged = _share_heads(members, by_type[Concat], depth)
        if merged is not None:
            return merged
    if Repeat in by_type:
        merged = _merge_counts(members, by_type[Repeat])
        if merged is not None:
            return merged
    if EMPTY_TEXT in members:
        rest = members - {EMPTY_TEXT}
        if any(part.nullable for part in rest):
            return list(rest)
        (only,) = rest if len(rest) == 1 else (None,)
        if type(only) is Chars:
            return [repeat(only, 0, 1)]
    return None


def _share_heads(members: set[Language], concats: list[Language], depth: int) -> Sequence[Language] | None:
    """Turn h·s and h·t into h·(s or t), also where one of them is h alone. None when no heads are shared."""
    tails: dict[Language, list[Language]] = {}
    for part in paced(concats):
        assert type(part) is Concat
        tails.setdefault(part.head, []).append(part)
    for head, group in tails.items():
        if head in members:
            group.append(head)
    shared = [group for group in tails.values() if len(group) > 1]
    if not shared:
        return None
    return [*members.difference(*shared), *[_factor(group, depth) for group in paced(shared)]]


def _factor(group: Sequence[Language], depth: int) -> Language:
    """Return the union of nodes with the same head: first all heads that they share, then the union of the rests."""
    heads: list[Language] = []
    while all(type(part) is Concat for part in group):
        first = {part.head for part in group if type(part) is Concat}
        if len(first) > 1:
            break
        heads.append(first.pop())
        group = [part.tail for part in group if type(part) is Concat]
    if not heads:
        head = next(part.head for part in group if type(part) is Concat)
        heads.append(head)
        group = [part.tail if type(part) is Concat else EMPTY_TEXT for part in group]
    result = _union(group, depth + 1)
    for head in reversed(heads):
        result = prepend(head, result)
    return result


def _merge_counts(members: set[Language], repeats: list[Language]) -> Sequence[Language] | None:
    """Merge two counted runs of the same child when no count between them is missing, such as x{1,n} and the empty
    text.
    """
    by_child: dict[Language, list[tuple[int, int | None, Language]]] = {}
    for part in sorted(repeats, key=_id):
        assert type(part) is Repeat
        by_child.setdefault(part.child, []).append((part.low, part.high, part))
    for child, group in by_child.items():
        if child in members:
            group.append((1, 1, child))
        if EMPTY_TEXT in members:
            group.append((0, 0, EMPTY_TEXT))
        group.sort(key=lambda interval: interval[0])
        for (low, high, first), (other_low, other_high, second) in itertools.pairwise(group):
            if first is EMPTY_TEXT and second is child and type(child) is not Chars:
                continue  # the constructors write x{0,1} as this union
            if high is None or other_low <= high + 1:
                longest = None if high is None or other_high is None else max(high, other_high)
                return [*members.difference((first, second)), repeat(child, low, longest)]
    return None


def _merge_complements(members: set[Language], join: Callable[..., Language]) -> Sequence[Language] | None:
    """Return members with one complement instead of several: that of the children joined by the dual operation."""
    complements = [part for part in members if type(part) is Complement]
    if len(complements) < 2:
        return None
    return [*members.difference(complements), complement(join(*[part.child for part in complements]))]


def _move_into_complement(members: set[Language]) -> Sequence[Language] | None:
    """Turn the union of words and the complement of words into the complement of fewer words.

    Other Languages can't move in: filtering by them needs their derivatives, and these may need this union's.
    """
    sets = [part for part in members if type(part) is Words]
    for part in members:
        if sets and type(part) is Complement and type(part.child) is Words:
            return [*members.difference((part, *sets)), complement(difference(part.child, sets[0]))]
    return None


def _are_opposites(members: set[Language], dual: type[Union | Intersection]) -> bool:
    """True if one member is the complement of another, or of a node of the dual kind with another as a part."""
    for part in members:
        if type(part) is Complement:
            child = part.child
            if child in members or (type(child) is dual and not members.isdisjoint(child.parts)):
                return True
    return False


def _drop_absorbed(members: set[Language], dual: type[Union | Intersection]) -> bool:
    """Remove, in place, nodes of the dual kind that have another member as a part: x or (x and y) is x."""
    absorbed = [part for part in members if type(part) is dual and not members.isdisjoint(part.parts)]
    members.difference_update(absorbed)
    return bool(absorbed)


def _drop_lengths(members: set[Language]) -> bool:
    """Remove, in place, bounds of the length that the other members keep anyway. True if one was removed."""
    for part in members:
        if type(part) is Repeat and part.child is ANY_CHAR:
            others = members - {part}
            if part.low <= max([other.min_length for other in others], default=-1):
                longest = [other.max_length for other in others if other.max_length is not None]
                if part.high is None or (longest and min(longest) <= part.high):
                    members.discard(part)
                    return True
    return False


def _merge_chars_in_intersection(members: set[Language]) -> Sequence[Language] | None:
    """Merge several counted runs into one (one character is a run of one). None when there is at most one run."""
    runs = {part: run for part in members if (run := _as_run(part)) is not None}
    if len(runs) < 2:
        return None
    charset, low = cs.ALL, 0
    high: int | None = None
    for child, other_low, other_high in runs.values():
        charset = cs.intersection(charset, child.charset)
        low = max(low, other_low)
        high = other_high if high is None else high if other_high is None else min(high, other_high)
    return [*members.difference(runs), repeat(chars(charset), low, high)]


def _as_run(node: Language) -> tuple[Chars, int, int | None] | None:
    if type(node) is Chars:
        return node, 1, 1
    if type(node) is Repeat and type(node.child) is Chars:
        return node.child, node.low, node.high
    return None


def _prune(members: set[Language], low: int) -> Sequence[Language] | None:
    """Drop alternatives that another member rules out, and exclusions of texts that another member demands.

    For example, x and (not x, or y) becomes x and y; x and not (x and not y) becomes the same. A schema that
    demands something and then excludes it becomes NOTHING without a search.
    low: the least length of a text in all members.
    """
    longest = min([part.max_length for part in members if part.max_length is not None], default=math.inf)
    for part in members:
        if type(part) is Union:
            kept = [one for one in part.parts if not _is_ruled_out(one, members, low, longest)]
            if len(kept) < len(part.parts):
                return [*(members - {part}), union(*kept)]
        elif type(part) is Complement and type(part.child) is Intersection:
            rest = [one for one in part.child.parts if one not in members]
            if len(rest) < len(part.child.parts):
                return [*(members - {part}), complement(intersect(*rest))]
    return None


def _is_ruled_out(part: Language, members: set[Language], low: int, high: float) -> bool:
    """True if no text of a part can be in all members. The members' common texts have `low` to `high` characters."""
    if part.min_length > high or (part.max_length is not None and part.max_length < low):
        return True
    if type(part) is Complement:
        return part.child in members
    return any(type(one) is Complement and one.child is part for one in members)


def _filter(node: Words, others: Sequence[Language]) -> Language:
    """Keep the words that are in all the others."""
    kept, rest = node.words, []
    for other in others:
        if type(other) is Words:
            kept &= other.words
        elif type(other) is Complement and type(other.child) is Words:
            kept -= other.child.words
        elif type(other) is Repeat and other.child is ANY_CHAR:
            high = math.inf if other.high is None else other.high
            kept = frozenset([word for word in kept if other.low <= len(word) <= high])
        else:
            rest.append(other)
    if rest:
        kept = frozenset(_matching(sorted(kept), rest))
    return node if len(kept) == node.high - node.low else word_set(kept)


def _matching(ordered: Sequence[str], languages: Sequence[Language]) -> Iterator[str]:
    """Yield the words that are in all Languages. A beginning that neighbours share is read once.

    ordered: the words, sorted.
    """
    states = [tuple(languages)]
    previous = ""
    for word in ordered:
        common = 0
        while common < len(previous) and word.startswith(previous[common], common):
            common += 1
        del states[common + 1 :]
        for char in word[common:]:
            states.append(tuple([language.step(ord(char)) for language in states[-1]]))
        previous = word
        if all(language.nullable for language in states[-1]):
            yield word
