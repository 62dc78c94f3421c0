"""The served models. A thread loads them while the server already answers; `ModelHolder` has one model, `Models`
all.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from guided.grammars.errors import InvalidInputError
from guided.params.checks import shown

from .errors import Refusal, RefusedError
from .warm_up import import_grammars

if TYPE_CHECKING:
    from guided.llm import LLM

logger = logging.getLogger("guided.server")

Result = TypeVar("Result")


def check_names(served_model_name: str | None, more: Collection[str]) -> None:
    """Raise InvalidInputError if a model's name is empty, or if two models have the same name."""
    if served_model_name is not None and not served_model_name.strip():
        raise InvalidInputError("served_model_name must not be empty; leave it out for the model's own name")
    if "" in {name.strip() for name in more}:
        raise InvalidInputError("a name in more_models must not be empty")
    if served_model_name in more:
        raise _two_have(served_model_name)


def without_panics(work: Callable[[], Result]) -> Result:
    """Call `work` and return its result. A panic of a Rust library is no Exception and would end the thread, so it
    becomes a RuntimeError.
    """
    try:
        return work()
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(f"{type(error).__name__} in a thread: {error}") from error


class ModelHolder:
    """A model, or the function that will load it.

    load: returns the model.
    is_owned: `close` shuts the model down.
    given_name: name that requests use; None: the model's own name.
    llm: attribute; the model, None until it is loaded.
    load_error: attribute; the exception that loading raised, or None.
    """

    def __init__(self, load: Callable[[], LLM], *, is_owned: bool, given_name: str | None = None) -> None:
        self.llm: LLM | None = None
        self.load_error: Exception | None = None
        self._given_name = given_name
        self._load = load
        self._is_owned = is_owned
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def name(self) -> str | None:
        """The name that requests use; None while the name is still unknown because the model is loading."""
        return self._given_name or (None if self.llm is None else self.llm.model_name)

    @property
    def failure(self) -> Exception | None:
        """Why the model can't be loaded or can't answer any more; None while it works."""
        return self.load_error if self.llm is None else self.llm.failure

    def require(self) -> LLM:
        """The model. Raises RefusedError if it is loading, failed to load, or the server is stopping."""
        if self._is_closed:
            raise RefusedError(Refusal.NO_MODEL, "the server is stopping")
        if self.load_error is not None:
            raise RefusedError(Refusal.NO_MODEL, "the model could not be loaded; the server's log has the reason")
        if self.llm is None:
            raise RefusedError(Refusal.NO_MODEL, "the model is still being loaded; try again later")
        return self.llm

    def require_name(self) -> str:
        """The name that requests use. Raises RefusedError like `require`."""
        return self._given_name or self.require().model_name

    def close(self) -> None:
        """Shut the model down if this holder owns it. A model that is still loading is shut down when it is loaded."""
        with self._lock:
            self._is_closed = True
            llm = self.llm
        if llm is not None and self._is_owned:
            llm.shutdown()

    def load(self, on_model: Callable[[LLM], None]) -> None:
        """Load the model; an error goes to `load_error`. on_model: called with the model before any request sees it."""
        start_s = time.monotonic()
        try:
            llm = without_panics(self._load)
            if self._is_owned:  # a model handed in loaded was already in use
                without_panics(import_grammars)
            on_model(llm)
        except Exception as error:  # noqa: BLE001 - kept in load_error, and logged or handed on
            self.load_error = error
            return
        with self._lock:
            self.llm = llm
            is_too_late = self._is_closed
        logger.info("ready: %s is loaded, after %.1f s", self.name, time.monotonic() - start_s)
        if (support := llm.tool_support) is not None:
            logger.log(logging.INFO if support.is_known else logging.WARNING, "%s: %s", self.name, support.note)
        if is_too_late and self._is_owned:
            llm.shutdown()


class Models:
    """All models of a server, by name. The first one answers requests that name no model.

    holders: the models; one thread loads them one after another.
    on_model: called in that thread with each model before any request sees it.
    on_loaded: called in that thread once, at the end or at the first error, with the error or None. Without it an error
        is logged and the other models are loaded.
    """

    def __init__(
        self,
        holders: list[ModelHolder],
        *,
        on_model: Callable[[LLM], None],
        on_loaded: Callable[[Exception | None], None] | None = None,
    ) -> None:
        self._holders = holders
        self._on_model = on_model
        self._on_loaded = on_loaded
        self._is_closed = False
        self._thread = threading.Thread(target=self._load, name="guided-load", daemon=True)

    def __iter__(self) -> Iterator[ModelHolder]:
        return iter(self._holders)

    @property
    def first(self) -> ModelHolder:
        """The model that answers requests without a model name."""
        return self._holders[0]

    @property
    def are_loaded(self) -> bool:
        """True if all models are loaded."""
        return all(holder.llm is not None for holder in self._holders)

    @property
    def failure(self) -> Exception | None:
        """Why a model can't be loaded or can't answer any more; None while all work."""
        failures = (holder.failure for holder in self._holders)
        return next((one for one in failures if one is not None), None)

    @property
    def loaded_names(self) -> tuple[str, ...]:
        """Names of the loaded models, in order."""
        return tuple(holder.name for holder in self._holders if holder.llm is not None and holder.name is not None)

    def start(self) -> None:
        """Start loading."""
        self._thread.start()

    def find(self, name: str | None) -> ModelHolder:
        """The loaded model with this name; the first one for None.

        Raises RefusedError for an unknown name, and if the model is not loaded.
        """
        if name is None:
            found = self.first
        else:
            named = [holder for holder in self._holders if holder.name == name]
            # a model without a known name may turn out to have this one
            unnamed = [holder for holder in self._holders if holder.name is None]
            if not named and not unnamed:
                served = " and ".join(repr(holder.name) for holder in self._holders)
                raise RefusedError(Refusal.UNKNOWN_MODEL, shown(name), served)
            found = (named or unnamed)[0]
        found.require()
        return found

    def close(self) -> None:
        """Stop loading further models and close all holders, see `ModelHolder.close`."""
        self._is_closed = True
        for holder in self._holders:
            holder.close()

    def _load(self) -> None:
        logger.info("loading %s; until then, requests get a 503 with retry-after", _count(len(self._holders)))
        for holder in self._holders:
            if self._is_closed:
                return
            holder.load(partial(self._before_use, holder))
            if holder.load_error is None:
                continue
            if self._on_loaded is not None:
                self._on_loaded(holder.load_error)
                return
            logger.error("the model could not be loaded", exc_info=holder.load_error)
        if self._on_loaded is not None:
            self._on_loaded(None)

    def _before_use(self, loaded: ModelHolder, llm: LLM) -> None:
        name = loaded.name or llm.model_name
        if any(holder.name == name for holder in self._holders if holder is not loaded):
            raise _two_have(name)
        self._on_model(llm)


def _two_have(name: str | None) -> InvalidInputError:
    return InvalidInputError(f"two models have the name {name!r}; give one of them another name")


def _count(number: int) -> str:
    return "the model" if number == 1 else f"{number} models"
