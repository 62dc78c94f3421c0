"""Hooks into vLLM, see `guided.integrations.common.hooks`."""

from __future__ import annotations

import functools

from ..common import hooks
from .versions import VLLM

hook = functools.partial(hooks.hook, VLLM)
internals_error = VLLM.internals_error
