"""`DecodeGraphs`: steps in which every row takes one token, captured once for each bucket of rows and replayed.

A small model's step is hundreds of launches that the host hardly keeps up with; a CUDA graph is one. The steps of a
bucket (1, 2, 4, 8, ... rows) read their integers from the same addresses of the `InputBuffer`, so all that differs is
what lies there. Rows that fill a bucket up write to the null page.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

import torch

from .plan import ForwardPlan
from .sequence import Chunk, PagedSequence

MAX_ROWS = 256  # of a bucket; larger steps keep the device busy without a graph

Step = Callable[[], torch.Tensor]
Capture = Callable[[Step], Step]
"""From a step to what does the same launches again, on the same memory, and returns the same tensor."""

log = logging.getLogger(__name__)


class DecodeGraphs:
    """plan, forward: of a runner whose launches depend on the number of rows alone. null_page: of the storage.

    A bucket is captured when it is first needed. A model whose step can't be captured, such as one that asks the device
    for numbers, is run as it is from then on; the log says why.
    """

    def __init__(
        self,
        plan: Callable[[Sequence[Chunk], torch.Tensor | None], ForwardPlan],
        forward: Callable[[ForwardPlan], torch.Tensor],
        null_page: int,
        capture: Capture,
    ) -> None:
        self._plan = plan
        self._forward = forward
        self._capture = capture
        nobody = PagedSequence()
        nobody.append_pages([null_page])
        self._filling = Chunk(nobody, [0], [0])
        self._address = 0  # of what a plan sends
        self._replays: dict[int, Step] = {}  # by rows of a bucket
        self._is_possible = True
        self._max_rows = MAX_ROWS

    def takes(self, chunks: Sequence[Chunk]) -> bool:
        """Whether the chunks are a step of single tokens, all of whose logits, and nothing else, are wanted."""
        return (
            self._is_possible
            and len(chunks) <= self._max_rows
            and all(
                len(chunk.token_ids) == len(chunk.logit_positions) == 1 and not chunk.wants_hidden for chunk in chunks
            )
        )

    def prepare(self, chunks: Sequence[Chunk], newest: torch.Tensor | None = None) -> Step:
        """What gives the logits of such a step, (N, V), in memory of their own. newest: see `PagedModel.prepare`."""
        num_rows = len(chunks)
        bucket = 1 << (num_rows - 1).bit_length()
        plan = self._plan([*chunks, *[self._filling] * (bucket - num_rows)], newest)
        return partial(self._run, bucket, num_rows, plan)

    def _run(self, bucket: int, num_rows: int, plan: ForwardPlan) -> torch.Tensor:
        if plan.input_ids.data_ptr() != self._address:
            self._address = plan.input_ids.data_ptr()
            self._replays.clear()
        if bucket not in self._replays and not self._add(bucket, plan):
            return self._forward(plan)[:num_rows]
        return self._replays[bucket]()[:num_rows].clone()

    def _add(self, bucket: int, plan: ForwardPlan) -> bool:
        """Capture a bucket's step; False where that is not possible."""
        try:
            self._replays[bucket] = self._capture(partial(self._forward, plan))
        except torch.OutOfMemoryError as error:
            log.warning("no memory for a CUDA graph of %d rows; steps of so many run without: %s", bucket, error)
            self._max_rows = bucket // 2
            return False
        except RuntimeError as error:
            log.warning("the model's steps can't be captured in CUDA graphs and run without: %s", error)
            self._is_possible = False
        return self._is_possible


class CudaCapture:
    """A `Capture` in CUDA graphs. They share their memory, as no two of them run at the same time."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._pool = torch.cuda.graph_pool_handle()
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]

    def __call__(self, step: Step) -> Step:
        """Capture a step, once it has run: that compiles its kernels. Other threads may use the device meanwhile."""
        graph = torch.cuda.CUDAGraph()
        current = torch.cuda.current_stream(self._device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            step()
        current.wait_stream(self._stream)
        with (
            torch.cuda.device(self._device),
            torch.cuda.graph(graph, pool=self._pool, stream=self._stream, capture_error_mode="thread_local"),
        ):
            logits = step()

        def replay() -> torch.Tensor:
            graph.replay()
            return logits

        return replay
