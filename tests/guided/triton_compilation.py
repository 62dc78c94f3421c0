"""Compiles the Triton kernels for a Hopper GPU, without having one.

What runs as numpy operations is not yet what Triton's compiler takes.
"""

from __future__ import annotations

from typing import Any

from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, compile

from guided.sampler.triton_backend import (
    GROUP,
    LISTED_GROUPS,
    SEARCH_BLOCK,
    SEARCH_WARPS,
    TRIED_KEYS,
    limits,
    passes,
)
from guided.sampler.triton_backend.compiled import LAUNCH

TARGET = GPUTarget("cuda", 90, 32)
_CHUNKED = {"CHUNK": 4096, "CHUNKS": 64, "GROUP": GROUP, "GROUPS": 8192, "IS_MASKED": True, "HAS_LIMITS": True}
_CONSTANTS = {
    **_CHUNKED,
    "HAS_GROUPS": True,
    "HAS_MIN_P": True,
    "IS_DRAWN": True,
    "BLOCK": SEARCH_BLOCK,
    "TRIED": TRIED_KEYS,
    "LISTED": LISTED_GROUPS,
}
_INT32 = ["words", "maxima_ids", "top_ks", "listed", "limit_ids", "best_ids", "token_ids"]
_FLOAT32 = ["temperatures", "top_ps", "min_ps"]
_BOOLS = ["is_greedy", "is_joint"]
_INT64 = ["seeds", "positions"]
_WIDENED = ["maxima", "group_maxima", "best_values"]
_NUMBERS = [
    "logits_stride",
    "words_stride",
    "num_columns",
    "num_words",
    "num_chunks",
    "num_groups",
    "no_token_id",
]
KERNELS = {
    kernel.fn.__name__: (kernel, num_warps)
    for kernel, num_warps in (
        (passes.find_chunk_maxima, 8),
        (passes.sum_chunks, 8),
        (passes.draw_chunks, 8),
        (passes.finish_rows, 1),
        (limits.find_limits, SEARCH_WARPS),
    )
}


def argument_types(dtype: str) -> dict[str, str]:
    """Triton's type of each kernel argument by its name, for logits of this type: "fp32", "bf16", "fp16", "fp64"."""
    widened, key = ("fp64", "i64") if dtype == "fp64" else ("fp32", "i32")
    types = {"logits": f"*{dtype}", "masses": "*fp64", "limit_keys": f"*{key}", "kept_share": "fp32"}
    kinds = ((_INT32, "*i32"), (_FLOAT32, "*fp32"), (_BOOLS, "*i1"), (_INT64, "*i64"), (_NUMBERS, "i32"))
    for names, kind in (*kinds, (_WIDENED, f"*{widened}")):
        types |= dict.fromkeys(names, kind)
    return types


def compiled(name: str, dtype: str) -> Any:
    """A kernel as machine code for `TARGET`."""
    kernel, num_warps = KERNELS[name]
    types, constants = argument_types(dtype), _CONSTANTS
    signature = {argument: types.get(argument, "constexpr") for argument in kernel.arg_names}
    wanted = {(place,): constants[argument] for place, argument in enumerate(kernel.arg_names) if argument in constants}
    source = ASTSource(kernel, signature, constexprs=wanted)
    return compile(source, target=TARGET, options={"num_warps": num_warps, **LAUNCH})
