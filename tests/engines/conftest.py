"""Tests with an engine of others installed: `make engines`, then `make test-engines`. Elsewhere none is collected."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

MODULES = {"vllm": "vllm", "sglang": "sglang", "ray": "ray", "cohere": "cohere_melody"}
IS_THERE = {name: importlib.util.find_spec(module) is not None for name, module in MODULES.items()}


def is_wanted(path: Path) -> bool:
    """A file `test_ENGINE_...` needs that engine; any other one needs vLLM."""
    return IS_THERE.get(path.name.split("_")[1], IS_THERE["vllm"])


collect_ignore_glob = [path.name for path in Path(__file__).parent.glob("test_*.py") if not is_wanted(path)]

os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"  # the engine in this process, so that tests reach into it
os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "1")  # GiB

NGRAM = {"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_min": 1, "prompt_lookup_max": 3}


if IS_THERE["sglang"]:
    from .sglang_site import sitecustomize  # noqa: F401 - empty modules for what SGLang imports and nothing here needs


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tiny model of `models.py`. Treat it as read-only."""
    from .models import make_model

    return make_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def engine_arguments(model_folder: Path) -> dict[str, Any]:
    """Of `LLM` and of `EngineArgs`."""
    return {
        "model": str(model_folder),
        "structured_outputs_config": {"backend": "guided"},
        "enforce_eager": True,
        "dtype": "float32",
        "max_model_len": 512,
        "max_num_seqs": 8,
        "seed": 0,
    }


@pytest.fixture(scope="session")
def make_config(engine_arguments: dict[str, Any]) -> Callable[..., Any]:
    """Makes a `VllmConfig` of the tiny model, with other arguments."""

    def make(**changes: Any) -> Any:
        from vllm.config import StructuredOutputsConfig
        from vllm.engine.arg_utils import EngineArgs
        from vllm.plugins import load_general_plugins

        load_general_plugins()
        arguments = {**engine_arguments, **changes}
        arguments["structured_outputs_config"] = StructuredOutputsConfig(**arguments["structured_outputs_config"])
        return EngineArgs(**arguments).create_engine_config()

    return make


@pytest.fixture(scope="session")
def plain_config(make_config: Callable[..., Any]) -> Any:
    return make_config()


@pytest.fixture(scope="session")
def drafting_config(make_config: Callable[..., Any]) -> Any:
    return make_config(speculative_config=NGRAM)


@pytest.fixture(scope="session")
def sglang_driver() -> Callable[..., Any]:
    """Makes a `Driver` of SGLang's parts with the tiny model's tokenizer; the server's flags are its arguments."""
    from sglang.srt.plugins import load_plugins
    from transformers import PreTrainedTokenizerFast

    from tests.guided.tiny_model import MODEL_WIDTH, make_tokenizer

    from .sglang_driver import Driver

    load_plugins()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=make_tokenizer(), eos_token="<|im_end|>", pad_token="<|pad|>")
    ends = set(tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"]))

    def make(**flags: Any) -> Driver:
        return Driver(tokenizer, MODEL_WIDTH, ends, **flags)

    return make
