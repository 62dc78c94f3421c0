"""`demand`: the condition on a member or an item under which its container can still be completed.

The container's residual after the value is a formula. In it, `Outcome(f)` stands for the unknown truth of formula f
for the value. The demand is a formula over these f. The search distinguishes cases, like the construction of a decision
diagram. It takes the parts of an "or" one by one. If each outcome can only help or only harm, it tries the worst and
the best case first. So the cost is far below 2^n if most of n outcomes leave no choice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import FALSE, TRUE, ExactlyOne, Formula, Not, Or, Outcome, all_of, any_of, negate
from .residual import atoms, conjuncts, rewrite, signed_atoms

_FEW = 4  # most outcomes for which all cases are tried; with more, the search first looks for alternatives


def demand(left: Formula, can_be_completed: Callable[[Formula], bool], max_choices: int) -> Formula:
    """The weakest condition on a value under which its container can be completed.

    left: residual formula of the container after the value, with outcomes.
    can_be_completed: tells if a container with a residual without outcomes can be completed. It must be true for an
        "or" exactly if it is true for one of the parts.
    max_choices: maximum number of residuals to look at.
    Raises LimitExceededError("max_plans").
    """
    return _Demand(can_be_completed, max_choices).of(left)


def outcomes_in(left: Formula) -> list[Outcome]:
    """The outcomes in a residual formula, each once."""
    return [one for one in atoms(left) if isinstance(one, Outcome)]


def decided(left: Formula, true: Iterable[Formula], false: Iterable[Formula]) -> Formula:
    """The residual formula with some outcomes replaced. true, false: the outcomes that become TRUE and FALSE."""
    known: dict[Formula, Formula] = {**dict.fromkeys(true, TRUE), **dict.fromkeys(false, FALSE)}
    return rewrite(left, lambda atom: known.get(atom, atom))


class _Demand:
    """One search; see `demand`."""

    def __init__(self, can_be_completed: Callable[[Formula], bool], max_choices: int) -> None:
        self._can_be_completed = can_be_completed
        self._max_choices = max_choices
        self._known: dict[Formula, Formula] = {FALSE: FALSE}

    def of(self, left: Formula) -> Formula:
        """The demand of a residual formula."""
        found = self._known.get(left)
        if found is None:
            checkpoint()
            if len(self._known) > self._max_choices:
                raise LimitExceededError("max_plans", self._max_choices, "choices", "conditions on one value")
            found = self._known[left] = self._find(left)
        return found

    def _find(self, left: Formula) -> Formula:
        outcomes = outcomes_in(left)
        if not outcomes:
            return TRUE if self._can_be_completed(left) else FALSE
        alternatives = _alternatives(left, len(outcomes))
        if alternatives:
            return self._any(alternatives)
        units, rest = _units(left)
        if units:
            return all_of([*units, self.of(rest)])
        signs = _signs(left)
        helping = [one for one in outcomes if signs[one] == {True}]
        harming = [one for one in outcomes if signs[one] == {False}]
        if len(helping) + len(harming) == len(outcomes):
            if self._holds(left, true=harming, false=helping):
                return TRUE
            if not self._holds(left, true=helping, false=harming):
                return FALSE
        ways = _own_ways(left) if len(outcomes) > _FEW else []
        return self._any(ways) if ways else self._by_cases(left, outcomes[0])

    def _any(self, alternatives: Iterable[Formula]) -> Formula:
        found = []
        for one in alternatives:
            found.append(self.of(one))
            if found[-1] is TRUE:
                return TRUE
        return any_of(found)

    def _holds(self, left: Formula, true: list[Outcome], false: list[Outcome]) -> bool:
        return self.of(decided(left, true, false)) is TRUE

    def _by_cases(self, left: Formula, one: Outcome) -> Formula:
        if_true = self.of(decided(left, [one], []))
        if_false = self.of(decided(left, [], [one]))
        if if_true is if_false:
            return if_true
        if if_true is TRUE or if_false is FALSE:
            return any_of([all_of([one.value, if_true]), if_false])
        if if_true is FALSE or if_false is TRUE:
            return any_of([if_true, all_of([negate(one.value), if_false])])
        return any_of([all_of([one.value, if_true]), all_of([negate(one.value), if_false])])


def _alternatives(left: Formula, num_outcomes: int) -> list[Formula]:
    """Formulas whose "or" is `left`; [] if `left` offers no choice or has few outcomes."""
    if isinstance(left, Or):
        return list(left.parts)
    if num_outcomes <= _FEW:
        return []
    parts = conjuncts(left)
    place = next((i for i, part in enumerate(parts) if isinstance(part, ExactlyOne) and outcomes_in(part)), None)
    if place is None:
        return []
    others, chosen = [*parts[:place], *parts[place + 1 :]], parts[place]
    assert isinstance(chosen, ExactlyOne)
    each_fails = [negate(part) for part in chosen.parts]
    return [all_of([part, *each_fails[:i], *each_fails[i + 1 :], *others]) for i, part in enumerate(chosen.parts)]


def _own_ways(left: Formula) -> list[Formula]:
    """Formulas whose "or" is `left`, one for each part of an "or" in it whose outcomes occur nowhere else; [] if `left`
    has no such "or".

    So n outcomes make n cases, not 2^n. Parts without outcomes are joined into one case.
    """
    parts = conjuncts(left)
    for place, part in enumerate(parts):
        others = all_of([*parts[:place], *parts[place + 1 :]])
        if isinstance(part, Or) and (own := outcomes_in(part)) and set(own).isdisjoint(outcomes_in(others)):
            asking = [way for way in part.parts if outcomes_in(way)]
            free = any_of([way for way in part.parts if way not in asking])
            return [all_of([way, others]) for way in (free, *asking)]
    return []


def _units(left: Formula) -> tuple[list[Formula], Formula]:
    """(conditions that outcomes impose unconditionally, the residual when these conditions hold)."""
    units: list[Formula] = []
    while True:
        parts = conjuncts(left)
        true = [part for part in parts if isinstance(part, Outcome)]
        false = [part.part for part in parts if isinstance(part, Not) and isinstance(part.part, Outcome)]
        if not true and not false:
            return units, left
        units += [one.value for one in true] + [negate(one.value) for one in false]
        left = decided(left, true, false)


def _signs(left: Formula) -> dict[Outcome, set[bool]]:
    """For each outcome the signs with which it occurs: True: it can help; False: it can harm; both: either."""
    found: dict[Outcome, set[bool]] = {}
    for atom, helps in signed_atoms(left):
        if isinstance(atom, Outcome):
            found.setdefault(atom, set()).add(helps)
    return found
