"""Boolean formulas over assertions about one value: the internal form of a schema.

An assertion constrains one kind of value and holds for every other kind, as JSON Schema's keywords do: `StringIn` holds
for every number. Only `Kinds` constrains all kinds. Structurally equal formulas are one object (hash-consing), so they
compare by identity.
The schemas inside containers are `Reference`s, which are expanded only when a document reaches them. A recursive schema
is therefore a cycle of references.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from ..interning import Interned
from ..regex.algebra import Language
from ..watch import checkpoint

JsonKind = Literal["null", "true", "false", "number", "string", "object", "array"]
KINDS: tuple[JsonKind, ...] = ("null", "true", "false", "number", "string", "object", "array")

T = TypeVar("T")

_ids = itertools.count()


_interned: Interned[Formula] = Interned()


class Formula:
    """Base class of formulas. Create formulas with the functions below.

    id: number of the formula in the order of creation.
    cache: results of `memo`; None if there are none.
    is_satisfiable: True if some value is known to satisfy the formula; False: not known.
    """

    __slots__ = ("__weakref__", "cache", "id")
    id: int
    cache: dict[Any, Any] | None
    is_satisfiable = False

    def __init__(self) -> None:
        self.id = next(_ids)
        self.cache = None

    def memo(self) -> dict[Any, Any]:
        """A dict for other modules' results about this formula. The dict lives as long as the formula."""
        if self.cache is None:
            self.cache = {}
        return self.cache


def remembered(find: Callable[[Formula], T]) -> Callable[[Formula], T]:
    """Decorator: caches the result of a function of a formula in the formula's `memo`."""

    def known(formula: Formula) -> T:
        memo = formula.memo()
        if find not in memo:
            memo[find] = find(formula)
        found: T = memo[find]
        return found

    return known


class Constant(Formula):
    """The class of TRUE and FALSE."""

    __slots__ = ("is_satisfiable", "value")

    def __init__(self, value: bool) -> None:
        super().__init__()
        self.value = self.is_satisfiable = value

    def __repr__(self) -> str:
        return "TRUE" if self.value else "FALSE"


TRUE: Formula = Constant(True)
FALSE: Formula = Constant(False)


class And(Formula):
    """Holds if all `parts` hold."""

    __slots__ = ("is_satisfiable", "parts")
    is_satisfiable: bool
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"({' & '.join(map(repr, self.parts))})"


class Or(Formula):
    """Holds if at least one of `parts` holds."""

    __slots__ = ("is_satisfiable", "parts")
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"({' | '.join(map(repr, self.parts))})"


class Not(Formula):
    """Holds if `part` does not hold."""

    __slots__ = ("part",)
    part: Formula

    def __repr__(self) -> str:
        return f"~{self.part!r}"


class ExactlyOne(Formula):
    """Holds if exactly one of `parts` holds. A formula that occurs twice and holds counts as two."""

    __slots__ = ("parts",)
    parts: tuple[Formula, ...]

    def __repr__(self) -> str:
        return f"one{self.parts!r}"


class Reference(Formula):
    """The formula of a schema at a place, which is built when it is first needed.

    name: JSON pointer to the schema, for errors and `repr`.
    is_satisfiable: True if some value is known to satisfy the schema.
    """

    __slots__ = ("_expand", "_target", "is_satisfiable", "name")

    def __init__(self, name: str, expand: Callable[[], Formula] | None, *, is_satisfiable: bool = False) -> None:
        """expand: function that builds the formula; None if a subclass overrides `_expanded`."""
        self.id = next(_ids)
        self.cache = None
        self.name = name
        self.is_satisfiable = is_satisfiable
        self._expand = expand
        self._target: Formula | None = None

    @property
    def target(self) -> Formula:
        """The formula that the reference stands for, built at the first call."""
        target = self._target
        if target is None:
            checkpoint()
            target = self._expanded()
            if target is None:
                target = self._target
                assert target is not None, "dismantled"
            else:
                self._target = target
                self._let_go()
        return target

    def dismantle(self) -> None:
        """Drop the formula and everything that only `_expanded` needs. `target` can't be used afterwards."""
        self._target = None
        self._let_go()

    def _expanded(self) -> Formula | None:
        """Build the formula for `target`; None if another thread has just built it and called `_let_go`."""
        expand = self._expand
        return None if expand is None else expand()

    def _let_go(self) -> None:
        """Drop everything that only `_expanded` needs."""
        self._expand = None

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Atom(Formula):
    """An assertion. kind: the kind of value that it constrains; values of all other kinds satisfy it."""

    __slots__ = ()
    kind: JsonKind
    is_satisfiable = True


