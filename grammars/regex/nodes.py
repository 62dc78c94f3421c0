"""The nodes of Language expressions: immutable, interned, compared by identity.

Build them with the constructors of constructors.py, which keep them small; nothing else calls the classes. Nodes of
equal structure are one object (but a set of more than MAX_CANONICAL_WORDS words that comes from stepping through a
larger one is known by its place in that one). The table of nodes is weak: what nobody uses is freed.

A node knows whether it has the empty text (`nullable`), bounds of the lengths of its texts (`min_length`, `max_length`,
None: no bound), whether every length between them occurs (`is_dense`), and whether it is built without intersection,
complement and machines (`is_plain`; then it has at least one text, unless it is NOTHING). `is_recursive`: it has a
machine whose transitions are Languages built from the machine itself, so while they are found, nothing may step it.
`is_transient`: it has a machine of what one request gave, such as a text that is quoted; no cache of the process may
hold it.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
import weakref
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, ClassVar, Protocol

from ..forks import anew_after_fork
from ..watch import checkpoint, sort_inplace
from . import charset as cs

MAX_CANONICAL_WORDS = 16
"""Sets of at most this many words are always one object; larger ones are ranges of a sorted table."""

MAX_DERIVED = 16_384
"""So many nodes keep the transitions that were found; the others find them again. Bounds memory, and the time of the
garbage collector, which looks at everything that is kept."""


class Machine(Protocol):
    """A deterministic automaton given by its states: hashable and immutable; equal states are the same state.

    Some attributes are optional. surely_nonempty: every state leads to a text. is_transient: see above.
    has_text: whether an intersection that the machine is a part of has a text, where it knows; else None.
    has_many: (of a language that is this machine, a number) True when it surely has so many texts.
    most_left: no state is more characters than that from the end of a text; see `completion.bounds`.
    partition: disjoint sets of characters, the same object for all states, with a method targets(), which gives for
        each the machine after it, or None: quicker to read than transitions() where the sets have many ranges.
    """

    def __hash__(self) -> int: ...

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""

    def transitions(self) -> tuple[tuple[cs.CharSet, Any], ...]:
        """Disjoint sets of characters and the Machine (or Language) that each leads to; others are not accepted."""


class Language:
    """A set of texts over the Unicode scalar values. Immutable; equal structure means the same object."""

    kind: ClassVar[str]
    __slots__ = (
        "__weakref__",
        "_is_empty",
        "_transitions",
        "id",
        "is_dense",
        "is_plain",
        "is_recursive",
        "is_transient",
        "max_length",
        "min_length",
        "nullable",
    )
    id: int
    nullable: bool
    is_plain: bool
    is_dense: bool
    is_recursive: bool
    is_transient: bool
    min_length: int
    max_length: int | None
    _transitions: tuple[Any, ...] | None  # sets and targets in turn: one object fewer for each than as pairs
    _is_empty: bool | None

    def transitions(self) -> Transitions:
        """Disjoint sets of characters with the Language of what may follow; targets are distinct, none is NOTHING."""
        known = self._transitions
        return derive(self) if known is None else _in_pairs(known)

    def forget_transitions(self) -> None:
        """Free the memory of the transitions; they are found anew when somebody asks for them."""
        if self._transitions:
            self._transitions = None

    def step(self, code_point: int) -> Language:
        """What may follow this character; NOTHING if no text starts with it."""
        for charset, target in self.transitions():
            low, high = charset[0]
            if low <= code_point <= high:
                return target
            if len(charset) > 1 and code_point > high:
                index = bisect_right(charset, (code_point, cs.MAX_CODE_POINT + 1)) - 1
                if charset[index][1] >= code_point:
                    return target
        return NOTHING

    def __repr__(self) -> str:
        return f"<Language {self.kind} #{self.id}>"


Transitions = tuple[tuple[cs.CharSet, Language], ...]


class Chars(Language):
    """One character of a set that is not empty."""

    kind = "chars"
    __slots__ = ("charset",)

    def __init__(self, charset: cs.CharSet) -> None:
        self.charset = charset
        _set_facts(self, False, True, 1, 1, True)


class Words(Language):
    """A finite set of texts: what follows the first `depth` characters (shared) in `table[low:high]`."""

    kind = "words"
    __slots__ = ("_words", "depth", "high", "low", "table")

    def __init__(self, table: WordTable, low: int, high: int, depth: int) -> None:
        self.table, self.low, self.high, self.depth = table, low, high, depth
        self._words: frozenset[str] | None = None
        words = table.words
        if high - low == 1:
            min_length = max_length = len(words[low]) - depth
            is_dense = True
        elif high - low > MAX_CANONICAL_WORDS:
            min_length, max_length, is_dense = 0, table.max_length - depth, False
        else:
            lengths = {len(word) - depth for word in words[low:high]} or {0}
            min_length, max_length = min(lengths), max(lengths)
            is_dense = max_length - min_length + 1 == len(lengths)
        nullable = high > low and len(words[low]) == depth
        _set_facts(self, nullable, True, min_length, max_length, is_dense)

    @property
    def words(self) -> frozenset[str]:
        """The texts."""
        if self._words is None:
            self._words = frozenset(self.sorted_words)
        return self._words

    @property
    def sorted_words(self) -> list[str]:
        """The texts in their order."""
        depth, words = self.depth, self.table.words[self.low : self.high]
        return [word[depth:] for word in words] if depth else words

    @property
    def literal(self) -> str | None:
        """The only text, or None if there are more."""
        return self.table.words[self.low][self.depth :] if self.high - self.low == 1 else None

    def step(self, code_point: int) -> Language:
        table, low, high, depth = self.table.words, self.low, self.high, self.depth
        if high - low <= MAX_CANONICAL_WORDS:
            return Language.step(self, code_point)
        prefix = table[low][:depth]
        first = bisect_left(table, prefix + chr(code_point), low, high)
        last = bisect_left(table, prefix + chr(code_point + 1), low, high) if code_point < cs.MAX_CODE_POINT else high
        return word_range(self.table, first, last, depth + 1)


class WordTable:
    """Words in the order of their code points."""

    __slots__ = ("max_length", "words")

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.max_length = len(words[0]) if len(words) == 1 else max(map(len, words), default=0)


class Concat(Language):
    """The head, then the tail; the head is no Concat itself, and neither is the empty text."""

    kind = "concat"
    __slots__ = ("head", "tail")

    def __init__(self, head: Language, tail: Language) -> None:
        self.head, self.tail = head, tail
        max_length = None
        if head.max_length is not None and tail.max_length is not None:
            max_length = head.max_length + tail.max_length
        _set_facts(
            self,
            head.nullable and tail.nullable,
            head.is_plain and tail.is_plain,
            head.min_length + tail.min_length,
            max_length,
            head.is_dense and tail.is_dense,
            head.is_recursive or tail.is_recursive,
            head.is_transient or tail.is_transient,
        )


class Union(Language):
    """Any of at least two parts, in the order of their ids."""

    kind = "union"
    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Language, ...]) -> None:
        self.parts = parts
        max_length: int | None = 0
        for part in parts:
            if part.max_length is None or max_length is None:
                max_length = None
            elif part.max_length > max_length:
                max_length = part.max_length
        _set_facts(
            self,
            any(part.nullable for part in parts),
            all(part.is_plain for part in parts),
            min([part.min_length for part in parts]),
            max_length,
            all(part.is_dense for part in parts) and _is_gapless(parts),
            any(part.is_recursive for part in parts),
            any(part.is_transient for part in parts),
        )


class Intersection(Language):
    """All of at least two parts, in the order of their ids."""

    kind = "intersection"
    __slots__ = ("parts",)

    def __init__(self, parts: tuple[Language, ...]) -> None:
        self.parts = parts
        bounds = [part.max_length for part in parts if part.max_length is not None]
        _set_facts(
            self,
            all(part.nullable for part in parts),
            False,
            max([part.min_length for part in parts]),
            min(bounds, default=None),
            False,
            any(part.is_recursive for part in parts),
            any(part.is_transient for part in parts),
        )


class Complement(Language):
    """Every text that is not in the child."""

    kind = "complement"
    __slots__ = ("child",)

    def __init__(self, child: Language) -> None:
        self.child = child
        shortest = 1 if child.nullable else 0
        _set_facts(self, not child.nullable, False, shortest, None, False, child.is_recursive, child.is_transient)


class Repeat(Language):
    """`low` to `high` times the child (high None: no bound). If the child is nullable, low is 0."""

    kind = "repeat"
    __slots__ = ("child", "high", "low")

    def __init__(self, child: Language, low: int, high: int | None) -> None:
        self.child, self.low, self.high = child, low, high
        shortest, longest = child.min_length, child.max_length
        is_dense = child.is_dense and are_multiples_gapless(shortest, longest, low, high)
        max_length = None if high is None or longest is None else longest * high
        facts = low == 0, child.is_plain, shortest * low, max_length, is_dense
        _set_facts(self, *facts, child.is_recursive, child.is_transient)


class MachineLanguage(Language):
    """What an automaton given from outside accepts."""

    kind = "machine"
    __slots__ = ("machine",)

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        is_recursive, is_transient = getattr(machine, "is_recursive", False), getattr(machine, "is_transient", False)
        _set_facts(self, machine.nullable, False, 0, None, False, is_recursive, is_transient)
        if getattr(machine, "surely_nonempty", False):
            self._is_empty = False


def are_multiples_gapless(shortest: int, longest: int | None, low: int, high: int | None) -> bool:
    """True if the sums of k numbers out of shortest..longest, for k in low..high, leave no number out in between."""
    if low == high:
        return True
    if longest is None:
        return low >= 1 or shortest <= 1
    return low * (longest - shortest) + 1 >= shortest


def intern(key: Hashable, make: Callable[..., Language], *arguments: Any) -> Language:
    """The node with this key; `make(*arguments)` if there is none yet.

    A key names other nodes by their ids. If it held them, a node that its own parts lead back to would never be freed:
    the table keeps the keys, and these would keep the node.
    """
    return known(key) or _add(key, make, arguments)


def known(key: Hashable) -> Language | None:
    """The node with this key; None if there is none."""
    found = _found(key)
    return None if found is None else found()


def _add(key: Hashable, make: Callable[..., Language], arguments: tuple[Any, ...]) -> Language:
    """As `intern`, where the key has no node."""
    checkpoint()
    with _lock:
        node = known(key)  # another thread may have been here
        if node is None:
            node = make(*arguments)
            ref = _nodes[key] = _Ref(node, _forget)
            ref.key = key
    return node


class _Ref(weakref.ref[Language]):
    """To a node. PERF: a `WeakValueDictionary` takes 0.7 us more for each."""

    __slots__ = ("key",)
    key: Hashable


def _forget(ref: _Ref) -> None:
    """The node is no more; perhaps its key has another one by now."""
    with _lock:  # a node may end while this thread has it
        if _nodes.get(ref.key) is ref:
            del _nodes[ref.key]


def ids_of(parts: tuple[Language, ...]) -> tuple[int, ...]:
    """The ids of some nodes, for a key."""
    return tuple([part.id for part in parts])


def word_range(table: WordTable, low: int, high: int, depth: int) -> Language:
    """The Language of what follows the first `depth` characters, which are the same, in `table.words[low:high]`."""
    if high - low == 1:
        word = table.words[low][depth:]
        return one_word(word)
    if high - low > MAX_CANONICAL_WORDS:
        return intern((table, low, high, depth), Words, table, low, high, depth)
    words = [word[depth:] for word in table.words[low:high]]
    key = frozenset(words)
    return known(key) or _add(key, Words, (WordTable(words), 0, len(words), 0))


def one_word(text: str) -> Language:
    """The Language of this text, which has no surrogate."""
    return known(text) or _add(text, Words, (WordTable([text]), 0, 1, 0))


def word_set(texts: frozenset[str]) -> Language:
    """The Language of these texts, none of which has a surrogate."""
    if len(texts) == 1:
        return one_word(*texts)
    node = known(texts)
    if node is None:
        in_order = list(texts)
        sort_inplace(in_order)
        node = _add(texts, Words, (WordTable(in_order), 0, len(in_order), 0))
    return node


def derive(node: Language) -> Transitions:
    """Compute and keep the node's transitions, those it is made from first; a stack of nodes instead of recursion."""
    stack = [(node, False)]
    while stack:
        top, is_ready = stack.pop()
        if top._transitions is not None:
            continue
        if is_ready:
            checkpoint()
            top._transitions = tuple(itertools.chain.from_iterable(_rule(top)))
            if not top.is_transient:
                _remember(top)
        else:
            stack.append((top, True))
            stack += [(child, False) for child in _needs(top) if child._transitions is None]
    found = node._transitions
    return _rule(node) if found is None else _in_pairs(found)  # another thread may have made it forget them


