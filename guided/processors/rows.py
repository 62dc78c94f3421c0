"""A processor's view of a row: parameters, tokens so far and its own state; and groups of rows called together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
import torch
from numpy.typing import NDArray

from guided.grammars.errors import GuidedError

from ..masks import AnyBitmask, apply_bitmask_inplace
from .parameters import params_values

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

T = TypeVar("T")
TokenIds = NDArray[np.int64]


class ProcessedRequest:
    """The tokens and settings that all processors of one request share. Appending a token costs the same at any length.

    prompt_token_ids: the prompt.
    seed: attribute; seed of the request's random stream, in [0, 2**63).
    vocabulary: the model's vocabulary; None: unknown.
    end_token_ids: all tokens that end the request's text.
    error: attribute; why the request ends; None: no processor has failed.
    """

    def __init__(
        self,
        prompt_token_ids: Sequence[int] = (),
        seed: int = 0,
        vocabulary: Vocabulary | None = None,
        end_token_ids: frozenset[int] = frozenset(),
    ) -> None:
        self.seed, self.vocabulary, self.end_token_ids = seed, vocabulary, end_token_ids
        self.error: GuidedError | None = None
        self.num_prompt_tokens = self._length = len(prompt_token_ids)
        self._ids = np.empty(max(64, 2 * self._length), dtype=np.int64)
        self._ids[: self._length] = prompt_token_ids

    def __len__(self) -> int:
        return self._length

    def append(self, token_id: int) -> None:
        """Add an output token."""
        if self._length == len(self._ids):
            self._ids = np.concatenate([self._ids, np.empty_like(self._ids)])
        self._ids[self._length] = token_id
        self._length += 1

    def view(self, start: int = 0) -> TokenIds:
        """The ids from `start` on, read-only and without copying. Later appends do not change the view."""
        view = self._ids[start : self._length]
        view.flags.writeable = False
        return view

    def copy(self) -> ProcessedRequest:
        """An independent copy."""
        made = copy(self)
        made._ids = self._ids.copy()
        return made


class ProcessorRow(Mapping[str, Any]):
    """A row as one of its processors sees it, and a mapping with the request's parameters.

    name: the processor's name.
    params: the parameters, as an object of the processor's `params_type` or a plain dict.
    request: what the request's processors share.
    processor: the `CustomLogitProcessor`; None: nobody calls one.
    place: (order, index among the request's processors of that order).
    state: attribute; the processor's own dict, which it creates in `start` and updates in `accept_token`.
    """

    def __init__(
        self,
        name: str,
        params: Any,
        request: ProcessedRequest,
        processor: Any = None,
        place: tuple[int, int] = (0, 0),
    ) -> None:
        self.name = name
        self.params = params
        self._values: Mapping[str, Any] = params_values(params)
        self.request, self.processor, self.place = request, processor, place
        self.state: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    @property
    def seed(self) -> int:
        """Seed of the request's random stream, in [0, 2**63); a random one if the request gave none."""
        return self.request.seed

    @property
    def vocabulary(self) -> Vocabulary | None:
        """The model's vocabulary, or None if unknown."""
        return self.request.vocabulary

    @property
    def end_token_ids(self) -> frozenset[int]:
        """All tokens that end this request's text."""
        return self.request.end_token_ids

    @property
    def token_ids(self) -> TokenIds:
        """Prompt and output so far, (L,) int64, read-only, not copied."""
        return self.request.view()

    @property
    def prompt_token_ids(self) -> TokenIds:
        """The prompt, int64, read-only, not copied."""
        return self.request.view()[: self.request.num_prompt_tokens]

    @property
    def output_token_ids(self) -> TokenIds:
        """The output so far, int64, read-only, not copied."""
        return self.request.view(self.request.num_prompt_tokens)

    @property
    def position(self) -> int:
        """Number of output tokens, which is the position in the request's random stream."""
        return len(self.request) - self.request.num_prompt_tokens


class RowGroup(Sequence[ProcessorRow]):
    """The rows of one call. The group, with its cache, exists as long as these rows stay together.

    indices: each row's index in the batch.
    """

    def __init__(self, rows: Sequence[ProcessorRow], indices: Sequence[int]) -> None:
        self.rows = tuple(rows)
        self.indices = tuple(indices)
        self.bitmask: AnyBitmask | None = None  # masks of this step, (R, W); set by the pipeline
        self._cache: dict[Any, Any] = {}

    @overload
    def __getitem__(self, index: int) -> ProcessorRow: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ProcessorRow, ...]: ...

    def __getitem__(self, index: int | slice) -> ProcessorRow | tuple[ProcessorRow, ...]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, members: Sequence[int]) -> RowGroup:
        """A group of only these rows. members: their indices in this group."""
        return RowGroup([self.rows[i] for i in members], [self.indices[i] for i in members])

    def cached(self, key: Any, make: Callable[[], T]) -> T:
        """The result of `make()`, which is called once for these rows and this key. For results that depend on
        parameters alone.
        """
        if key not in self._cache:
            self._cache[key] = make()
        value: T = self._cache[key]
        return value

    def column(self, name: str, like: torch.Tensor, dtype: torch.dtype | None = None) -> torch.Tensor:
        """A parameter of all rows as a (R, 1) tensor on the device of `like`, created once. dtype: None means that of
        `like`.
        """
        target = like.dtype if dtype is None else dtype

        def make() -> torch.Tensor:
            return torch.tensor([[row[name]] for row in self.rows], dtype=target, device=like.device)

        return self.cached((name, target, like.device), make)

    def allowed_logits(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits with -inf for tokens that the grammars ban in this step; the same tensor if there is no mask."""
        if self.bitmask is None:
            return logits
        masked = logits.clone()
        apply_bitmask_inplace(masked, self.bitmask)
        return masked
