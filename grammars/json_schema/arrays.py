"""Frames inside an array: what the next item must satisfy, whether the array may end.

As in an object, what surely holds (item formulas, the number of items) is apart from `rest`, the residual of
alternatives and of `contains`. The residuals are the state: there is no index.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ..automaton.frames import ValueSpec
from ..errors import LimitExceededError
from ..regex import algebra as lang
from ..regex import ecma
from ..watch import checkpoint
from .document import MAX_TRACKED_EXACTLY, ValueGoal, Vector, condition, outcomes
from .formula import (
    FALSE,
    TRUE,
    UNIQUE_ITEMS,
    Contains,
    Formula,
    ItemCount,
    Items,
    all_of,
    contains,
    ids_of,
    item_count,
    items,
    negate,
)
from .residual import atoms, conjuncts, holds_at_close, may_hold, rewrite
from .satisfiable import possible_kinds
from .specialise import specialise, string_language

if TYPE_CHECKING:
    from ..automaton.frames import Frame
    from .document import Document

NOTHING_USED: frozenset[bytes] = frozenset()
_MANY_LISTED = 256  # different objects and arrays; an array of more unique ones is taken to be possible


def open_array(document: Document, formula: Formula, tracked: tuple[Formula, ...]) -> ArrayFrame:
    """The frame at `[`. Both are specialised to arrays."""
    return make_frame(document, (), 0, None, formula, tracked, False, NOTHING_USED)


def make_frame(
    document: Document,
    surely: tuple[Items, ...],
    low: int,
    high: int | None,
    formula: Formula,
    tracked: tuple[Formula, ...],
    is_unique: bool,
    used: frozenset[bytes],
) -> ArrayFrame:
    """The interned frame of these parts, with what surely must hold moved out of `formula`."""
    rest = []
    for part in conjuncts(formula):
        if isinstance(part, Items):
            surely = (*surely, part) if part not in surely else surely
        elif isinstance(part, ItemCount):
            low = max(low, part.low)
            high = part.high if high is None else high if part.high is None else min(high, part.high)
        elif part is UNIQUE_ITEMS:
            is_unique = True
        else:
            rest.append(part)
    left = all_of(rest)
    key = ("array", ids_of(surely), low, high, left.id, ids_of(tracked), is_unique, tuple(sorted(used)))
    found: ArrayFrame | None = document.frames.get(key)
    if found is None:
        found = document.frames[key] = ArrayFrame(document, surely, low, high, left, tracked, is_unique, used)
    return found


class ArrayFrame:
    """An array being written: an item or `]` comes next (`Frame` of the machine).

    surely: item formulas that every further item must keep. low, high: bounds on the number of further items.
    rest, tracked: residual formulas over the array. used: texts of its items as written, where repetition matters.
    number: one of its own among the frames of the document.
    """

    __slots__ = (
        *("_is_live", "_known", "_spec", "document", "high", "is_unique", "low", "number", "rest", "surely"),
        *("tracked", "used"),
    )
    kind: Literal["array"] = "array"

    def __init__(
        self,
        document: Document,
        surely: tuple[Items, ...],
        low: int,
        high: int | None,
        rest: Formula,
        tracked: tuple[Formula, ...],
        is_unique: bool,
        used: frozenset[bytes],
    ) -> None:
        self.document = document
        self.number = document.new_number()
        self.surely = surely
        self.low = low
        self.high = high
        self.rest = rest
        self.tracked = tracked
        self.is_unique = is_unique
        self.used = used
        self._is_live: bool | None = None
        self._spec: ValueSpec | Literal[False] | None = False
        self._known: dict[Formula, Formula] | None = None

    # --- what the machine asks

    def key_spec(self) -> None:
        """No key comes here."""

    @property
    def close_class(self) -> int | None:
        """The outcome of the tracked formulas when the array ends here; None when it can't."""
        if self.low > 0 or not holds_at_close(self.rest):
            return None
        return self.document.vector_id(tuple(holds_at_close(one) for one in self.tracked))

    def value_spec(self) -> ValueSpec | None:
        """The next item; None when there can be none."""
        if self._spec is False:
            self._spec = self._make_spec()
        return self._spec

    def on_return(self, cls: int) -> ArrayFrame | None:
        """The array after an item."""
        return self.document.followed(self.number, cls, self._after)

    def _after(self, cls: int) -> ArrayFrame | None:
        following = self.after_item(self.document.vectors[cls])
        return following if following.is_live else None

    def on_capture(self, cls: int, text: bytes) -> ArrayFrame | None:
        """The array after an item with that text, which counts as used from now on."""
        vector = self.document.vectors[cls]
        if text in self.used or _canonical(text) in map(_canonical, self.used):
            if self.is_unique:
                return None
            following = self.after_item(vector, repeats=True)
        else:
            following = self.after_item(vector)._using(text)
        return following if following.is_live else None

    # --- items

    def item_formula(self) -> Formula:
        """What the next item surely must satisfy."""
        return all_of([_item(one) for one in self.surely])

    def known(self) -> dict[Formula, Formula]:
        """For each undecided assertion about items, what it asks of the next one."""
        if self._known is None:
            surely = set(conjuncts(self.item_formula()))
            self._known = {}
            for formula in (self.rest, *self.tracked):
                for atom in atoms(formula):
                    if isinstance(atom, Items | Contains):
                        child = _item(atom) if isinstance(atom, Items) else atom.item
                        self._known[atom] = TRUE if all(part in surely for part in conjuncts(child)) else child
        return self._known

    @property
    def asked(self) -> tuple[Formula, ...]:
        """The formulas whose truth for the next item must be known."""
        return tuple(dict.fromkeys(one for one in self.known().values() if one is not TRUE and one is not FALSE))

    def goal(self) -> ValueGoal:
        """What the next item must satisfy so that the array can still be completed, and what it returns."""
        value, asked = self.item_formula(), self.asked
        if not asked:
            return self.document.goal(value if self.after_item(()).is_live else FALSE)
        if len(asked) > MAX_TRACKED_EXACTLY:
            known = self.known()
            needed = may_hold(self.rest, lambda atom: known.get(atom, atom) if isinstance(atom, Items) else atom)
            return self.document.goal(all_of((value, needed)), asked)
        live = [vector for vector in outcomes(len(asked)) if self.after_item(vector).is_live]
        if len(live) == 2 ** len(asked):
            return self.document.goal(value, asked)
        return self.document.goal(all_of((value, condition(asked, live))), asked)

    def after_item(self, vector: Vector, *, repeats: bool = False) -> ArrayFrame:
        """The array after an item with this outcome. repeats: it is equal to an earlier one."""
        high = None if self.high is None else self.high - 1
        known = self.known()
        truth = dict(zip(self.asked, vector, strict=True))

        def decide(atom: Formula) -> Formula:
            if isinstance(atom, ItemCount):
                return item_count(atom.low - 1, None if atom.high is None else atom.high - 1)
            if atom is UNIQUE_ITEMS:
                return FALSE if repeats else atom
            child = known[atom]
            is_true = child is TRUE or truth.get(child, False)
            if isinstance(atom, Items):
                return items(atom.prefix, atom.rest, atom.offset + 1) if is_true else FALSE
            assert isinstance(atom, Contains)
            return _after_match(atom) if is_true else atom

        surely = [items(one.prefix, one.rest, one.offset + 1) for one in self.surely]
        return make_frame(
            self.document,
            (),
            max(self.low - 1, 0),
            high,
            all_of([*surely, rewrite(self.rest, decide)]) if high is None or high >= 0 else FALSE,
            tuple(rewrite(one, decide) for one in self.tracked),
            self.is_unique,
            self.used,
        )

    @property
    def captures(self) -> bool:
        """Whether the texts of items matter."""
        return self.is_unique or any(UNIQUE_ITEMS in atoms(one) for one in (self.rest, *self.tracked))

    def _using(self, text: bytes) -> ArrayFrame:
        return make_frame(
            self.document,
            self.surely,
            self.low,
            self.high,
            self.rest,
            self.tracked,
            self.is_unique,
            self.used | {text},
        )

    def _make_spec(self) -> ValueSpec | None:
        if self.high == 0:
            return None
        goal = self.goal()
        if not self.document.is_satisfiable(goal.formula):
            return None
        spec = goal.spec()
        if goal.tracked or self.captures:
            spec = self._narrowed(spec)
        is_possible = spec.strings or spec.numbers or spec.object or spec.array
        literals = (spec.true, spec.false, spec.null)
        return spec if is_possible or any(one is not None for one in literals) else None

    def _narrowed(self, spec: ValueSpec) -> ValueSpec:
        """The spec without what can't follow, and in unique arrays without what is used."""
        excluded = self.used if self.is_unique else NOTHING_USED
        strings, numerals = _strings(excluded), _numerals(excluded)

        def kept(cls: int | None, text: bytes) -> int | None:
            if cls is None or text in excluded:
                return None
            return cls if self.on_return(cls) is not None or self._may_only_repeat(cls, text in self.used) else None

        numbers_left = [
            (lang.intersect(language, one_spelling()) if self.captures else language, cls)
            for language, cls in spec.numbers
        ]
        return ValueSpec(
            strings=tuple(self._left(list(spec.strings), strings, _strings(self.used))),
            numbers=tuple(self._left(numbers_left, numerals, _numerals(self.used))),
            true=kept(spec.true, b"true"),
            false=kept(spec.false, b"false"),
            null=kept(spec.null, b"null"),
            object=_unless_used(spec.object, excluded),
            array=_unless_used(spec.array, excluded),
            captures=self.captures,
            excluded_strings=strings,
            excluded_numbers=numerals,
            excluded_containers=frozenset(text for text in excluded if text[:1] in b"[{"),
        )

    def _left(
        self, languages: list[tuple[lang.Language, int]], excluded: frozenset[str], used: frozenset[str]
    ) -> list[tuple[lang.Language, int]]:
        """The languages of what can follow: of anything new, or where only a repetition helps, of what is used."""
        from .keys import has_word

        left = []
        for language, cls in languages:
            if self.on_return(cls) is None and self._may_only_repeat(cls, bool(used)):
                language = lang.intersect(language, lang.words(used))
            elif self.on_return(cls) is None:
                continue
            if has_word(language, excluded):
                left.append((language, cls))
        return left

    def _may_only_repeat(self, cls: int, is_used: bool) -> bool:
        """Whether the array can be completed after an item that was there before (and, asked then, only so)."""
        if not is_used or not self.captures or self.is_unique:
            return False
        return self.after_item(self.document.vectors[cls], repeats=True).is_live

    # --- can it end

    @property
    def is_live(self) -> bool:
        """Whether the array can be completed."""
        if self._is_live is None:
            found = self._search()
            if not found and not self.document.is_final:
                return False
            self._is_live = found
        return self._is_live

    def _search(self) -> bool:
        if self.rest is FALSE or (self.high is not None and self.high < self.low):
            return False
        if self.low == 0 and holds_at_close(self.rest):
            return True
        if self.rest is TRUE:
            return self._has_room()
        return _reaches_end(self)

    def _has_room(self) -> bool:
        """Whether `low` more items are possible; nothing but item formulas and counts matters."""
        longest = max((len(one.prefix) - one.offset for one in self.surely), default=0)
        for place in range(min(longest, self.low)):
            formula = all_of([_item(items(one.prefix, one.rest, one.offset + place)) for one in self.surely])
            if not self.document.is_satisfiable(formula):
                return False
        if self.low <= longest:
            return True
        rest = all_of([one.rest for one in self.surely])
        if not self.document.is_satisfiable(rest):
            return False
        return not self.is_unique or longest > 0 or num_values(self.document, rest, self.used, self.low) >= self.low


