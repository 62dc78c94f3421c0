"""Ranks of a tensor-parallel model that take the same token.

Each rank computes the same logits but for the last bits, which depend on the order of a reduction. Where two tokens are
that close, ranks could choose differently; under a grammar their automata would then part for good.
"""

from __future__ import annotations

from dataclasses import replace

from torch import distributed

from .base import NO_TOKEN_ID, SamplerOutput


def agree_on_tokens(output: SamplerOutput, process_group: distributed.ProcessGroup) -> SamplerOutput:
    """The output that all ranks of the group share: in each row the smallest token id that a rank chose.

    Collective: every rank of `process_group` calls it, with outputs of the same rows in the same order. A row for which
    some rank has no token allowed ends on all of them. The output given is not changed.
    """
    token_ids = output.token_ids.clone()
    distributed.all_reduce(token_ids, op=distributed.ReduceOp.MIN, group=process_group)
    return replace(output, token_ids=token_ids, no_allowed=token_ids == NO_TOKEN_ID)
