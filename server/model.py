"""The served models, loaded in a thread while the server already answers: `ModelHolder` has one, `Models` all."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from guided.grammars.errors import InvalidInputError

from .errors import ModelNotLoadedError, UnknownModelError
from .warm_up import import_grammars

if TYPE_CHECKING:
    from guided.llm import LLM

logger = logging.getLogger("guided.server")

Result = TypeVar("Result")


def check_names(served_model_name: str | None, more: Collection[str]) -> None:
    """Raises InvalidInputError for a name of a model that is empty, and for one that two models have."""
    if served_model_name is not None and not served_model_name.strip():
        raise InvalidInputError("served_model_name must not be empty; leave it out for the model's own name")
    if "" in {name.strip() for name in more}:
        raise InvalidInputError("a name in more_models must not be empty")
    if served_model_name in more:
        raise _two_have(served_model_name)


def without_panics(work: Callable[[], Result]) -> Result:
    """What `work` gives. What it raises is an Exception: a panic of a Rust library is none, and would end a thread."""
    try:
        return work()
    except Exception:
        raise
    except BaseException as error:
        raise RuntimeError(f"{type(error).__name__} in a thread: {error}") from error


class ModelHolder:
    """A model and how it came to be.

    load: gives the model. is_owned: `close` shuts the model down. given_name: what requests call it; None: its own.
    llm: the model, None until it is loaded. load_error: why it can't be.
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
        """What requests call it; None while only the model itself knows."""
        return self._given_name or (None if self.llm is None else self.llm.model_name)

    @property
    def failure(self) -> Exception | None:
        """Why it can't be loaded, or can answer nothing any more; None while all is well."""
        return self.load_error if self.llm is None else self.llm.failure

    def require(self) -> LLM:
        """The model. Raises ModelNotLoadedError while there is none."""
        if self._is_closed:
            raise ModelNotLoadedError("the server is stopping")
        if self.load_error is not None:
            raise ModelNotLoadedError("the model could not be loaded; the server's log has the reason")
        if self.llm is None:
            raise ModelNotLoadedError("the model is still being loaded; try again later")
        return self.llm

    def require_name(self) -> str:
        """What requests call it. Raises ModelNotLoadedError as `require` does."""
        return self._given_name or self.require().model_name

    def close(self) -> None:
        """Shut down a model that was loaded here. One that is still being loaded follows when it is there."""
        with self._lock:
            self._is_closed = True
            llm = self.llm
        if llm is not None and self._is_owned:
            llm.shutdown()

    def load(self, on_model: Callable[[LLM], None]) -> None:
        """Load it. on_model: called with the model before any request sees it. What goes wrong is in load_error."""
        start_s = time.monotonic()
        try:
            llm = without_panics(self._load)
            if self._is_owned:  # what is handed in loaded was in use before
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
    """All models of a server, by name; the first one answers where a request names none.

    holders: of the models, which load one after another in one thread. on_model: called there with each model, before
    any request sees it. on_loaded: called there once no more are to come, with why one can't be had, or None; without
    it that is logged, and the others are loaded.
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
        """The one that answers requests without a model's name."""
        return self._holders[0]

    @property
    def are_loaded(self) -> bool:
        """All of them are."""
        return all(holder.llm is not None for holder in self._holders)

    @property
    def failure(self) -> Exception | None:
        """Why one of them can't be loaded, or can answer nothing any more; None while all is well."""
        failures = (holder.failure for holder in self._holders)
        return next((one for one in failures if one is not None), None)

    @property
    def loaded_names(self) -> tuple[str, ...]:
        """Of those that are loaded, in order."""
        return tuple(holder.name for holder in self._holders if holder.llm is not None and holder.name is not None)

    def start(self) -> None:
        """Start to load."""
        self._thread.start()

    def find(self, name: str | None) -> ModelHolder:
        """The loaded model of that name; None: the first one.

        Raises UnknownModelError for a name that no model has, ModelNotLoadedError while the one asked for isn't there.
        """
        if name is None:
            found = self.first
        else:
            named = [holder for holder in self._holders if holder.name == name]
            unnamed = [holder for holder in self._holders if holder.name is None]  # one of them may turn out to be it
            if not named and not unnamed:
                raise UnknownModelError(name, [str(holder.name) for holder in self._holders])
            found = (named or unnamed)[0]
        found.require()
        return found

    def close(self) -> None:
        """Load no more, and see `ModelHolder.close`."""
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