class Kinds(Formula):
    """The value's kind is one of `kinds`. The type "integer" is `Kinds({"number"})` and `NumberIn(integers)`."""

    __slots__ = ("kinds",)
    kinds: frozenset[JsonKind]
    is_satisfiable = True

    def __repr__(self) -> str:
        return f"Kinds({','.join(sorted(self.kinds))})"


class StringIn(Atom):
    """Strings must be in `language`, a language of decoded strings."""

    __slots__ = ("language",)
    kind = "string"
    language: Language


class NumberIn(Atom):
    """The texts of numbers must be in `language`.

    plain_only: True: `language` is exact only over PLAIN texts (see numbers.py); False: also over CANONICAL ones.
    of_texts: True: the assertion is about texts, not about values, so it is exact over all texts.
    """

    __slots__ = ("language", "of_texts", "plain_only")
    kind = "number"
    language: Language
    plain_only: bool
    of_texts: bool


class Each(Atom):
    """The value of each member satisfies the formulas of its key.

    properties: key -> formula.
    patterns: (language of keys, formula) pairs; all that match the key apply.
    additional: formula for keys without a property and a matching pattern.
    gives_order: True if documents have the keys in the order of `properties`.
    """

    __slots__ = ("additional", "gives_order", "patterns", "properties")
    kind = "object"
    properties: Mapping[str, Formula]
    patterns: tuple[tuple[Language, Formula], ...]
    additional: Formula
    gives_order: bool


class Has(Atom):
    """The object has the key."""

    __slots__ = ("key",)
    kind = "object"
    key: str

    def __repr__(self) -> str:
        return f"Has({self.key!r})"


class NamesIn(Atom):
    """Every key is in `language`."""

    __slots__ = ("language",)
    kind = "object"
    language: Language


class Items(Atom):
    """The i-th item, from 0, satisfies `prefix[offset + i]`. Items after the prefix satisfy `rest`."""

    __slots__ = ("offset", "prefix", "rest")
    kind = "array"
    prefix: tuple[Formula, ...]
    rest: Formula
    offset: int


class PartCount(Atom):
    """At least `low` and at most `high` members or items (None: no bound) satisfy `value`.

    kind: "object" or "array". For objects, `value` is TRUE, and `low` is 0 or `high` is None.
    """

    __slots__ = ("high", "kind", "low", "value")
    kind: Literal["object", "array"]
    value: Formula
    low: int
    high: int | None

    def without_one(self) -> Formula:
        """The count of the rest, after one more member or item that satisfies `value`."""
        return FALSE if self.high == 0 else _count(self.kind, self.value, self.low - 1, fewer(self.high))


class UniqueItems(Atom):
    """No two items are equal."""

    __slots__ = ()
    kind = "array"


class Outcome(Atom):
    """The next member or item satisfies `value`. Stands in residuals of the container while this is not known.

    Has no `kind`: the kind is the container's.
    """

    __slots__ = ("value",)
    value: Formula


def _make(cls: type[Formula], *identity: Any, **fields: Any) -> Formula:
    """The formula with an identity; created if it does not exist.

    cls: class of the formula.
    identity: key of the formula beside the class, made of texts and numbers. Names other formulas by their ids.
    fields: attributes of a new formula.
    """
    key = (cls.__name__, *identity)
    return _interned.known(key) or _interned.add(key, _create, (cls, fields))


def _create(cls: type[Formula], fields: dict[str, Any]) -> Formula:
    """A new formula of a class with these attributes."""
    made = cls.__new__(cls)
    made.id, made.cache = next(_ids), None
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def ids_of(parts: Iterable[Formula]) -> tuple[int, ...]:
    """The ids of some formulas: a key that the garbage collector can skip."""
    return tuple([part.id for part in parts])


def kinds(allowed: Iterable[JsonKind]) -> Formula:
    """The formula that the value's kind is one of these. FALSE for none, TRUE for all."""
    chosen = frozenset(allowed)
    if not chosen:
        return FALSE
    return TRUE if len(chosen) == len(KINDS) else _make(Kinds, *sorted(chosen), kinds=chosen)


