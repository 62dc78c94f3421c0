"""`BoundedWork`: what a document grammar builds while documents are written, within its limits.

After an error everything is as before: what was half built is forgotten, and the kernels start anew.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from ..errors import LimitExceededError
from ..limits import Limits
from ..watch import Watch

_Built = TypeVar("_Built")

_OF_THE_MOMENT = frozenset({"seconds", "levels"})
"""Units of limits that may hold at the next try: on a machine that is less busy or for another text, with more of the
Python stack left."""


class BoundedWork:
    """Runs the builders of one automaton. give_up: called when one fails, and with it the token that met it."""

    def __init__(self, limits: Limits, give_up: Callable[[], None] | None = None) -> None:
        self._limits = limits
        self._give_up = give_up
        self._failures: dict[Hashable, LimitExceededError] = {}

    def watch(self) -> Watch:
        """The time for one mask or token, from now on."""
        return Watch("max_mask_seconds", self._limits.max_mask_seconds, is_of_processor=True)

    def run(self, key: Hashable, build: Callable[[], _Built], watch: Watch | None) -> _Built:
        """What `build` gives. What went past a limit once does so at once from then on.

        key: what is built; None: what fails is not remembered. watch: of the mask or token that needs it.
        """
        failure = self._failures.get(key) if key is not None else None
        if failure is not None:
            raise _copy(failure)
        assert watch is not None, "things are built for a kernel that waits"
        try:
            with watch:
                return build()
        except BaseException as error:
            if self._give_up is not None:
                self._give_up()
            if isinstance(error, RecursionError):
                detail = "the Python stack is too short for this grammar here"
                raise LimitExceededError("max_schema_depth", self._limits.max_schema_depth, "levels", detail) from None
            if isinstance(error, LimitExceededError) and key is not None and error.unit not in _OF_THE_MOMENT:
                self._failures[key] = _copy(error)
            raise


def _copy(error: LimitExceededError) -> LimitExceededError:
    """The same error without its traceback, which would keep what it saw alive."""
    return LimitExceededError(error.limit, error.maximum, error.unit, error.detail)
