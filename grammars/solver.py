"""`Solver`: least solutions of equations, such as those between costs (Knuth 1977), computed only on demand.

Each unknown is a key. `evaluate(key)` is a generator: it yields the keys whose values it needs, receives their values,
and returns its own. When a value gets better, keys in a cycle that saw the old value are evaluated again, until no
value changes. Values only ever get better, so the evaluation ends. The stack of generators is a list, so depth uses no
Python stack.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable
from typing import Generic, TypeVar

from .watch import checkpoint

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")
Evaluation = Generator[KeyT, ValueT, ValueT]


class Solver(Generic[KeyT, ValueT]):
    """Solves equations between keys on demand.

    evaluate: generator function that computes one key's value (see above).
    nothing: value of a key before its first evaluation.
    is_better: function (new, old) that says whether a value improves on the one before.
    """

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
                self._known.clear()  # some values may not be final
                self._askers.clear()
                raise
        return self._known[key]

    def _solve(self, key: KeyT) -> None:
        again = OrderedDict({key: None})
        while again:
            first, _ = again.popitem(last=False)  # PERF: what asks for many changed values is evaluated once for all
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
                        checkpoint()  # questions may lead to further questions without end
                        begun.add(asked)
                        running.append((asked, self._evaluate(asked)))

    def _settle(self, key: KeyT, value: ValueT, again: OrderedDict[KeyT, None]) -> ValueT:
        old = self._known.get(key)
        if old is None or self._is_better(value, old):
            self._known[key] = value
            if old is not None or self._is_better(value, self._nothing):
                again.update((asker, None) for asker in self._askers.get(key, ()) if asker in self._known)
            return value
        return old