def string_in(language: Language) -> Formula:
    """The interned `StringIn` of a language."""
    return _make(StringIn, language.id, language=language)


def number_in(language: Language, plain_only: bool = False, *, of_texts: bool = False) -> Formula:
    """The interned `NumberIn` with these fields."""
    return _make(
        NumberIn, language.id, plain_only, of_texts, language=language, plain_only=plain_only, of_texts=of_texts
    )


def each(
    properties: Mapping[str, Formula],
    patterns: Iterable[tuple[Language, Formula]] = (),
    additional: Formula = TRUE,
    *,
    gives_order: bool = True,
) -> Formula:
    """The interned `Each` with these fields."""
    patterns = tuple(patterns)
    named = [formula.id for formula in properties.values()]
    matched = [number for language, formula in patterns for number in (language.id, formula.id)]
    return _make(
        Each,
        *properties,
        *named,
        *matched,
        additional.id,
        gives_order,
        properties=properties,
        patterns=patterns,
        additional=additional,
        gives_order=gives_order,
    )


def has(key: str) -> Formula:
    """The interned `Has` of a key."""
    return _make(Has, key, key=key)


def member_count(low: int, high: int | None) -> Formula:
    """The formula that an object has at least `low` and at most `high` members (None: no bound)."""
    if high is not None and high < low:
        return FALSE
    return all_of([_count("object", TRUE, low, None), _count("object", TRUE, 0, high)])


def names_in(language: Language) -> Formula:
    """The interned `NamesIn` of a language."""
    return _make(NamesIn, language.id, language=language)


def items(prefix: tuple[Formula, ...], rest: Formula, offset: int = 0) -> Formula:
    """The interned `Items`; TRUE if it constrains no further item. offset: number of prefix items already read."""
    if offset >= len(prefix):
        prefix, offset = (), 0
    if not prefix and rest is TRUE:
        return TRUE
    return _make(Items, *ids_of(prefix), rest.id, offset, prefix=prefix, rest=rest, offset=offset)


def item_count(low: int, high: int | None) -> Formula:
    """The formula that an array has at least `low` and at most `high` items (None: no bound)."""
    return contains(TRUE, low, high)


def contains(item: Formula, low: int, high: int | None) -> Formula:
    """The formula that at least `low` and at most `high` items (None: no bound) satisfy `item`."""
    return _count("array", item, low, high)


UNIQUE_ITEMS: Formula = _make(UniqueItems)


def outcome(value: Formula) -> Formula:
    """The interned `Outcome` of a formula; the formula itself if it is TRUE or FALSE."""
    return value if value is TRUE or value is FALSE else _make(Outcome, value.id, value=value)


def fewer(high: int | None, number: int = 1) -> int | None:
    """An upper bound on a number of members or items, after some of them. high: the bound before; None: no bound."""
    return None if high is None else high - number


def lower(high: int | None, other: int | None) -> int | None:
    """The lower one of two upper bounds. None: no bound."""
    return other if high is None else high if other is None else min(high, other)


def _count(kind: JsonKind, value: Formula, low: int, high: int | None) -> Formula:
    """The interned `PartCount` with these fields; TRUE or FALSE if every number of members or items gives that."""
    low = max(low, 0)
    if high is not None and high < low:
        return FALSE
    if low == 0 and high is None:
        return TRUE
    return _make(PartCount, kind, value.id, low, high, kind=kind, value=value, low=low, high=high)


def negate(part: Formula) -> Formula:
    """The formula that holds exactly if `part` does not."""
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
    """The formula that all parts hold. Nested `And`s are flattened, and each part is kept once, in the given order."""
    return _joined(And, parts, TRUE, FALSE)


def any_of(parts: Iterable[Formula]) -> Formula:
    """The formula that some part holds. Nested `Or`s are flattened, and each part is kept once, in the given order."""
    return _joined(Or, parts, FALSE, TRUE)


def _joined(cls: type[And | Or], parts: Iterable[Formula], neutral: Formula, decisive: Formula) -> Formula:
    """An `And` or `Or` of parts.

    neutral: the constant that changes nothing as a part.
    decisive: the constant that the whole becomes if one part is it.
    """
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
    """The formula that exactly one of the parts holds."""
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
