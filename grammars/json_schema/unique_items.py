"""`NextItems`: the values that the next item of an array may have if the schema asks whether items are unique.

Most values are alike: later items need none of them. For these, one search per outcome of an item decides whether the
array can be completed after any new value. Values that later items need, and values that are used, are searched one by
one. If an item must come twice, the next item may have to be a value that a later item can repeat; a formula says so.
"""

from __future__ import annotations

import json
from dataclasses import replace

from ..cached import cached_property
from ..machine.frames import ValueSpec
from ..regex.emptiness import has_word
from .array_state import ArrayState
from .context import Vector, allows_something, condition
from .distinct import Values, other_than, satisfies, scarce, value_formula
from .formula import FALSE, TRUE, Formula, all_of, any_of
from .item_search import find_distinct, possible_outcomes, repeats_of
from .listing import in_one_spelling


class NextItems:
    """The next item of a frame with captures."""

    def __init__(self, frame: ArrayState) -> None:
        self._frame = frame
        self._asked = frame.asked
        self._value = frame.item_formula()
        self._options: dict[Vector, Formula] = {}

    @cached_property
    def _formula(self) -> Formula:
        """The condition on the next item, without the exclusion of single values."""
        options = [(vector, self._option(vector)) for vector in self._vectors]
        parts = [all_of((condition(self._asked, [vector]), option)) for vector, option in options if option is not TRUE]
        free = [vector for vector, option in options if option is TRUE]
        if len(free) < len(options):
            parts.append(condition(self._asked, free))
            parts += [value_formula(self._frame.document, text) for text in self._only_again]
        return all_of((self._value, any_of(parts) if len(free) < len(options) else TRUE))

    def spec(self) -> ValueSpec | None:
        """The values that may come; None if there are none."""
        return self._without(self.excluded)

    def spec_of_new(self) -> ValueSpec | None:
        """Like `spec`, for values that are not used."""
        return self._without(self.excluded | self._frame.used)

    def _without(self, excluded: Values) -> ValueSpec | None:
        """A spec without some values. Objects and arrays are excluded by a formula."""
        frame, document = self._frame, self._frame.document
        others = [other_than(document, text) for text in sorted(excluded) if text[:1] in b"[{"]
        goal = document.goal(all_of((self._formula, *others)), self._asked)
        if not document.is_satisfiable(goal.formula):
            return None
        spec = goal.spec()
        strings = frozenset([json.loads(text) for text in excluded if text[:1] == b'"'])
        numerals = frozenset([text.decode() for text in excluded if text[:1] in b"-0123456789"])
        numbers = [(in_one_spelling(language), cls) for language, cls in spec.numbers]

        def kept(cls: int | None, text: bytes) -> int | None:
            return None if cls is None or text in excluded or frame.on_capture(cls, text) is None else cls

        found = replace(
            spec,
            strings=tuple([pair for pair in spec.strings if has_word(pair[0], strings)]),
            numbers=tuple([pair for pair in numbers if has_word(pair[0], numerals)]),
            true=kept(spec.true, b"true"),
            false=kept(spec.false, b"false"),
            null=kept(spec.null, b"null"),
            captures=frame.captures,
            excluded_strings=strings,
            excluded_numbers=numerals,
        )
        return found if allows_something(found) else None

    # --- kinds of new values

    @cached_property
    def _vectors(self) -> list[Vector]:
        """The outcomes that some item has."""
        return [vector for vector, _ in possible_outcomes(self._frame.document, self._value, self._asked, {})]

    def _option(self, vector: Vector) -> Formula:
        """The additional condition on a new item with this outcome."""
        found = self._options.get(vector)
        if found is None:
            found = self._options[vector] = self._find_option(vector)
        return found

    def _find_option(self, vector: Vector) -> Formula:
        frame = self._frame
        following = frame.after_item(vector)
        if following.is_live:
            return TRUE
        if following.is_hopeless or following.is_unique or following.captures < 2:
            return FALSE
        return any_of(repeats_of(following.assuming(is_unique=False)))

    # --- single values

    @cached_property
    def excluded(self) -> Values:
        """Single values that can't come next: used ones that may not repeat, and new ones that later items need."""
        frame = self._frame
        if frame.is_unique:
            return frame.used | self._lacking
        again = [text for text in frame.used if text not in self._again]
        return self._lacking.union(again)

    @cached_property
    def _again(self) -> dict[bytes, Vector]:
        """The used values that may come again, with their outcomes."""
        frame = self._frame
        found: dict[bytes, Vector] = {}
        possible: dict[Vector, bool] = {}
        if frame.captures < 2 or frame.is_unique:
            return found
        for text in sorted(frame.used):
            if satisfies(frame.document, self._value, text):
                vector = self._outcome(text)
                if vector not in possible:
                    possible[vector] = frame.after_item(vector, repeats=True).is_live
                if possible[vector]:
                    found[text] = vector
        return found

    @property
    def _only_again(self) -> list[bytes]:
        """Used values that may come again, if new values with the same outcome may not all come."""
        return [text for text, vector in self._again.items() if self._option(vector) is not TRUE]

    @cached_property
    def _lacking(self) -> Values:
        """New values that later items would lack."""
        frame = self._frame
        found: set[bytes] = set()
        for vector in self._vectors:
            if self._option(vector) is TRUE:
                following = frame.after_item(vector)
                needed = [text for text in _needed_later(following) if self._may_be(text, vector)]
                found.update(text for text in needed if not frame.after_value(vector, text).is_live)
        return frozenset(found)

    def _may_be(self, text: bytes, vector: Vector) -> bool:
        """True if the next item may be this value, and then has this outcome."""
        return satisfies(self._frame.document, self._value, text) and self._outcome(text) == vector

    def _outcome(self, text: bytes) -> Vector:
        return tuple(satisfies(self._frame.document, one, text) for one in self._asked)


def _needed_later(frame: ArrayState) -> Values:
    """The values that may be needed to complete a live array."""
    if frame.close_class is not None or not frame.captures:
        return frozenset()
    witness = find_distinct(frame.assuming(is_unique=True), frame.used)
    if not witness or frame.may_repeat_live():
        return frozenset()
    return scarce(frame.document, witness, frame.used)
