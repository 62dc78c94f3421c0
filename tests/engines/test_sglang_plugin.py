"""How SGLang finds the plug-in, and what it does where SGLang's internals have changed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sglang.srt.arg_groups.choices import GRAMMAR_BACKEND_CHOICES
from sglang.srt.constrained.base_grammar_backend import GRAMMAR_BACKEND_REGISTRY
from sglang.srt.constrained.grammar_manager import GrammarManager
from sglang.srt.plugins import load_plugins

from guided.integrations.common.engines import SGLANG
from guided.integrations.common.errors import EngineInternalsError
from guided.integrations.sglang import masks, plugin
from guided.integrations.sglang.backend import end_token_ids
from guided.integrations.sglang.requests import hook_requests


def test_this_version_is_one_of_the_tested() -> None:
    assert not SGLANG.warn_if_untested()


def test_the_entry_point_makes_the_name_known_once() -> None:
    load_plugins()
    plugin.register()
    assert GRAMMAR_BACKEND_CHOICES.count("guided") == 1
    assert GRAMMAR_BACKEND_REGISTRY["guided"] is plugin._make_backend


def test_the_command_line_takes_it() -> None:
    from sglang.srt.server_args import prepare_server_args

    load_plugins()
    arguments = ["--model-path", "dummy", "--grammar-backend", "guided"]
    assert prepare_server_args(arguments).grammar_backend == "guided"


@pytest.mark.parametrize("name", ["process_req_with_grammar", "_apply_request_reasoning_config"])
def test_a_changed_place_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def other(self: Any, request: Any) -> None:
        pass

    monkeypatch.setattr(GrammarManager, name, other)
    with pytest.raises(EngineInternalsError, match=rf"SGLang 0\.5\.\d+: .*{name} takes \(self, request\)"):
        hook_requests()


def test_all_that_sglang_ends_texts_at_are_ends() -> None:
    class Tokenizer:
        eos_token_id = 5
        additional_stop_token_ids = (7, 8)

    assert end_token_ids(Tokenizer(), {3, 5}) == {3, 5, 7, 8}
    assert end_token_ids(Tokenizer(), 3) == {3, 5, 7, 8}


def test_on_a_gpu_sglangs_own_kernels_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """They can't run here; what they are given is what SGLang's other backends give them."""
    from sglang.kernels.ops.grammar import bitmask_ops, token_filter_ops

    asked: list[Any] = []
    monkeypatch.setattr(bitmask_ops, "apply_token_bitmask_inplace_triton", lambda *given: asked.append(given))
    monkeypatch.setattr(token_filter_ops, "set_token_filter_triton", lambda *given, **more: asked.append((given, more)))
    on_gpu: Any = SimpleNamespace(device=SimpleNamespace(type="cuda"))
    mask: Any = SimpleNamespace(device=on_gpu.device)
    masks.apply_mask(on_gpu, mask)
    masks.set_token_filter(mask, [3], 1, False, reset_vocab_mask=False)
    assert asked == [(on_gpu, mask), ((mask, [3], 1), {"is_allowed": False, "reset_vocab_mask": False})]
