"""Ranks of a tensor-parallel model that take the same token.

Each rank computes the same logits but for the last bits, which depend on the order of a reduction. Where two tokens are
that close, ranks could choose differently; under a grammar their automata would then part for good.
"""

from __future__ import annotations

import os
from dataclasses import replace

from torch import distributed

from guided.grammars.errors import InvalidInputError

from .base import NO_TOKEN_ID, SamplerOutput

SYNC_VARIABLE = "SYNC_TOKEN_IDS_ACROSS_TP"  # as in SGLang
_SWITCHES = {"1": True, "true": True, "0": False, "false": False, "": False}


def syncs_every_step() -> bool:
    """Whether the environment asks ranks to agree on the tokens of every step, not only of those with a grammar.

    Raises InvalidInputError for a value that is not 1, true, 0 or false.
    """
    value = os.environ.get(SYNC_VARIABLE, "")
    if value.lower() not in _SWITCHES:
        raise InvalidInputError(f"the environment's {SYNC_VARIABLE} must be 1, true, 0 or false, not {value!r}")
    return _SWITCHES[value.lower()]


def agree_on_tokens(output: SamplerOutput, process_group: distributed.ProcessGroup) -> SamplerOutput:
    """The output that all ranks of the group share: in each row the smallest token id that a rank chose.

    Collective: every rank of `process_group` calls it, with outputs of the same rows in the same order. A row for which
    some rank has no token allowed ends on all of them. The output given is not changed.
    """
    token_ids = output.token_ids.clone()
    distributed.all_reduce(token_ids, op=distributed.ReduceOp.MIN, group=process_group)
    return replace(output, token_ids=token_ids, no_allowed=token_ids == NO_TOKEN_ID)
