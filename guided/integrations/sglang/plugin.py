"""The entry point that SGLang calls in each of its processes."""

from __future__ import annotations

from typing import Any

from ..common.engines import SGLANG
from ..common.options import BACKEND

_is_registered = False


def register() -> None:
    """Entry point of `sglang.srt.plugins`: registers the backend's name and how to create the backend.

    The function is cheap, since it also runs in processes without grammars: it imports neither grammars nor kernels.
    """
    from sglang.srt.arg_groups.choices import GRAMMAR_BACKEND_CHOICES, add_grammar_backend_choices
    from sglang.srt.constrained.base_grammar_backend import register_grammar_backend

    global _is_registered
    if not _is_registered:
        SGLANG.warn_if_untested()
        _is_registered = True
    if BACKEND not in GRAMMAR_BACKEND_CHOICES:
        add_grammar_backend_choices([BACKEND])
    register_grammar_backend(BACKEND, _make_backend)


def _make_backend(server_args: Any, tokenizer: Any, vocab_size: int, eos_token_ids: Any = None) -> Any:
    from .backend import make_backend

    return make_backend(server_args, tokenizer, vocab_size, eos_token_ids)
