"""Paged attention in Triton kernels: the compiler takes them. `test_triton_sampler.py` runs their checks."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="triton is not installed")
SHARED_MEMORY = 227 << 10  # of a program on an H100


def compiled(name: str, constants: dict[str, Any], pointers: dict[str, str], num_warps: int) -> Any:
    """A kernel as machine code for an H100. pointers: their types, where not int64; numbers are int32 or float32."""
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource, compile

    from guided.engine.paged import triton_kernels
    from guided.engine.paged.triton_attention import LAUNCH

    kernel = getattr(triton_kernels, name)
    types = dict.fromkeys(("scaling", "softcap"), "fp32")
    types |= dict.fromkeys(("num_tokens", "num_splits", "num_rows", "num_kv_heads", "group", "window"), "i32")
    types |= dict.fromkeys(("query_head_stride", "query_token_stride"), "i32")
    types |= dict.fromkeys(("tiles", "positions", "token_pages", "pages"), "*i64") | pointers
    names = kernel.arg_names
    signature = {arg: "constexpr" if arg in constants else types[arg] for arg in names}
    aligned = {
        (i,): [["tt.divisibility", 16]]
        for i, arg in enumerate(names)
        if (signature[arg].startswith("*") and signature[arg] != "*i64") or "stride" in arg
    }
    values = {(i,): constants[arg] for i, arg in enumerate(names) if arg in constants}
    source = ASTSource(fn=kernel, signature=signature, constexprs=values, attrs=aligned)
    return compile(
        source, target=GPUTarget("cuda", 90, 32), options={"num_warps": num_warps, "num_stages": 2, **LAUNCH}
    )


@pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="interpreted kernels are not compiled")
@pytest.mark.parametrize(
    ("dtype", "dim", "rows", "block", "splits"),
    [
        ("bf16", 128, 16, 64, 16),
        pytest.param("bf16", 128, 64, 64, 1, marks=pytest.mark.slow),
        pytest.param("fp16", 256, 64, 64, 1, marks=pytest.mark.slow),
        pytest.param("fp32", 256, 64, 32, 1, marks=pytest.mark.slow),
    ],
)
def test_kernels_compile_for_a_gpu(dtype: str, dim: int, rows: int, block: int, splits: int) -> None:
    pointer, partial = f"*{dtype}", "*fp32" if splits > 1 else f"*{dtype}"
    constants = {
        "HAS_WINDOW": True,
        "HAS_SOFTCAP": True,
        "WIDENS": False,
        "PAGE_SIZE": 16,
        "KEY_DIM": dim,
        "VALUE_DIM": dim,
        "KEY_ROOM": dim,
        "VALUE_ROOM": dim,
        "HEADS": 4,
        "ROWS": rows,
        "BLOCK": block,
        "IS_SPLIT": splits > 1,
    }
    pointers = {"query": pointer, "keys": pointer, "values": pointer, "output": partial, "normalisers": "*fp32"}
    kernel = compiled("attend_tiles", constants, pointers, 4 if dim <= 128 else 8)
    assert kernel.asm["cubin"]
    assert kernel.metadata.shared <= SHARED_MEMORY
    constants = {"VALUE_DIM": dim, "VALUE_ROOM": dim, "SPLITS": 16}
    pointers = {"parts": "*fp32", "normalisers": "*fp32", "output": pointer}
    assert compiled("merge_splits", constants, pointers, 1).asm["cubin"]
