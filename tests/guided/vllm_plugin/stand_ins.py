"""What the plug-in looks at of vLLM's objects, for tests that run without vLLM."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Outputs:
    """Of `StructuredOutputsParams`."""

    json: Any = None
    regex: str | None = None
    choice: Any = None
    grammar: str | None = None
    json_object: bool | None = None
    structural_tag: str | None = None
    disable_any_whitespace: bool = False
    disable_additional_properties: bool = False
    whitespace_pattern: str | None = None
    _backend: str | None = None


@dataclass
class Params:
    """Of `SamplingParams`."""

    structured_outputs: Outputs | None = None
    extra_args: dict[str, Any] | None = None
    seed: int | None = None
    min_tokens: int = 0
    all_stop_token_ids: set[int] = field(default_factory=set)


class Request:
    """Of `Request`."""

    def __init__(self, max_tokens: int = 100, num_prompt_tokens: int = 4, params: Params | None = None) -> None:
        self.request_id = "one"
        self.max_tokens = max_tokens
        self.num_prompt_tokens = num_prompt_tokens
        self.num_output_tokens = 0
        self.sampling_params = params or Params()
        self.stop_reason: str | None = None


@dataclass
class ModelConfig:
    """Of `ModelConfig`."""

    vocab_size: int
    eos_token_ids: Any = None

    def get_vocab_size(self) -> int:
        return self.vocab_size

    def try_get_generation_config(self) -> dict[str, Any]:
        return {} if self.eos_token_ids is None else {"eos_token_id": self.eos_token_ids}
