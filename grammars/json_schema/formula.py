"""What a schema says of one value: boolean formulas over assertions, hash-consed.

An assertion speaks of one kind of value and holds of every other kind, as JSON Schema's keywords do: `StringIn` holds
of every number. `Kinds` alone speaks of all of them. Structurally equal formulas are one object, so they compare by
identity.
What lies inside containers is a `Reference`: expanded only when a document gets there, so recursion is a cycle.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from ..forks import anew_after_fork
from ..regex.algebra import Language
from ..watch import checkpoint

Kind = Literal["null", "true", "false", "number", "string", "object", "array"]
KINDS: tuple[Kind, ...] = ("null", "true", "false", "number", "string", "object", "array")

T = TypeVar("T")

_ids = itertools.count()


class _Ref(weakref.ref["Formula"]):
    """To an interned formula. key: see `_make`."""

    __slots__ = ("key",)
    key: Any


_interned: dict[Any, _Ref] = {}
_interned_lock = anew_after_fork(threading.RLock())  # a formula may end while this thread has it


def _forget(ref: _Ref) -> None:
    """The formula is no more."""
    with _interned_lock:
        if _interned.get(ref.key) is ref:
            del _interned[ref.key]


class Formula:
    """A formula; use the constructors below. id: order of creation, for sorting.

    is_satisfiable: it is known that some value satisfies it.
    """

    __slots__ = ("__weakref__", "cache", "id")
    id: int
    cache: dict[Any, Any] | None
    is_satisfiable = False

    def __init__(self) -> None:
        self.id = next(_ids)
        self.cache = None

    def memo(self) -> dict[Any, Any]:
        """What others computed of this formula; lives as long as it does."""
        if self.cache is None:
            self.cache = {}
        return self.cache


def remembered(find: Callable[[Formula], T]) -> Callable[[Formula], T]:
    """The same function of a formula, found once for each; the answer lives as long as the formula does."""

    def known(formula: Formula) -> T:
        memo = formula.memo()
        if find not in memo:
            memo[find] = find(formula)
        found: T = memo[find]
        return found

    return known


class Constant(Formula):
    """TRUE or FALSE."""

    __slots__ = ("is_satisfiable", "value")

    def __init__(self, value: bool) -> None:
        super().__init__()
        self.value = self.is_satisfiable = value

    def __repr__(self) -> str:
        return "TRUE" if self.value else "FALSE"


TRUE: Formula = Constant(True)
FALSE: Formula = Constant(False)


class And(Formula):
    """All of `parts`."""

    __slots__ = ("is_satisfiable", "parts")
    is_satisfiable: bool
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"({' & '.join(map(repr, self.parts))})"


class Or(Formula):
    """At least one of `parts`."""

    __slots__ = ("is_satisfiable", "parts")
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"({' | '.join(map(repr, self.parts))})"


class Not(Formula):
    """The opposite of `part`."""

    __slots__ = ("part",)
    part: Formula

    def __repr__(self) -> str:
        return f"~{self.part!r}"


class ExactlyOne(Formula):
    """Exactly one of `parts` (a formula may stand there twice: then neither counts as one)."""

    __slots__ = ("parts",)
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"one{self.parts!r}"


class Reference(Formula):
    """A schema at a place, expanded when first needed. It keeps what it is made of until then.

    name: what errors and `repr` call it (a JSON pointer).
    """

    __slots__ = ("_expand", "_target", "is_satisfiable", "name")

    def __init__(self, name: str, expand: Callable[[], Formula] | None, *, is_satisfiable: bool = False) -> None:
        """expand: gives the formula that it stands for, if no subclass does."""
        self.id = next(_ids)
        self.cache = None
        self.name = name
        self.is_satisfiable = is_satisfiable
        self._expand = expand
        self._target: Formula | None = None

    @property
    def target(self) -> Formula:
        """The formula that it stands for."""
        if self._target is None:
            checkpoint()
        if self._target is None:  # at the checkpoint another thread may have found it
            self._target = self._expanded()
            self._let_go()
        return self._target

    def dismantle(self) -> None:
        """Forget what it stands for."""
        self._target = None
        self._let_go()

    def _expanded(self) -> Formula:
        """As `target`, found anew."""
        assert self._expand is not None
        return self._expand()

    def _let_go(self) -> None:
        """Forget what it is made of."""
        self._expand = None

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Atom(Formula):
    """One assertion; `kind` is the kind of value that it speaks of. Values of all other kinds satisfy it."""

    __slots__ = ()
    kind: Kind
    is_satisfiable = True


class Kinds(Formula):
    """The value's kind is one of `kinds`. ("integer" is `Kinds({"number"})` and `NumberIn(integers)`.)"""

    __slots__ = ("kinds",)
    kinds: frozenset[Kind]
    is_satisfiable = True

    def __repr__(self) -> str:
        return f"Kinds({','.join(sorted(self.kinds))})"


