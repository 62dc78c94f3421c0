"""`EngineSettings`: the sizes of an engine's batch, cache and queue, and switches of its features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import Field, model_validator

from ..settings import Count, CountFromZero, Settings, Switch


class BatchSettings(Settings):
    """The fields of `EngineSettings` that a server offers as options."""

    panel: ClassVar[str | None] = "Model's batch"
    gone: ClassVar[Mapping[str, str]] = {
        "overlapped": "no pass of the model begins before the tokens of the last one are known; leave it out",
    }

    max_batch_size: Count = Field(default=64, description="Outputs that run together; more wait.")
    kv_cache_tokens: Count | None = Field(
        default=None,
        description="Tokens whose keys and values are kept, of running requests and of known prefixes; no request can "
        "be longer. Memory for all of them is set aside at the start. Default: a context for each row of a batch, "
        "within half of the free memory of a device, or within 1 GiB on a CPU. There, prefixes that no request uses "
        "take two contexts at most.",
    )
    page_size: Count = Field(default=16, description="Tokens of a page; full pages are what prefixes share.")
    max_prefill_tokens: Count = Field(
        default=512,
        description="Tokens of prompts that one step reads at most, an eighth of it while several callers are there; "
        "longer prompts take more steps.",
    )
    prefix_caching: Switch = Field(default=True, description="Keep what was computed for the beginnings of prompts.")
    jump_forward: Switch = Field(
        default=True, description="Read what a grammar forces in one pass, not token by token. The output is the same."
    )
    max_draft_tokens: CountFromZero = Field(
        default=7,
        description="Maximum number of tokens that a step guesses for each output, from its prompt and its text. Right "
        "guesses need no pass of their own. Steps with more than eight outputs guess nothing. The output is the "
        "same. 0: none.",
    )
    max_waiting_requests: CountFromZero | None = Field(
        default=None,
        description="How many may wait for a place in the batch before one more is refused (QueueFullError, 503). "
        "`LLM.generate` and `LLM.chat` ignore this limit. Default: no limit.",
    )
    num_threads: Count | None = Field(
        default=None,
        description="Threads that run the model on a CPU. Default: OMP_NUM_THREADS; else one for each 50 million "
        "parameters.",
    )

    @model_validator(mode="after")
    def _check_page(self) -> Self:
        if self.kv_cache_tokens is not None and self.kv_cache_tokens < self.page_size:
            raise ValueError(
                f"kv_cache_tokens must be at least page_size, {self.page_size}, not {self.kv_cache_tokens}"
            )
        return self


class EngineSettings(BatchSettings):
    """Limits of one engine. Outputs don't depend on them, only when they come."""

    short_steps: Switch = Field(
        default=False,
        description="On a CPU, several callers share a quarter of the batch, and a long prompt is read in every third "
        "step. A caller alone has three quarters. Each waits less for its next token; all together write less.",
    )
    max_returned_bytes: Count = Field(
        default=1 << 30,
        description="Maximum bytes of the logits and hidden states that one output may return: four for each number, "
        "for each token of the prompt and of max_new_tokens.",
    )
