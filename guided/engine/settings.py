"""`EngineSettings`: how much an engine runs at once, and what it may keep."""

from __future__ import annotations

from dataclasses import dataclass

from guided.grammars.errors import InvalidInputError


@dataclass(frozen=True)
class EngineSettings:
    """Limits of one engine. Outputs don't depend on them, only when they come.

    max_batch_size: requests that run together; more wait.
    kv_cache_tokens: tokens whose keys and values are kept, of running requests and of known prefixes; memory for all of
        them is set aside at the start. None: a whole context for each row of a batch, within 1 GiB on a CPU and half of
        the free memory of another device. A request can't be longer than this, whatever the model's context.
    page_size: tokens of a page; full pages are what prefixes share.
    max_prefill_tokens: tokens of prompts that one step reads beside the running rows; longer prompts take more steps,
        so that rows that write are not kept waiting. Where so many make steps long for others, fewer are read.
    prefix_caching: keep what was computed for prompts' beginnings, and use it for requests that begin alike.
    jump_forward: tokens that a grammar forces are read in one pass instead of one by one. The output is the same.
    max_waiting_requests: how many may wait for a place in the batch, >= 0, before `LLM.start` raises QueueFullError;
        None: any number. Lists given to `LLM.generate` and the like are not refused.
    num_threads: threads of torch that run the model on a CPU. None: one for each 50 million parameters, at most as many
        as torch has; OMP_NUM_THREADS decides instead where it is set.
    Raises InvalidInputError for a number out of range.
    """

    max_batch_size: int = 64
    kv_cache_tokens: int | None = None
    page_size: int = 16
    max_prefill_tokens: int = 512
    prefix_caching: bool = True
    jump_forward: bool = True
    max_waiting_requests: int | None = None
    num_threads: int | None = None

    def __post_init__(self) -> None:
        for name, minimum in (("max_batch_size", 1), ("page_size", 1), ("max_prefill_tokens", 1)):
            _check(name, getattr(self, name), minimum)
        for name, minimum in (("kv_cache_tokens", self.page_size), ("max_waiting_requests", 0), ("num_threads", 1)):
            if getattr(self, name) is not None:
                _check(name, getattr(self, name), minimum)
        for name in ("prefix_caching", "jump_forward"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInputError(f"{name} must be True or False, not {getattr(self, name)!r}")


def _check(name: str, value: object, minimum: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        raise InvalidInputError(f"{name} must be a whole number of at least {minimum}, not {value!r}")
