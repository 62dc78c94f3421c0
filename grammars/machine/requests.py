"""`Requests`: the loop that makes what kernels ask for while texts are written, within the limits of a grammar.

All automata have one. After an error everything is as before: what was half made is forgotten, and the kernels start
anew.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, TypeGuard, TypeVar

from ..errors import LimitExceededError
from ..limits import Limits
from ..watch import Holder, Watch, checkpoint, pausing
from .asking import ANSWER, BYTE_CLASSES, COUNT_ROWS, FRAME, RETURN, ROW, VALUE
from .structs import Request

_Found = TypeVar("_Found")


class Asked(NamedTuple):
    """A `Request` as it was when its kernel ended. PERF: read at once, see `Struct.read_all`."""

    kind: int
    frame: int
    returned: int
    with_text: int
    state: int
    node: int
    byte_classes: int


Handler = Callable[[Asked], None]
"""Makes what was asked for."""

_OF_THE_MOMENT = frozenset({"seconds", "levels"})
"""Units of limits that may hold at the next try: on a machine that is less busy or for another text, with more of the
Python stack left."""
_REMEMBERED = frozenset({FRAME, RETURN, VALUE, ROW, COUNT_ROWS})
"""What went past a limit once does so at once from then on, if it is one of these."""

_UNTIMED = frozenset({BYTE_CLASSES, ANSWER})
"""What takes no time itself; what it runs has a watch of its own."""


class Requests:
    """Those of one automaton, or of a walk of it.

    request: where kernels write what they wait for. make: makes what was asked for, by its kind, of `asking`.
    automaton: serves what is not asked for here. give_up: called when `make` fails, and with it the token that met it.
    holder: what is let go of where others want it.
    """

    def __init__(
        self,
        request: Request,
        make: Handler,
        limits: Limits,
        *,
        automaton: Requests | None = None,
        give_up: Callable[[], None] | None = None,
        holder: Holder | None = None,
    ) -> None:
        self.limits = limits
        self._holder = holder
        self.may_pause = False  # while what is asked for is made
        self._request, self._make = request, make
        self._automaton, self._give_up = automaton, give_up
        self._failures: dict[Asked, LimitExceededError] = {}

    def dismantle(self) -> None:
        """Let go of who makes what is asked for; nobody can ask any more."""
        self._automaton = self._give_up = None
        del self._make

    def watch(self) -> Watch:
        """The time for one mask or token, from now on."""
        return Watch("max_mask_seconds", self.limits.max_mask_seconds, is_of_processor=True)

    def run(self, kernel: Callable[[], _Found | None], *, may_pause: bool = False) -> _Found:
        """What a kernel finds when it is called again and again, until all that it asks for is made.

        may_pause: the kernel keeps nothing that others may change meanwhile.
        """
        found = kernel()
        return self.go_on(kernel, may_pause=may_pause) if found is None else found

    def go_on(self, kernel: Callable[[], _Found | None], *, may_pause: bool = False) -> _Found:
        """As `run`, where the kernel waits already."""
        watch = self.watch()
        try:
            while True:
                self.may_pause = may_pause
                self._serve(watch)
                if may_pause and self._holder is not None and self._holder.is_wanted:
                    pausing(self._holder, checkpoint)
                found = kernel()
                if found is not None:
                    return found
        finally:
            self.may_pause = False

    def ask(self, question: Callable[[], _Found]) -> _Found:
        """What a handler asks that may take long, and takes nothing of what others may change."""
        return pausing(self._holder if self.may_pause else None, question)

    def run_inside(self, kernel: Callable[[], _Found | None]) -> _Found:
        """As `run`, for a handler, whose watch is entered already."""
        found = kernel()
        while found is None:
            self._serve(nullcontext())
            pausing(None, checkpoint)
            found = kernel()
        return found

    def _serve(self, watch: AbstractContextManager[object]) -> None:
        """Make what is asked for."""
        asked = Asked._make(self._request.read_all())
        kind = asked.kind
        if not kind and self._automaton is not None:
            self._automaton.may_pause = False
            self._automaton._serve(watch)
            return
        if self._failures and asked in self._failures:
            raise _copy(self._failures[asked])
        try:
            with nullcontext() if kind in _UNTIMED else watch:
                pausing(None, lambda: self._make(asked))
        except BaseException as error:
            if self._give_up is not None:
                self._give_up()
            if isinstance(error, RecursionError):
                detail = "the Python stack is too short for this grammar here"
                raise LimitExceededError("max_schema_depth", self.limits.max_schema_depth, "levels", detail) from None
            if _is_lasting(error, asked):
                self._failures[asked] = _copy(error)
            raise
        finally:
            self._request.kind = 0


def _is_lasting(error: BaseException, asked: Asked) -> TypeGuard[LimitExceededError]:
    """Whether what was asked for will go past that limit at the next try, too."""
    if not isinstance(error, LimitExceededError) or error.unit in _OF_THE_MOMENT:
        return False
    return asked.kind in _REMEMBERED and not asked.with_text


def _copy(error: LimitExceededError) -> LimitExceededError:
    """The same error without its traceback, which would keep what it saw alive."""
    return LimitExceededError(error.limit, error.maximum, error.unit, error.detail)
