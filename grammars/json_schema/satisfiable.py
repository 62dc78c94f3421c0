"""Whether any value satisfies a formula: a least fixed point over the references of a recursive schema."""

from __future__ import annotations

from typing import Protocol

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import FALSE, KINDS, And, Formula, Kind, Kinds, Reference

_NOTHING_LOWER = 1 << 60
_MAX_DEPTH = 24  # of questions within questions; each takes some ten frames of the Python stack


class _TooDeepError(Exception):
    """A question so far inside of others that it had better be answered on its own. formula: what it asks about."""

    def __init__(self, formula: Formula) -> None:
        super().__init__()
        self.formula = formula


class Searcher(Protocol):
    """Who looks for values."""

    def search(self, formula: Formula, kind: Kind) -> bool:
        """Whether a value of that kind satisfies the formula."""


class Satisfiability:
    """Answers for the formulas of one document, remembered.

    searcher: its `search` says whether a value of that kind satisfies the formula; it may ask `ask` again, of what
    lies inside.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._known: dict[Formula, bool] = {}
        self._in_progress: dict[Formula, int] = {}
        self._lowest = _NOTHING_LOWER
        self._max_depth = _MAX_DEPTH
        self._past_limit: str | None = None

    def dismantle(self) -> None:
        """Forget the answers and who searches; nobody can ask any more."""
        self._known.clear()
        del self._searcher

    @property
    def is_final(self) -> bool:
        """False while an answer may depend on one that is still being searched."""
        return not self._in_progress

    def ask(self, formula: Formula) -> bool:
        """True when some value satisfies it.

        Questions that come up deep inside of others are answered before these, so that schemas may be nested deeper
        than the Python stack is long. Raises LimitExceededError("max_plans"), which says for which schema.
        """
        if formula.is_satisfiable:
            return True
        known = self._known.get(formula)
        if known is not None:
            return known
        if formula is FALSE:
            return False
        if self._in_progress:
            return self._ask(formula)
        self._past_limit = None
        try:
            return self._answer(formula)
        except LimitExceededError as error:
            if error.limit != "max_plans":
                raise
            place = f"at {self._past_limit!r}" if self._past_limit else "at the root"
            raise error.located(place) from None

    def _answer(self, formula: Formula) -> bool:
        """As `ask`, for the outermost question."""
        waiting, self._max_depth = [formula], _MAX_DEPTH
        while True:
            try:
                result = self._ask(waiting[-1])
            except _TooDeepError as error:
                if error.formula in waiting:  # a long cycle; only all of it can be answered
                    self._max_depth = _NOTHING_LOWER
                else:
                    waiting.append(error.formula)
                continue
            waiting.pop()
            if not waiting:
                return result

    def _ask(self, formula: Formula) -> bool:
        """As `ask`. What is in progress counts as unsatisfiable: values are finite."""
        known = self._known.get(formula)
        if known is not None:
            return known
        depth = self._in_progress.get(formula)
        if depth is not None:
            self._lowest = min(self._lowest, depth)
            return False
        checkpoint()
        depth = len(self._in_progress)
        if depth > self._max_depth:
            raise _TooDeepError(formula)
        self._in_progress[formula] = depth
        outer, self._lowest = self._lowest, _NOTHING_LOWER
        try:
            result = any(self._searcher.search(formula, kind) for kind in possible_kinds(formula))
        except LimitExceededError:
            if self._past_limit is None:  # the innermost question whose schema has a name
                self._past_limit = _name_of(formula)
            raise
        finally:
            del self._in_progress[formula]
            lowest, self._lowest = self._lowest, outer
        if result or lowest >= depth:
            self._known[formula] = result
        else:
            self._lowest = min(outer, lowest)
        return result


def _name_of(formula: Formula) -> str | None:
    """The JSON pointer of a schema that the formula stands for; None where it does not say."""
    parts = formula.parts if isinstance(formula, And) else (formula,)
    return next((part.name for part in parts if isinstance(part, Reference)), None)


def possible_kinds(formula: Formula) -> list[Kind]:
    """The kinds that the formula's top level leaves, cheap ones to decide first."""
    allowed: frozenset[Kind] | None = None
    pending = [formula]
    while pending:
        part = pending.pop()
        if isinstance(part, Kinds):
            allowed = part.kinds if allowed is None else allowed & part.kinds
        elif isinstance(part, And):
            pending.extend(part.parts)
        elif isinstance(part, Reference):
            pending.append(part.target)
    return [kind for kind in KINDS if allowed is None or kind in allowed]
