"""The nodes of Language expressions: immutable, interned, compared by identity.

Only the constructors in constructors.py call the node classes, to keep expressions small. Nodes of equal structure are
one object. The exception is a set of more than MAX_CANONICAL_WORDS words from stepping through a larger set: its key is
its place in the larger set. The table of nodes is weak, so unused nodes are freed.

A node has these facts:

nullable: the node has the empty text.
min_length, max_length: bounds of its texts' lengths; None for no bound.
is_dense: every length between the bounds occurs.
is_plain: the node is built without intersection, complement and machines. A plain node other than NOTHING has a text.
is_recursive: the node has a machine whose transitions lead to Languages with the machine itself. Nothing may step the
    node while its transitions are being computed.
is_transient: the node has a machine made from one request's data, such as a quoted text. No cache of the process may
    keep the node.
"""

from __future__ import annotations

import contextlib
import itertools
import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, ClassVar, Protocol

from ..interning import Interned
from ..watch import checkpoint, sort_inplace
from . import charset as cs

MAX_CANONICAL_WORDS = 16
"""Sets of at most this many words are always one object; larger sets are ranges of a sorted table."""

MAX_DERIVED = 16_384
"""At most this many nodes keep their computed transitions; the others compute them again. Bounds memory, and the time
of the garbage collector, which looks at all kept objects.
"""


class TextAutomaton(Protocol):
    """A deterministic automaton given by its states: hashable and immutable; equal states are the same state.

    Some attributes are optional:

    surely_nonempty: True if every state leads to a text.
    is_transient: as for nodes.
    has_text: method; takes an intersection with this machine as a part and returns whether it has a text, or None.
    has_many: method; takes a Language that is this machine and a number, and returns True if it surely has that many
        texts.
    most_left: the most characters from any state to the end of a text; see `completion.bounds`.
    """

    def __hash__(self) -> int: ...

    @property
    def nullable(self) -> bool:
        """True if the text may end here."""

    def transitions(self) -> tuple[tuple[cs.CharSet, Any], ...]:
        """Return disjoint sets of characters, each with the automaton or Language that it leads to. Others are not
        accepted.
        """


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

    @property
    def parts(self) -> tuple[Language, ...]:
        """The Languages that this one is built from."""
        return ()

    def transitions(self) -> Transitions:
        """Return disjoint sets of characters, each with the Language that may follow. Targets differ, and no target is
        NOTHING.
        """
        known = self._transitions
        return derive(self) if known is None else _in_pairs(known)

    def forget_transitions(self) -> None:
        """Free the memory of the transitions. The next call of `transitions` computes them again."""
        if self._transitions:
            self._transitions = None

    def step(self, code_point: int) -> Language:
        """Return the Language that may follow this character; NOTHING when no text starts with the character."""
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
    """The texts with exactly one character, from a non-empty set."""

    kind = "chars"
    __slots__ = ("charset",)

    def __init__(self, charset: cs.CharSet) -> None:
        self.charset = charset
        _set_facts(self, False, True, 1, 1, True)


class Words(Language):
    """A finite set of texts: the words in `table[low:high]` without their first `depth` characters, which they
    share.
    """

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
        """The texts, sorted."""
        depth, words = self.depth, self.table.words[self.low : self.high]
        return [word[depth:] for word in words] if depth else words

    @property
    def literal(self) -> str | None:
        """The only text; None when there are several or none."""
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
    """A concatenation: texts of the head, followed by texts of the tail.

    The head is no Concat itself, and neither part is the empty text.
    """

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

    @property
    def parts(self) -> tuple[Language, Language]:
        return self.head, self.tail


class Union(Language):
    """A union: the texts of at least two parts, which are sorted by their ids."""

    kind = "union"
    __slots__ = ("parts",)
    parts: tuple[Language, ...]

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
    """An intersection: the texts that belong to all of at least two parts, which are sorted by their ids."""

    kind = "intersection"
    __slots__ = ("parts",)
    parts: tuple[Language, ...]

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
    """A complement: every text that is not in the child."""

    kind = "complement"
    __slots__ = ("child",)

    def __init__(self, child: Language) -> None:
        self.child = child
        shortest = 1 if child.nullable else 0
        _set_facts(self, not child.nullable, False, shortest, None, False, child.is_recursive, child.is_transient)

    @property
    def parts(self) -> tuple[Language]:
        return (self.child,)


class Repeat(Language):
    """A repetition: the child `low` to `high` times (high None: no bound). When the child is nullable, low is 0."""

    kind = "repeat"
    __slots__ = ("child", "high", "low")

    def __init__(self, child: Language, low: int, high: int | None) -> None:
        self.child, self.low, self.high = child, low, high
        shortest, longest = child.min_length, child.max_length
        is_dense = child.is_dense and are_multiples_gapless(shortest, longest, low, high)
        max_length = None if high is None or longest is None else longest * high
        facts = low == 0, child.is_plain, shortest * low, max_length, is_dense
        _set_facts(self, *facts, child.is_recursive, child.is_transient)

    @property
    def parts(self) -> tuple[Language]:
        return (self.child,)


