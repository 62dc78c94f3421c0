"""`ReturnedTensors`: collects the logits and hidden states of one output from the events of its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engines.base import TokenEvent
from ..params.sampling_params import SamplingParams

if TYPE_CHECKING:
    import torch


class ReturnedTensors:
    """The tensors of one output.

    params: the request's parameters; they tell which tensors are returned.
    vocab_size: width of the logits.
    """

    def __init__(self, params: SamplingParams, vocab_size: int) -> None:
        self._params = params
        self._vocab_size = vocab_size
        self._prompt: list[torch.Tensor] = []
        self._output: list[torch.Tensor] = []

    def add(self, event: TokenEvent) -> None:
        """Take the tensors of an event, if it has any."""
        if event.prompt_returned is not None:
            self._prompt = [event.prompt_returned]
        if event.returned is not None:
            self._output.append(event.returned)

    def fields(self) -> dict[str, Any]:
        """Field of `Completion` -> its tensor, for the tensors that were requested and that events have brought."""
        found: dict[str, Any] = {}
        for prefix, rows in (("prompt_", self._prompt), ("", self._output)):
            if rows:
                found |= {prefix + name: one for name, one in self._parts(rows).items()}
        return found

    def _parts(self, rows: list[torch.Tensor]) -> dict[str, torch.Tensor]:
        import torch

        with torch.inference_mode(False):  # so that callers can use the tensors in training
            joined = torch.cat(rows)
        start = self._vocab_size if self._params.return_logits else 0
        parts = {"logits": joined[:, :start]} if self._params.return_logits else {}
        return parts | ({"hidden_states": joined[:, start:]} if self._params.return_hidden_states else {})
