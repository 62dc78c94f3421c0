"""How models write their calls: one file a family; `FAMILIES` has them all. A new one is a file and a line here."""

from __future__ import annotations

from ..syntax import ToolSyntax
from . import deepseek, hermes, llama3_json, mistral, qwen3_coder

FAMILIES: tuple[ToolSyntax, ...] = (
    hermes.HERMES,
    qwen3_coder.QWEN3_CODER,
    llama3_json.LLAMA3_JSON,
    mistral.MISTRAL,
    mistral.MISTRAL_IDS,
    mistral.MISTRAL_ARGS,
    deepseek.DEEPSEEK_V3,
    deepseek.DEEPSEEK_V31,
)
DEFAULT = hermes.HERMES
"""What models of a family that is not known are asked to write."""
