"""`TritonPass`: a packed forward on CUDA, where all chunks read the pages in place, in one launch a layer."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any, ClassVar

import torch
import triton

from ...sampler.triton_backend.compiled import is_interpreted
from .attention import AttentionOptions
from .torch_attention import TorchPass
from .triton_kernels import attend_tiles, merge_splits

MAX_ROWS = 64  # queries of a program, tokens times heads. PERF: a guess
MAX_BLOCK = 64  # positions that a program looks at in one go
STAGES = 2  # blocks of keys and values that are on their way at once
H100_SHARED_BYTES = 228 << 10  # of a multiprocessor
WANTED_PROGRAMS = 264  # two for each multiprocessor of an H100
MAX_SPLITS = 32
LAUNCH = {"enable_fp_fusion": True}  # a product and a sum may be rounded once


class TritonPass(TorchPass):
    """As `TorchPass`, in Triton kernels.

    With TRITON_INTERPRET=1 its kernels run on the CPU, slowly, for tests.
    """

    tile_tokens: ClassVar[int] = 16

    def _attend(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        """See `TorchPass._attend`."""
        with _device_of(query):
            self._launch(layer, query if query.stride(2) == 1 else query.contiguous(), options, output)

    def _launch(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        plan, layout = self._plan, self._storage.layout
        keys, values = self._storage.keys[layer], self._storage.values[layer]
        num_heads, num_tokens, _ = query.shape
        group = num_heads // layout.num_kv_heads
        heads = min(triton.next_power_of_2(group), MAX_ROWS // plan.tile)
        key_room, value_room = (max(16, triton.next_power_of_2(dim)) for dim in (layout.key_dim, layout.value_dim))
        rows = max(16, plan.tile * heads)
        grid = (len(plan.tiles), layout.num_kv_heads * -(-group // heads))
        splits = min(MAX_SPLITS, triton.next_power_of_2(max(1, WANTED_PROGRAMS // (grid[0] * grid[1]))))
        parts, normalisers = output, output
        if splits > 1:
            parts = output.new_empty((splits, *output.shape), dtype=torch.float32)
            normalisers = output.new_empty((splits, num_tokens, num_heads), dtype=torch.float32)
        attend_tiles[(*grid, splits)](
            query, keys, values, plan.tiles, plan.position_ids, plan.token_pages, plan.pages, parts, normalisers,
            query.stride(0), query.stride(1), num_tokens, splits, layout.num_kv_heads, group, float(options.scaling),
            float(options.softcap or 0.0), options.window or 0, HAS_WINDOW=options.window is not None,
            HAS_SOFTCAP=options.softcap is not None, WIDENS=is_interpreted() and query.dtype == torch.bfloat16,
            PAGE_SIZE=self._storage.page_size, KEY_DIM=layout.key_dim, VALUE_DIM=layout.value_dim, KEY_ROOM=key_room,
            VALUE_ROOM=value_room, HEADS=heads, ROWS=rows,
            BLOCK=_block(rows * key_room, key_room + value_room, query), IS_SPLIT=splits > 1,
            num_warps=4 if value_room <= 128 else 8, num_stages=STAGES, **LAUNCH,
        )  # fmt: skip
        if splits > 1:
            merge_splits[(num_tokens * num_heads,)](
                parts, normalisers, output, num_tokens * num_heads, VALUE_DIM=layout.value_dim, VALUE_ROOM=value_room,
                SPLITS=splits, num_warps=1, **LAUNCH,
            )  # fmt: skip


def _block(query_room: int, position_room: int, query: torch.Tensor) -> int:
    """How many positions of a block fit the shared memory beside the queries. Both rooms: in numbers as the query's."""
    most = (_shared_bytes(query.device) // query.element_size() - query_room) // (STAGES * position_room)
    return MAX_BLOCK if most >= MAX_BLOCK else 1 << max(16, most).bit_length() - 1


@cache
def _shared_bytes(device: torch.device) -> int:
    """Of a program; the driver keeps 1 KiB of a multiprocessor's, and reductions need some too."""
    is_cuda = device.type == "cuda"
    whole = torch.cuda.get_device_properties(device).shared_memory_per_multiprocessor if is_cuda else H100_SHARED_BYTES
    return whole - (4 << 10)


def check_device(device: torch.device) -> None:
    """Raise ValueError for a device that Triton does not run on."""
    if device.type != "cuda" and not is_interpreted():
        raise ValueError(
            f"attention 'triton' is for CUDA, not {device}; set TRITON_INTERPRET=1 before Triton is imported to try it "
            "on the CPU"
        )


def _device_of(tensor: torch.Tensor) -> AbstractContextManager[Any]:
    """Kernels run on the tensor's GPU, also where another one is current."""
    device_of: Any = torch.cuda.device_of  # torch leaves it untyped
    return device_of(tensor)  # type: ignore[no-any-return]
