"""The known syntaxes, and which of them a model's chat template writes. A new one is a file and a line here."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from ..syntax import ToolSyntax
from . import deepseek, hermes, llama3_json, mistral, qwen3_coder

FINDERS: tuple[Callable[[str], ToolSyntax | None], ...] = (
    deepseek.find,
    mistral.find,
    llama3_json.find,
    hermes.find,
    qwen3_coder.find,
)
DEFAULT = hermes.HERMES


@dataclass(frozen=True)
class ToolSupport:
    """What a chat template does for tools.

    syntax: how calls are written. shows_tools: it shows the definitions itself, given as `tools`; False: a system
    message has to explain them. writes_calls: it writes former calls and their results; False: they become text.
    """

    syntax: ToolSyntax
    shows_tools: bool
    writes_calls: bool


@lru_cache(maxsize=16)
def find_support(template: str) -> ToolSupport:
    """The support of a chat template. A template with a syntax that is not known here is used as if it had none."""
    syntax = next((found for find in FINDERS if (found := find(template)) is not None), None)
    if syntax is None:
        return ToolSupport(DEFAULT, shows_tools=False, writes_calls=False)
    return ToolSupport(
        syntax,
        shows_tools=re.search(r"\btools\b", template) is not None,
        writes_calls="tool_calls" in template,
    )