class StringIn(Atom):
    """A string is in `language`, a language of decoded strings."""

    __slots__ = ("language",)
    kind = "string"
    language: Language


class NumberIn(Atom):
    """A number's text is in `language`, exact over PLAIN numbers and, unless `plain_only`, over CANONICAL ones.

    of_texts: it speaks of texts, not of what they stand for, and so is exact over all.
    """

    __slots__ = ("language", "of_texts", "plain_only")
    kind = "number"
    language: Language
    plain_only: bool
    of_texts: bool


class Each(Atom):
    """Every member's value satisfies the formulas of its key: that in `properties`, those of all `patterns` that the
    key is in (language of keys, formula), or `additional` where there is neither."""

    __slots__ = ("additional", "patterns", "properties")
    kind = "object"
    properties: Mapping[str, Formula]
    patterns: tuple[tuple[Language, Formula], ...]
    additional: Formula


class Has(Atom):
    """The object has the key."""

    __slots__ = ("key",)
    kind = "object"
    key: str

    def __repr__(self) -> str:
        return f"Has({self.key!r})"


class MemberCount(Atom):
    """The object has at least `low` and at most `high` members (None: no bound)."""

    __slots__ = ("high", "low")
    kind = "object"
    low: int
    high: int | None


class NamesIn(Atom):
    """Every key is in `language`."""

    __slots__ = ("language",)
    kind = "object"
    language: Language


class Items(Atom):
    """The i-th item satisfies `prefix[offset + i]`, items past the prefix satisfy `rest`."""

    __slots__ = ("offset", "prefix", "rest")
    kind = "array"
    prefix: tuple[Formula, ...]
    rest: Formula
    offset: int


class ItemCount(Atom):
    """The array has at least `low` and at most `high` items (None: no bound)."""

    __slots__ = ("high", "low")
    kind = "array"
    low: int
    high: int | None


class Contains(Atom):
    """At least `low` and at most `high` items (None: no bound) satisfy `item`."""

    __slots__ = ("high", "item", "low")
    kind = "array"
    item: Formula
    low: int
    high: int | None


class UniqueItems(Atom):
    """No two items are equal."""

    __slots__ = ()
    kind = "array"


class Outcome(Atom):
    """The next member or item satisfies `value`; stands in what is left of its container until that is known."""

    __slots__ = ("value",)
    kind = "object"
    value: Formula


def _make(cls: type[Formula], *identity: Any, **fields: Any) -> Formula:
    """The formula of that identity, which names other formulas by their ids.

    If it held them, those of a recursive schema would never be freed: the table keeps the keys, and these its values.
    So the identity is of texts and numbers, which the garbage collector need not look at.
    PERF: a `WeakValueDictionary` would take 2 us more for each formula.
    """
    key = (cls.__name__, *identity)
    known = _interned.get(key)
    found = None if known is None else known()
    if found is not None:
        return found
    made = cls.__new__(cls)
    made.id, made.cache = next(_ids), None
    for name, value in fields.items():
        setattr(made, name, value)
    ref = _Ref(made, _forget)
    ref.key = key
    with _interned_lock:
        known = _interned.get(key)
        found = None if known is None else known()
        if found is None:
            _interned[key] = ref
    return made if found is None else found


def ids_of(parts: Iterable[Formula]) -> tuple[int, ...]:
    """The ids of some formulas: numbers, which the garbage collector need not look at."""
    return tuple([part.id for part in parts])


def kinds(allowed: Iterable[Kind]) -> Formula:
    """The value's kind is one of these."""
    chosen = frozenset(allowed)
    if not chosen:
        return FALSE
    return TRUE if len(chosen) == len(KINDS) else _make(Kinds, *sorted(chosen), kinds=chosen)


def string_in(language: Language) -> Formula:
    """See `StringIn`."""
    return _make(StringIn, language.id, language=language)


def number_in(language: Language, plain_only: bool = False, *, of_texts: bool = False) -> Formula:
    """See `NumberIn`."""
    return _make(
        NumberIn, language.id, plain_only, of_texts, language=language, plain_only=plain_only, of_texts=of_texts
    )


