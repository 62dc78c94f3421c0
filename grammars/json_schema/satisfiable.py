"""Decides if some value satisfies a formula: the least fixed point over the references of a recursive schema."""

from __future__ import annotations

from typing import Protocol

from ..errors import LimitExceededError
from ..watch import checkpoint
from .formula import FALSE, KINDS, And, Formula, JsonKind, Kinds, Reference

_NOTHING_LOWER = 1 << 60
_MAX_DEPTH = 24  # largest depth of nested questions; each takes about ten frames of the Python stack


class _TooDeepError(Exception):
    """A question is nested too deep and must be answered first, on its own. formula: the formula of the question."""

    def __init__(self, formula: Formula) -> None:
        super().__init__()
        self.formula = formula


class Searcher(Protocol):
    """The part of a `Context` that searches for values."""

    def search(self, formula: Formula, kind: JsonKind) -> bool:
        """True if some value of this kind satisfies the formula."""


class Satisfiability:
    """Answers for the formulas of one document, with a cache.

    searcher: decides for one kind of value. The searcher may call `ask` again, for members and items.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher
        self._known: dict[Formula, bool] = {}
        self._in_progress: dict[Formula, int] = {}
        self._lowest = _NOTHING_LOWER
        self._max_depth = _MAX_DEPTH
        self._past_limit: str | None = None

    def dismantle(self) -> None:
        """Drop the answers and the searcher. `ask` can't be called afterwards."""
        self._known.clear()
        del self._searcher

    @property
    def is_final(self) -> bool:
        """False while a question is being answered: a negative answer may then be provisional."""
        return not self._in_progress

    def ask(self, formula: Formula) -> bool:
        """True if some value satisfies the formula.

        Deeply nested questions are answered before the outer ones, so that deep schemas do not overflow the Python
        stack. Raises LimitExceededError("max_plans"); the message names the schema.
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
        """`ask` for the outermost question."""
        waiting, self._max_depth = [formula], _MAX_DEPTH
        while True:
            try:
                result = self._ask(waiting[-1])
            except _TooDeepError as error:
                if error.formula in waiting:  # a long cycle, which can only be answered as a whole
                    self._max_depth = _NOTHING_LOWER
                else:
                    waiting.append(error.formula)
                continue
            waiting.pop()
            if not waiting:
                return result

    def _ask(self, formula: Formula) -> bool:
        """`ask` for a nested question. A formula that is in progress counts as unsatisfiable, since values are
        finite.
        """
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
            if self._past_limit is None:  # keeps the name of the innermost schema that has one
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
    """The JSON pointer of a schema in the formula; None if it contains no reference at its top level."""
    parts = formula.parts if isinstance(formula, And) else (formula,)
    return next((part.name for part in parts if isinstance(part, Reference)), None)


def possible_kinds(formula: Formula) -> list[JsonKind]:
    """The kinds that the formula's top level allows. Kinds that are cheap to decide come first."""
    allowed: frozenset[JsonKind] | None = None
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