def _strings(texts: frozenset[bytes]) -> frozenset[str]:
    return frozenset(json.loads(text) for text in texts if text[:1] == b'"')


def _numerals(texts: frozenset[bytes]) -> frozenset[str]:
    return frozenset(text.decode() for text in texts if text[:1] in b"-0123456789")


def _item(atom: Formula) -> Formula:
    """What `Items` asks of the next item."""
    if not isinstance(atom, Items):
        return TRUE
    return atom.prefix[atom.offset] if atom.offset < len(atom.prefix) else atom.rest


def _after_match(atom: Contains) -> Formula:
    if atom.high == 0:
        return FALSE
    return contains(atom.item, atom.low - 1, None if atom.high is None else atom.high - 1)


def _reaches_end(frame: ArrayFrame) -> bool:
    """Whether some items lead to a place where the array may end: depth first over the outcomes of each item."""
    seen: set[ArrayFrame] = set()
    places: list[Iterator[ArrayFrame]] = [iter((frame,))]
    while places:
        place = next(places[-1], None)
        if place is None:
            places.pop()
            continue
        if place in seen or place.rest is FALSE or (place.high is not None and place.high < place.low):
            continue
        seen.add(place)
        if place.close_class is not None or (place.rest is TRUE and place is not frame and place.is_live):
            return True
        if place.high != 0:
            may_repeat = bool(frame.used) or frame.high is None or frame.high > 1
            places.append(_following(place, may_repeat))
        if len(seen) > frame.document.max_plans:
            raise LimitExceededError("max_plans", frame.document.max_plans, "places", "alternatives of one array")
    return False