def each(
    properties: Mapping[str, Formula], patterns: Iterable[tuple[Language, Formula]] = (), additional: Formula = TRUE
) -> Formula:
    """See `Each`. The order of `properties` is the order in which a document gives them."""
    patterns = tuple(patterns)
    named = [formula.id for formula in properties.values()]
    matched = [number for language, formula in patterns for number in (language.id, formula.id)]
    return _make(
        Each,
        *properties,
        *named,
        *matched,
        additional.id,
        properties=properties,
        patterns=patterns,
        additional=additional,
    )


def has(key: str) -> Formula:
    """See `Has`."""
    return _make(Has, key, key=key)


def member_count(low: int, high: int | None) -> Formula:
    """See `MemberCount`. TRUE or FALSE where it is so for every number of members."""
    return _count(MemberCount, low, high)


def names_in(language: Language) -> Formula:
    """See `NamesIn`."""
    return _make(NamesIn, language.id, language=language)


def items(prefix: tuple[Formula, ...], rest: Formula, offset: int = 0) -> Formula:
    """See `Items`. TRUE where nothing is asked."""
    if offset >= len(prefix):
        prefix, offset = (), 0
    if not prefix and rest is TRUE:
        return TRUE
    return _make(Items, *ids_of(prefix), rest.id, offset, prefix=prefix, rest=rest, offset=offset)


def item_count(low: int, high: int | None) -> Formula:
    """See `ItemCount`. TRUE or FALSE where it is so for every number of items."""
    return _count(ItemCount, low, high)


def contains(item: Formula, low: int, high: int | None) -> Formula:
    """See `Contains`. TRUE or FALSE where it is so for every number of matches."""
    return _count(Contains, low, high, item=item)


UNIQUE_ITEMS: Formula = _make(UniqueItems)


def outcome(value: Formula) -> Formula:
    """See `Outcome`."""
    return value if value is TRUE or value is FALSE else _make(Outcome, value.id, value=value)


def _count(cls: type[Formula], low: int, high: int | None, **of: Formula) -> Formula:
    """The count of members, of items or of those that match (`of`)."""
    low = max(low, 0)
    if high is not None and high < low:
        return FALSE
    if low == 0 and high is None:
        return TRUE
    return _make(cls, low, high, *ids_of(of.values()), low=low, high=high, **of)


def negate(part: Formula) -> Formula:
    """The opposite."""
    if part is TRUE:
        return FALSE
    if part is FALSE:
        return TRUE
    if isinstance(part, Not):
        return part.part
    if isinstance(part, Kinds):
        return kinds(set(KINDS) - part.kinds)
    return _make(Not, part.id, part=part)


def all_of(parts: Iterable[Formula]) -> Formula:
    """All of them; flat, each once, in the order given."""
    return _joined(And, parts, TRUE, FALSE)


def any_of(parts: Iterable[Formula]) -> Formula:
    """At least one of them; flat, each once, in the order given."""
    return _joined(Or, parts, FALSE, TRUE)


def _joined(cls: type[And | Or], parts: Iterable[Formula], neutral: Formula, decisive: Formula) -> Formula:
    """neutral: changes nothing beside others. decisive: the whole is that as soon as one part is."""
    if type(parts) is list and len(parts) <= 1:
        return parts[0] if parts else neutral
    checkpoint()
    flat: dict[Formula, None] = {}
    for part in parts:
        for one in part.parts if isinstance(part, cls) else (part,):
            if one is decisive:
                return decisive
            if one is not neutral:
                flat[one] = None
    for one in flat:
        if isinstance(one, Not) and one.part in flat:
            return decisive
    chosen = tuple(flat)
    if len(chosen) <= 1:
        return chosen[0] if chosen else neutral
    return _make(cls, *ids_of(chosen), parts=chosen, is_satisfiable=False)


def exactly_one(parts: Iterable[Formula]) -> Formula:
    """Exactly one of them."""
    checkpoint()
    undecided = [part for part in parts if part is not FALSE]
    num_true = sum(part is TRUE for part in undecided)
    if num_true > 1:
        return FALSE
    if num_true == 1:
        return all_of(negate(part) for part in undecided if part is not TRUE)
    if len(undecided) <= 1:
        return undecided[0] if undecided else FALSE
    chosen = tuple(sorted(undecided, key=lambda part: part.id))
    return _make(ExactlyOne, *ids_of(chosen), parts=chosen)
