"""Random conditions on one container, in all combinators: what the fuzzers of arrays and of objects share."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

Condition = dict[str, Any]
MakeCondition = Callable[[int], Condition]


class ConditionMaker(ABC):
    """Schemas that speak of one container. A subclass adds the keywords of its kind."""

    SHARE_OF_EMPTY: ClassVar[float]
    """Of the schemas inside of combinators."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    @abstractmethod
    def plain(self) -> list[MakeCondition]:
        """Makers of keywords without such conditions inside. One that stands twice is drawn more often."""

    @abstractmethod
    def nested(self) -> list[MakeCondition]:
        """Makers of keywords with such conditions inside, given how far these may nest."""

    def condition(self, depth: int) -> Condition:
        """One or two keywords. depth: how far conditions may nest."""
        makers = self.plain() + (self.nested() if depth > 0 else [])
        found = self.rng.choice(makers)(depth - 1)
        if self.rng.random() < 0.4:
            found = self.rng.choice(makers)(depth - 1) | found
        return found

    def schema(self, depth: int) -> Condition:
        """A schema of the same container inside of a combinator."""
        return {} if self.rng.random() < self.SHARE_OF_EMPTY else self.condition(depth)

    def _combined(self, depth: int) -> Condition:
        keyword = self.rng.choice(["allOf", "anyOf", "anyOf", "oneOf", "oneOf"])
        return {keyword: [self.schema(depth) for _ in range(self.rng.randint(1, 3))]}

    def _not(self, depth: int) -> Condition:
        return {"not": self.condition(depth)}

    def _if(self, depth: int) -> Condition:
        found = {"if": self.condition(depth)}
        for keyword in ("then", "else"):
            if self.rng.random() < 0.75:
                found[keyword] = self.schema(depth)
        return found