class MachineLanguage(Language):
    """The texts that a `TextAutomaton` accepts."""

    kind = "machine"
    __slots__ = ("machine",)

    def __init__(self, machine: TextAutomaton) -> None:
        self.machine = machine
        is_recursive, is_transient = getattr(machine, "is_recursive", False), getattr(machine, "is_transient", False)
        _set_facts(self, machine.nullable, False, 0, None, False, is_recursive, is_transient)
        if getattr(machine, "surely_nonempty", False):
            self._is_empty = False


def sequence_of(language: Language) -> list[Language]:
    """Return the Languages whose texts follow one another in a text; only the Language if it is no Concat."""
    parts = []
    while type(language) is Concat:
        parts.append(language.head)
        language = language.tail
    parts.append(language)
    return parts


def are_multiples_gapless(shortest: int, longest: int | None, low: int, high: int | None) -> bool:
    """True if sums of k numbers from shortest..longest, for all k in low..high, leave no gap between them."""
    if low == high:
        return True
    if longest is None:
        return low >= 1 or shortest <= 1
    return low * (longest - shortest) + 1 >= shortest


def intern(key: Hashable, make: Callable[..., Language], *arguments: Any) -> Language:
    """Return the node with this key. Makes it with `make(*arguments)` when there is none.

    A key names other nodes by their ids; see `Interned`.
    """
    return known(key) or _add(key, make, arguments)


def _add(key: Hashable, make: Callable[..., Language], arguments: tuple[Any, ...]) -> Language:
    """Make and store the node of a key that had none."""
    checkpoint()
    return _nodes.add(key, make, arguments)


def ids_of(parts: tuple[Language, ...]) -> tuple[int, ...]:
    """Return the ids of some nodes, for a key."""
    return tuple([part.id for part in parts])


def word_range(table: WordTable, low: int, high: int, depth: int) -> Language:
    """Return the Language of the words in `table.words[low:high]` without their first `depth` characters.

    The words must share these characters.
    """
    if high - low == 1:
        word = table.words[low][depth:]
        return one_word(word)
    if high - low > MAX_CANONICAL_WORDS:
        return intern((table, low, high, depth), Words, table, low, high, depth)
    words = [word[depth:] for word in table.words[low:high]]
    key = frozenset(words)
    return known(key) or _add(key, Words, (WordTable(words), 0, len(words), 0))


def one_word(text: str) -> Language:
    """Return the Language of one text without surrogates."""
    return known(text) or _add(text, Words, (WordTable([text]), 0, 1, 0))


def word_set(texts: frozenset[str]) -> Language:
    """Return the Language of some texts without surrogates."""
    if len(texts) == 1:
        return one_word(*texts)
    node = known(texts)
    if node is None:
        in_order = list(texts)
        sort_inplace(in_order)
        node = _add(texts, Words, (WordTable(in_order), 0, len(in_order), 0))
    return node


def derive(node: Language) -> Transitions:
    """Compute and keep the transitions of a node, and of the nodes in `_needs`. Uses a stack instead of recursion."""
    stack = [(node, False)]
    while stack:
        top, is_ready = stack.pop()
        if top._transitions is not None:
            continue
        if is_ready:
            checkpoint()
            top._transitions = tuple(itertools.chain.from_iterable(_rule(top)))
            if not node.is_transient:  # the other parts of such a node may hold parts of a source, too
                _remember(top)
        else:
            stack.append((top, True))
            stack += [(child, False) for child in _needs(top) if child._transitions is None]
    found = node._transitions
    return _rule(node) if found is None else _in_pairs(found)  # another thread may have freed the transitions


def _in_pairs(transitions: tuple[Any, ...]) -> Transitions:
    if len(transitions) == 2:
        return (transitions,)
    parts = iter(transitions)
    return tuple(zip(parts, parts, strict=False))


def _remember(node: Language) -> None:
    """Note that a node keeps its transitions. Beyond MAX_DERIVED nodes, the oldest one forgets its transitions.

    PERF: dropping half of them at once took 10 to 20 ms, and blocked all other computing.
    """
    _derived.append(node)
    if len(_derived) > MAX_DERIVED:
        with contextlib.suppress(IndexError):  # another thread may have emptied the list
            _derived.popleft().forget_transitions()


def install(needs: Callable[[Language], tuple[Language, ...]], rule: Callable[[Language], Transitions]) -> None:
    """Set how transitions are computed.

    derivatives.py calls this function, because it needs the constructors, which need this module.
    needs: returns the nodes whose transitions `rule` reads.
    rule: returns the transitions of a node, once the needed ones are known.
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
    """True if the parts' intervals of lengths leave no gap between them."""
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
_nodes: Interned[Language] = Interned()
known = _nodes.known
"""The node with a key; None when there is none."""

NOTHING = intern(frozenset(), Words, WordTable([]), 0, 0, 0)
NOTHING._is_empty = True
NOTHING._transitions = ()
EMPTY_TEXT = word_set(frozenset([""]))
ANY_CHAR = intern(cs.ALL, Chars, cs.ALL)
ANYTHING = intern((ANY_CHAR.id, 0, None), Repeat, ANY_CHAR, 0, None)
