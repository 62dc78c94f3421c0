"""`InputBuffer`: the integers of one step, written on the host and brought to the device in one copy."""

from __future__ import annotations

import numpy as np
import torch

INITIAL_SIZE = 1 << 16  # half a MiB: 64 rows of 16,000 tokens in pages of 16
Int64Array = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


class InputBuffer:
    """Memory that steps use again and again: pinned on the host where there is a CUDA device.

    On the CPU both are the same memory. Sent numbers are valid until the next step asks for room. The buffer grows when
    a step needs more.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._copied: torch.cuda.Event | None = None
        self._allocate(INITIAL_SIZE)

    def room(self, size: int) -> Int64Array:
        """(size,) int64 to be written before `send`. Waits until the copy of the step before has been read."""
        if self._copied is not None:
            self._copied.synchronize()
        if size > len(self._host):
            self._allocate(max(size, 2 * len(self._host)))
        return self._array[:size]

    def send(self, size: int) -> torch.Tensor:
        """Return the written integers on the device. On CUDA the copy runs on; the next `room` waits for it."""
        if self._device.type == "cpu":
            return self._host[:size]
        is_cuda = self._device.type == "cuda"
        sent = self._on_device[:size].copy_(self._host[:size], non_blocking=is_cuda)
        if is_cuda:
            self._copied = torch.cuda.current_stream(self._device).record_event()
        return sent

    def _allocate(self, size: int) -> None:
        with torch.inference_mode(False):  # the next step may be outside of inference mode
            self._host = torch.empty(size, dtype=torch.int64, pin_memory=self._device.type == "cuda")
            self._on_device = self._host if self._device.type == "cpu" else self._host.to(self._device)
        self._array: Int64Array = self._host.numpy()