def _following(place: ArrayFrame, may_repeat: bool) -> Iterator[ArrayFrame]:
    """The frames after one more item, those of the most matches first."""
    for vector in _possible_outcomes(place.document, place.item_formula(), place.asked):
        if may_repeat and place.captures and not place.is_unique:
            yield place.after_item(vector, repeats=True)
        yield place.after_item(vector)


def _possible_outcomes(document: Document, value: Formula, asked: tuple[Formula, ...]) -> Iterator[Vector]:
    """The outcomes of `asked` that some value has which satisfies `value`; there may be very many of them."""
    pending: list[tuple[Formula, Vector]] = [(value, ())]
    while pending:
        checkpoint()
        formula, vector = pending.pop()
        if not document.is_satisfiable(formula):
            continue
        if len(vector) == len(asked):
            yield vector
            continue
        one = asked[len(vector)]
        both = all_of((formula, one))
        if document.is_satisfiable(both):
            pending += [(all_of((formula, negate(one))), (*vector, False)), (both, (*vector, True))]
        elif _is_of_scalars(both):  # then whatever satisfies `formula` satisfies `not one`, and need not be asked
            pending.append((formula, (*vector, False)))
        else:  # in a recursive schema that may not be the last word on it
            pending.append((all_of((formula, negate(one))), (*vector, False)))


