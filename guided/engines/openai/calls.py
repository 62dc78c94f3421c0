"""`CallWriter`: checks the calls that another server sends as JSON, and writes them as text for our readers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guided.grammars.protocol import CompiledGrammar

from ...errors import EndpointAnswerError
from ...tools.definitions import ToolUse
from .failures import no_answer
from .prompts import SYNTAX
from .text_check import TextCheck


class CallWriter:
    """Writes the calls of one output.

    use: attribute; the tools that may be called.
    grammars: tool name -> grammar of the arguments of its calls, for all tools that may be called.
    where: the server's address, for messages.
    """

    def __init__(self, use: ToolUse, grammars: Mapping[str, CompiledGrammar], where: str) -> None:
        self.use = use
        self._grammars = grammars
        self._where = where
        self._check: TextCheck | None = None  # checks the current call
        self._key: Any = None
        self.num_calls = 0

    def push(self, deltas: Any) -> str:
        """Take pieces of calls; returns their text for our readers. Raises EndpointAnswerError."""
        if not isinstance(deltas, list) or not all(isinstance(delta, Mapping) for delta in deltas):
            raise no_answer("tool_calls is no list of objects", self._where)
        return "".join(self._take(delta) for delta in deltas)

    def finish(self, *, is_cut: bool) -> str:
        """The end of the last call. is_cut: True: the call may be incomplete, else EndpointAnswerError is raised."""
        check = self._check
        if check is None or (is_cut and not check.is_complete):
            return ""
        text = "" if check.is_begun else check.push("{}")  # some servers write an empty text for no arguments
        check.finish()
        self._check = None
        return text + SYNTAX.closer

    def _take(self, delta: Mapping[str, Any]) -> str:
        function = delta.get("function")
        if not isinstance(function, Mapping):
            raise no_answer("a call names no function", self._where)
        name, arguments = function.get("name"), function.get("arguments")
        key = delta.get("index", delta.get("id") or self._key)
        text = ""
        if self._check is None or key != self._key or (name and "index" not in delta):
            text = self.finish(is_cut=False) + self._begin(name)
            self._key = key
        assert self._check is not None
        return text + self._check.push(arguments if isinstance(arguments, str) else "")

    def _begin(self, name: Any) -> str:
        if not isinstance(name, str) or name not in self._grammars:
            known = ", ".join(self._grammars)
            raise EndpointAnswerError(
                f"the endpoint calls {name!r}, which the request does not offer; it offers {known}", self._where
            )
        self.num_calls += 1
        is_single = self.use.only is not None or not self.use.parallel
        if is_single and self.num_calls > 1:
            raise EndpointAnswerError("the endpoint makes several calls where one was asked for", self._where)
        self._check = TextCheck(self._grammars[name], f"the endpoint's arguments for {name}", is_json=True)
        return SYNTAX.opener(name)
