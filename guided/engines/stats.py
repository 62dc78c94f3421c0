"""`EngineStats`: an engine's present figures and sums. `EngineCounters`: the counters behind the sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class EngineStats:
    """Present figures of an engine, and sums since its start.

    Attributes:
        active_requests: number of requests in the batch.
        waiting_requests: number of requests that wait for a place, or lost theirs.
        total_requests: number of requests ever submitted.
        cache_usage: share of the pages that running requests hold, 0.0 to 1.0.
        tokens_generated: number of new tokens of all requests.
        num_steps: number of passes of the model.
        num_forced_tokens: number of new tokens that spell bytes that grammars forced.
        num_saved_passes: number of passes of single rows that forced tokens made unnecessary.
        jump_forward_share: share of saved passes in all passes of rows that would have been needed, 0.0 to 1.0.
        num_prompt_tokens: number of prompt tokens of the requests that were started.
        num_cached_prompt_tokens: number of these tokens whose computation was cached.
        num_draft_tokens: number of guessed tokens that passes have read.
        num_accepted_draft_tokens: number of these tokens that were right, so that they needed no pass of their own.
        num_preemptions: number of times that a request lost its pages to an older one and had to start again.
        num_pages: number of pages of the KV cache.
        num_free_pages: number of free pages.
    """

    active_requests: int = 0
    waiting_requests: int = 0
    total_requests: int = 0
    cache_usage: float = 0.0
    tokens_generated: int = 0
    num_steps: int = 0
    num_forced_tokens: int = 0
    num_saved_passes: int = 0
    jump_forward_share: float = 0.0
    num_prompt_tokens: int = 0
    num_cached_prompt_tokens: int = 0
    num_draft_tokens: int = 0
    num_accepted_draft_tokens: int = 0
    num_preemptions: int = 0
    num_pages: int = 0
    num_free_pages: int = 0


def sum_of(stats: Sequence[EngineStats]) -> EngineStats:
    """The figures of several engines together. Shares refer to all their pages and passes."""
    if len(stats) == 1:
        return stats[0]
    numbers = {one.name: sum(getattr(each, one.name) for each in stats) for one in fields(EngineStats)}
    num_held_pages = sum(each.cache_usage * each.num_pages for each in stats)
    numbers["cache_usage"] = num_held_pages / numbers["num_pages"] if numbers["num_pages"] else 0.0
    num_passes = numbers["tokens_generated"] - numbers["num_forced_tokens"] + numbers["num_saved_passes"]
    numbers["jump_forward_share"] = numbers["num_saved_passes"] / num_passes if num_passes else 0.0
    return EngineStats(**numbers)


@dataclass
class EngineCounters:
    """The sums of `EngineStats`. Only the engine's thread changes them.

    Attributes:
        num_sampled_tokens: number of tokens that needed a pass of their row.
    """

    total_requests: int = 0
    num_steps: int = 0
    num_sampled_tokens: int = 0
    num_new_tokens: int = 0
    num_forced_tokens: int = 0
    num_saved_passes: int = 0
    num_prompt_tokens: int = 0
    num_cached_prompt_tokens: int = 0
    num_draft_tokens: int = 0
    num_accepted_draft_tokens: int = 0
    num_preemptions: int = 0

    @property
    def jump_forward_share(self) -> float:
        """Share of saved passes in all passes of rows that would have been needed, 0.0 to 1.0."""
        num_passes = self.num_sampled_tokens + self.num_saved_passes
        return self.num_saved_passes / num_passes if num_passes else 0.0

    def count_new(self, num_tokens: int, num_forced: int) -> None:
        """Add new tokens. num_forced: number of them that were forced."""
        self.num_new_tokens += num_tokens
        self.num_forced_tokens += num_forced

    def count_jumps(self, runs: Sequence[Sequence[int]]) -> None:
        """Add the tokens that rows took without a pass of the model. runs: the tokens of each row."""
        num_tokens = sum(map(len, runs))
        self.count_new(num_tokens, num_tokens)
        self.num_saved_passes += num_tokens

    def stats(self, **present: Any) -> EngineStats:
        """The sums, with present figures: fields of `EngineStats`."""
        sums = {one.name: getattr(self, one.name) for one in fields(EngineStats) if hasattr(self, one.name)}
        return EngineStats(**{**sums, "tokens_generated": self.num_new_tokens, **present})

    @property
    def new_tokens(self) -> tuple[int, int, int]:
        """(number of new tokens so far, of forced tokens, of saved passes)."""
        return self.num_new_tokens, self.num_forced_tokens, self.num_saved_passes
