"""`EngineStats`: what an engine is doing and has done; `EngineCounters`: where it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class EngineStats:
    """Figures of one moment and sums since the start.

    active_requests: that hold a place in the batch. waiting_requests: that don't yet, or had to give theirs back.
    total_requests: ever submitted. cache_usage: share of the pages that running requests hold, 0.0 to 1.0.
    tokens_generated: new tokens of all requests, num_forced_tokens of them spelled from bytes that grammars forced.
    num_steps: passes of the model. num_saved_passes: rows' passes that forced tokens did without.
    jump_forward_share: num_saved_passes of all passes of rows that would have been made, 0.0 to 1.0.
    num_prompt_tokens: of requests that were begun, num_cached_prompt_tokens of them found computed.
    num_draft_tokens: that were guessed and read beforehand, num_accepted_draft_tokens of them taken: no pass for each.
    num_preemptions: how often a request gave its pages back to an older one, to start again later.
    num_pages: of the KV cache, num_free_pages of them available.
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
    """Of several engines together; shares are of their pages and of their passes together."""
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
    """The sums, changed by the engine's thread alone. num_sampled_tokens: those that took a pass of their row."""

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
        """See `EngineStats`."""
        num_passes = self.num_sampled_tokens + self.num_saved_passes
        return self.num_saved_passes / num_passes if num_passes else 0.0

    def count_new(self, num_tokens: int, num_forced: int) -> None:
        """So many new tokens in a step, and how many of them were forced."""
        self.num_new_tokens += num_tokens
        self.num_forced_tokens += num_forced

    def count_jumps(self, runs: Sequence[Sequence[int]]) -> None:
        """Tokens that rows took without a pass of the model, row by row."""
        num_tokens = sum(map(len, runs))
        self.count_new(num_tokens, num_tokens)
        self.num_saved_passes += num_tokens

    @property
    def new_tokens(self) -> tuple[int, int, int]:
        """New tokens so far, how many of them were forced, and the passes that did without."""
        return self.num_new_tokens, self.num_forced_tokens, self.num_saved_passes