def _is_of_scalars(formula: Formula) -> bool:
    """True when it is plain that no object and no array satisfies the formula."""
    containers = [kind for kind in possible_kinds(formula) if kind in ("object", "array")]
    return all(specialise(formula, kind) is FALSE for kind in containers)


def num_values(document: Document, formula: Formula, used: frozenset[bytes], cap: int) -> int:
    """How many values satisfy the formula and are not used, counted up to `cap`; many containers count as `cap`."""
    count = 0
    for kind in possible_kinds(formula):
        special = specialise(formula, kind)
        if special is FALSE or count >= cap:
            continue
        if kind == "string":
            count += lang.count_words(lang.difference(string_language(special), lang.words(_strings(used))), cap)
        elif kind == "number":
            language = lang.intersect(document.numbers(special), one_spelling())
            count += lang.count_words(lang.difference(language, lang.words(_numerals(used))), cap)
        elif kind in ("object", "array"):
            count += _num_containers(document, all_of((formula, _only(kind))), used, cap)
        elif special is TRUE:
            count += kind.encode() not in used
    return min(count, cap)


@cache
def one_spelling() -> lang.Language:
    """One text for each number: no exponent, no zeros at the end of a fraction, no -0."""
    return ecma.full("-?(0|[1-9][0-9]*)\\.[0-9]*[1-9]|-?[1-9][0-9]*|0")


def _only(kind: Any) -> Formula:
    from .formula import kinds

    return kinds({kind})


def _unless_used(frame: Frame | None, used: frozenset[bytes]) -> Frame | None:
    """The frame of a container just opened; None when every text that it can get is used."""
    if frame is None or not any(text[:1] in b"[{" for text in used):
        return frame
    from .listing import ManyValuesError, containers_of

    spec = ValueSpec(object=frame) if frame.kind == "object" else ValueSpec(array=frame)
    try:
        texts = containers_of(spec, len(used))
    except ManyValuesError:
        return frame
    return None if {_canonical(text) for text in texts} <= {_canonical(text) for text in used} else frame


def _num_containers(document: Document, formula: Formula, used: frozenset[bytes], cap: int) -> int:
    """How many arrays or objects satisfy the formula and are not used; `cap` when they are too many to list."""
    from .document import Document
    from .listing import ManyValuesError, containers_of

    if not document.is_satisfiable(formula):
        return 0
    if document.is_counting or cap > _MANY_LISTED:
        return cap
    apart = Document(
        formula,
        any_order=document.any_order,
        max_plans=document.max_plans,
        is_canonical=document.is_canonical,
        is_counting=True,
    )
    try:
        texts = containers_of(apart.goal(formula).spec(), cap + len(used))
    except ManyValuesError:
        return cap
    return len({_canonical(text) for text in texts} - {_canonical(text) for text in used})


@lru_cache(maxsize=4096)
def _canonical(text: bytes) -> bytes:
    """The same text for equal values: keys sorted, numbers that are equal written alike."""
    return json.dumps(_plain(json.loads(text)), sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value