def _in_pairs(transitions: tuple[Any, ...]) -> Transitions:
    if len(transitions) == 2:
        return (transitions,)
    parts = iter(transitions)
    return tuple(zip(parts, parts, strict=False))


def _remember(node: Language) -> None:
    """Note that a node keeps its transitions; when too many do, the one that has kept them longest forgets them.

    PERF: half of them at once took 10 to 20 ms, in which nobody else could compute.
    """
    _derived.append(node)
    if len(_derived) > MAX_DERIVED:
        with contextlib.suppress(IndexError):  # another thread was here, too
            _derived.popleft().forget_transitions()


def install(needs: Callable[[Language], tuple[Language, ...]], rule: Callable[[Language], Transitions]) -> None:
    """Set how transitions are found; called by derivatives.py, which needs the constructors, which need the nodes.

    needs: the nodes whose transitions `rule` reads. rule: the transitions of a node; those that it needs are known.
    """
    global _needs, _rule
    _needs, _rule = needs, rule


def _set_facts(
    node: Language,
    nullable: bool,
    is_plain: bool,
    min_length: int,
    max_length: int | None,
    is_dense: bool,
    is_recursive: bool = False,
    is_transient: bool = False,
) -> None:
    node.id = next(_ids)
    node.nullable = nullable
    node.is_plain = is_plain
    node.is_dense = is_dense and is_plain
    node.is_recursive = is_recursive
    node.is_transient = is_transient
    node.min_length = min_length
    node.max_length = max_length
    node._transitions = None
    node._is_empty = False if nullable or is_plain else None


def _is_gapless(parts: tuple[Language, ...]) -> bool:
    """True if the parts' intervals of lengths leave no number out in between."""
    end = math.inf
    for low, high in sorted([(part.min_length, math.inf if (h := part.max_length) is None else h) for part in parts]):
        if low > end + 1:
            return False
        end = high if end == math.inf else max(end, high)
        if end == math.inf:
            return True
    return True


_needs: Callable[[Language], tuple[Language, ...]]
_rule: Callable[[Language], Transitions]
_ids = itertools.count()
_derived: deque[Language] = deque()
_lock = anew_after_fork(threading.RLock())
_nodes: dict[Hashable, _Ref] = {}
_found = _nodes.get

NOTHING = intern(frozenset(), Words, WordTable([]), 0, 0, 0)
NOTHING._is_empty = True
NOTHING._transitions = ()
EMPTY_TEXT = word_set(frozenset([""]))
ANY_CHAR = intern(cs.ALL, Chars, cs.ALL)
ANYTHING = intern((ANY_CHAR.id, 0, None), Repeat, ANY_CHAR, 0, None)
