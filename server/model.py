"""`ModelHolder`: the served model, loaded in a thread while the server already answers."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import ModelNotLoadedError

if TYPE_CHECKING:
    from guided.llm import LLM

logger = logging.getLogger("guided.server")


class ModelHolder:
    """The model and how it came to be.

    load: gives the model; called once, in a thread. on_loaded: called there with it, before any request sees it.
    on_failure: called there with what `load` raised; None: it is logged. is_owned: `close` shuts the model down.
    llm: the model, None until it is loaded. load_error: why it can't be.
    """

    def __init__(
        self,
        load: Callable[[], LLM],
        *,
        is_owned: bool,
        on_loaded: Callable[[LLM], None],
        on_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        self.llm: LLM | None = None
        self.load_error: Exception | None = None
        self._load = load
        self._is_owned = is_owned
        self._on_loaded = on_loaded
        self._on_failure = on_failure
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="guided-load", daemon=True)

    def start(self) -> None:
        """Start to load."""
        self._thread.start()

    def require(self) -> LLM:
        """The model. Raises ModelNotLoadedError while there is none."""
        if self._is_closed:
            raise ModelNotLoadedError("the server is stopping")
        if self.load_error is not None:
            raise ModelNotLoadedError("the model could not be loaded; the server's log has the reason")
        if self.llm is None:
            raise ModelNotLoadedError("the model is still being loaded; try again later")
        return self.llm

    def close(self) -> None:
        """Shut down a model that was loaded here. One that is still being loaded follows when it is there."""
        with self._lock:
            self._is_closed = True
            llm = self.llm
        if llm is not None and self._is_owned:
            llm.shutdown()

    def _run(self) -> None:
        logger.info("loading the model; until it is there, requests get a 503 with retry-after")
        start_s = time.monotonic()
        try:
            llm = self._load()
            self._on_loaded(llm)
        except BaseException as error:  # noqa: BLE001 - kept in load_error, and logged or handed on
            self._fail(_as_exception(error))
            return
        with self._lock:
            self.llm = llm
            is_too_late = self._is_closed
        logger.info("ready: %s is loaded, after %.1f s", llm.model_name, time.monotonic() - start_s)
        if is_too_late and self._is_owned:
            llm.shutdown()

    def _fail(self, error: Exception) -> None:
        self.load_error = error
        if self._on_failure is None:
            logger.error("the model could not be loaded", exc_info=error)
        else:
            self._on_failure(error)


def _as_exception(error: BaseException) -> Exception:
    """The error; for what is no Exception (a panic of a Rust library) one due to it."""
    if isinstance(error, Exception):
        return error
    failure = RuntimeError(f"{type(error).__name__} while the model was loaded: {error}")
    failure.__cause__ = error
    return failure
