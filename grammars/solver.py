"""`Solver`: least solutions of equations, such as those between costs (Knuth 1977), found only as far as somebody asks.

Each unknown is a key; `evaluate(key)` is a generator that yields the keys whose values it needs, is sent their values,
and returns its own. Keys that depend on each other in a circle are evaluated again when a value that they have seen
gets better, until none does. Values only ever get better, so that ends. The stack of generators is a list, so depth
costs no Python stack.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import Generic, TypeVar

from .watch import checkpoint

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")
Evaluation = Generator[KeyT, ValueT, ValueT]


class Solver(Generic[KeyT, ValueT]):
    """nothing: the value of a key while none is known. is_better: whether a value is better than the one before."""

    def __init__(
        self,
        evaluate: Callable[[KeyT], Evaluation[KeyT, ValueT]],
        nothing: ValueT,
        is_better: Callable[[ValueT, ValueT], bool],
    ) -> None:
        self._evaluate = evaluate
        self._nothing = nothing
        self._is_better = is_better
        self._known: dict[KeyT, ValueT] = {}
        self._askers: dict[KeyT, set[KeyT]] = {}

    def __call__(self, key: KeyT) -> ValueT:
        if key not in self._known:
            try:
                self._solve(key)
            except BaseException:
                self._known.clear()  # half of them may not have their last value
                self._askers.clear()
                raise
        return self._known[key]

    def _solve(self, key: KeyT) -> None:
        again = {key: None}
        while again:
            first, _ = again.popitem()
            running = [(first, self._evaluate(first))]
            begun = {first}
            answer: ValueT | None = None
            while running:
                key, evaluation = running[-1]
                try:
                    asked = next(evaluation) if answer is None else evaluation.send(answer)
                except StopIteration as stop:
                    checkpoint()
                    running.pop()
                    answer = self._settle(key, stop.value, again)
                    continue
                self._askers.setdefault(asked, set()).add(key)
                answer = self._known.get(asked)
                if answer is None:
                    if asked in begun:
                        answer = self._nothing
                    else:
                        checkpoint()  # questions may lead to others without end
                        begun.add(asked)
                        running.append((asked, self._evaluate(asked)))

    def _settle(self, key: KeyT, value: ValueT, again: dict[KeyT, None]) -> ValueT:
        old = self._known.get(key)
        if old is None or self._is_better(value, old):
            self._known[key] = value
            if old is not None or self._is_better(value, self._nothing):
                again.update((asker, None) for asker in self._askers.get(key, ()) if asker in self._known)
            return value
        return old
