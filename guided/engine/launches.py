"""`Launcher`: begins passes of the model, which go on while the host does something else.

A CUDA device has a queue of its own: what is launched runs while the host goes on. On a CPU a thread stands for it,
so that the same loop can be run, and tested, there. It is not worth it there: Python runs one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import fields, replace
from typing import Any, TypeVar

import torch

from guided.grammars.daemon_threads import DaemonThreads

from ..sampler import LogprobsOutput, SamplerOutput
from .paged import Chunk, PagedModel
from .threads import use_threads

Output = TypeVar("Output", SamplerOutput, LogprobsOutput)


Launch = torch.Tensor | Future[torch.Tensor]
"""A pass that has begun: its logits, (N, V). Until it is finished no other may begin, and nothing be reserved."""


class Launcher:
    """model: that runs. is_overlapped: a pass goes on beside the host, else `launch` returns when it is done.

    None: where the model is not on a CPU.
    """

    def __init__(self, model: PagedModel, *, is_overlapped: bool | None) -> None:
        device = model.layout.device.type
        self.is_overlapped = device != "cpu" if is_overlapped is None else is_overlapped
        self._model = model
        self._thread = DaemonThreads(1, "guided-forward") if self.is_overlapped and device != "cuda" else None
        self._num_threads = 0  # of torch, in that thread
        self._future: Future[torch.Tensor] | None = None

    def launch(self, chunks: Sequence[Chunk], newest: torch.Tensor | None = None) -> Launch:
        """Begin a pass over the chunks; newest: see `PagedModel.prepare`."""
        if not self.is_overlapped:
            return self._model.forward(chunks)
        run = self._model.prepare(chunks, newest)
        if self._thread is None:
            return run()
        if self._num_threads != torch.get_num_threads():
            self._num_threads = torch.get_num_threads()
            self._thread.submit(use_threads, self._num_threads)
        self._future = self._thread.submit(run)
        return self._future

    def finish(self, launch: Launch, chunks: Sequence[Chunk]) -> torch.Tensor:
        """The logits, as `PagedModel.forward` gives them, which may be still to come on the device.

        chunks: those of them that go on, with tokens that the host knows; they count as cached from now on.
        Raises what the model raised.
        """
        logits = launch if isinstance(launch, torch.Tensor) else launch.result()
        if self.is_overlapped:
            self._model.commit(chunks)
        return logits

    def settle(self) -> None:
        """Wait until what was launched has ended; whatever came of it."""
        if self._future is not None:
            self._future.exception()

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._thread.close()


def copy_to_host(output: SamplerOutput) -> Callable[[], SamplerOutput]:
    """Begin to copy what was sampled to the host; a call of what is returned waits for the copy, and for nothing that
    is launched meanwhile."""
    device = output.token_ids.device
    if device.type == "cpu":
        return lambda: output
    copied = _copied(output)
    event = torch.cuda.current_stream(device).record_event() if device.type == "cuda" else None

    def wait() -> SamplerOutput:
        if event is not None:
            event.synchronize()
        return copied

    return wait


def _copied(output: Output) -> Output:
    """In pinned memory where it comes from a CUDA device."""
    values: dict[str, Any] = {field.name: _on_host(getattr(output, field.name)) for field in fields(output)}
    return replace(output, **values)


def _on_host(value: torch.Tensor | LogprobsOutput | None) -> torch.Tensor | LogprobsOutput | None:
    if isinstance(value, LogprobsOutput):
        return _copied(value)
    if value is None or value.device.type == "cpu":
        return value
    if value.device.type != "cuda":
        return value.cpu()
    return torch.empty(value.shape, dtype=value.dtype, pin_memory=True).copy_(value, non_blocking=True)
