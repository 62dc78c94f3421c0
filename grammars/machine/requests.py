"""`Requests`: the loop that serves what kernels ask for while texts are written, within a grammar's limits.

Every automaton has one. After an error everything is as before: half-made parts are forgotten, and kernels start again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple, TypeGuard, TypeVar

from ..errors import LimitExceededError, too_deep
from ..limits import Limits
from ..memory.field_order import begins_with
from ..watch import HeldLock, Watch, checkpoint, pausing
from .asking import COUNT_ROWS, FRAME, RETURN, ROW, VALUE
from .structs import Request

_Found = TypeVar("_Found")


class RequestCopy(NamedTuple):
    """A copy of a `Request` at the end of its kernel. PERF: read at once, see `Struct.read_all`."""

    kind: int
    frame: int
    returned: int
    with_text: int
    state: int
    node: int
    byte_classes: int


assert begins_with(Request, RequestCopy._fields)

Handler = Callable[[RequestCopy], None]
"""Makes the requested object."""

_REMEMBERED = frozenset({FRAME, RETURN, VALUE, ROW, COUNT_ROWS})
"""Kinds of requests whose exceeded limits are remembered: the next equal request fails at once."""


class Requests:
    """Serves the requests of one automaton, or of a walk of it.

    request: struct where kernels write their request.
    make: function that serves a request, by its kind in `asking`.
    limits: limits of the grammar.
    automaton: serves requests that are not made here; None: all are made here.
    give_up: called when an error ends `go_on`; the token that led to the request is then given up, too.
    lock: lock to let go of if other threads want it; None: no lock.
    """

    def __init__(
        self,
        request: Request,
        make: Handler,
        limits: Limits,
        *,
        automaton: Requests | None = None,
        give_up: Callable[[], None] | None = None,
        lock: HeldLock | None = None,
    ) -> None:
        self.limits = limits
        self._lock = lock
        self.may_pause = False  # True while a request is served that may pause
        self._request, self._make = request, make
        self._automaton, self._give_up = automaton, give_up
        self._failures: dict[RequestCopy, LimitExceededError] = {}

    def dismantle(self) -> None:
        """Drop the references to everything that serves requests. Nobody may ask afterwards."""
        self._automaton = self._give_up = None
        del self._make

    def watch(self) -> Watch:
        """Return a watch for one mask or token, which starts now."""
        return Watch("max_mask_seconds", self.limits.max_mask_seconds)

    def run(self, kernel: Callable[[], _Found | None], *, may_pause: bool = False) -> _Found:
        """Call a kernel repeatedly and serve its requests until it returns a result.

        kernel: returns None while it waits.
        may_pause: True if the kernel keeps nothing that other threads may change meanwhile; default False.

        Raises LimitExceededError if a request exceeds a limit.
        """
        found = kernel()
        return self.go_on(kernel, may_pause=may_pause) if found is None else found

    def go_on(self, kernel: Callable[[], _Found | None], *, may_pause: bool = False) -> _Found:
        """Like `run`, for a kernel that already waits."""
        watch = self.watch()
        try:
            while True:
                self.may_pause = may_pause
                self._serve(watch)
                if may_pause and self._lock is not None and self._lock.is_wanted:
                    pausing(self._lock, checkpoint)
                found = kernel()
                if found is not None:
                    return found
        except BaseException:  # also a trial's end or an interrupt after the request was served
            self._forget()
            raise
        finally:
            self.may_pause = False

    def _forget(self) -> None:
        """Give up the token that is read."""
        if self._give_up is not None:
            self._give_up()
        if self._automaton is not None:
            self._automaton._forget()

    def ask(self, question: Callable[[], _Found]) -> _Found:
        """Answer a handler's question that may take long and reads nothing that other threads may change."""
        return pausing(self._lock if self.may_pause else None, question)

    def run_inside(self, kernel: Callable[[], _Found | None]) -> _Found:
        """Like `run`, for a handler whose watch is already running."""
        found = kernel()
        while found is None:
            self._serve(nullcontext())
            pausing(None, checkpoint)
            found = kernel()
        return found

    def _serve(self, watch: AbstractContextManager[object]) -> None:
        """Serve the current request."""
        asked = RequestCopy._make(self._request.read_all())
        kind = asked.kind
        if not kind and self._automaton is not None:
            self._automaton.may_pause = False
            self._automaton._serve(watch)
            return
        if self._failures and asked in self._failures:
            raise _copy(self._failures[asked])
        try:
            with watch:
                pausing(None, lambda: self._make(asked))
        except BaseException as error:
            if isinstance(error, RecursionError):
                raise too_deep(self.limits) from None
            if _is_lasting(error, asked):
                self._failures[asked] = _copy(error)
            raise
        finally:
            self._request.kind = 0


def _is_lasting(error: BaseException, asked: RequestCopy) -> TypeGuard[LimitExceededError]:
    """Return True if the same request would exceed the limit again at the next try.

    Another caller's Python stack may be longer.
    """
    if not isinstance(error, LimitExceededError) or error.is_of_time or error.limit == "max_schema_depth":
        return False
    return asked.kind in _REMEMBERED and not asked.with_text


def _copy(error: LimitExceededError) -> LimitExceededError:
    """Return the error without its traceback, which would keep local variables alive."""
    return LimitExceededError(error.limit, error.maximum, error.unit, error.detail, is_of_time=error.is_of_time)
