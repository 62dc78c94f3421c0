"""`CustomLogitProcessor`: code of a user that changes logits before the next token is drawn.

A subclass is called once a step for all rows of the batch that use it. It can't bring back a token that the grammar
bans, because the mask is applied after it. For parameters that are checked, give it a `params_type` and a name with
`register_logit_processor`.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    import torch

    from guided.grammars.vocabulary import Vocabulary

    from .rows import ProcessorRow, RowGroup
    from .settings import ProcessorSettings

DEFAULT_ORDER = 50


class SerializeMethod(Protocol):
    """`to_str` of a class or of an object."""

    def __call__(self, key_file: str | os.PathLike[str] | None = None) -> str:
        """JSON text that `from_str` reads. key_file: signs it; an unsigned one no server of this project loads."""
        ...


class _ToStr:
    """`Class.to_str()` writes the class, `processor.to_str()` the object where it has attributes."""

    def __get__(self, instance: CustomLogitProcessor | None, owner: type[CustomLogitProcessor]) -> SerializeMethod:
        def to_str(key_file: str | os.PathLike[str] | None = None) -> str:
            from .serialization import serialize

            return serialize(owner if instance is None or not vars(instance) else instance, key_file)

        return to_str


class CustomLogitProcessor(ABC):
    """Changes the logits of the rows that ask for it.

    params_type: a dataclass or Pydantic model that a request's parameters are checked against and become; None: they
        stay the plain dict of the request.
    order: processors of one row run from the lowest order to the highest, those of one order as the request lists them.
    is_trusted: the pipeline may hand it the batch's own logits and does not check what comes back. Only for processors
        that never raise and never make NaN; the built-in ones are.

    An object is shared by all rows that use it, so it must not keep anything about a row in its own attributes: that
    goes into `row.state`.
    """

    params_type: ClassVar[type[Any] | None] = None
    order: ClassVar[int] = DEFAULT_ORDER
    is_trusted: ClassVar[bool] = False

    to_str = _ToStr()

    @abstractmethod
    def __call__(self, logits: torch.Tensor, custom_param_list: RowGroup) -> torch.Tensor:
        """The new logits of R rows.

        logits: (R, V) float32 or float64, any device; may be changed in place. -inf marks tokens ruled out before.
        custom_param_list: R rows. `row["name"]` is a parameter as in a dict, `row.params` the checked object of
            `params_type`; the row's token ids and state are there too (see `ProcessorRow`). The call may read state;
            it is changed by replacing entries, never inside of them, because a failed call is repeated row by row.
        Returns a tensor of the same shape, dtype and device, without NaN and +inf where there was none; anything else,
        or an exception, ends the requests that it comes from.
        """

    def check_params(self, params: Any, vocabulary: Vocabulary | None) -> None:  # noqa: B027 - a hook, empty on purpose
        """Raise InvalidInputError for parameters that don't fit the vocabulary. Called before the request runs."""

    def start(self, row: ProcessorRow) -> None:  # noqa: B027 - a hook
        """The row joins a batch: make `row.state`. The prompt is in `row.token_ids`."""

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:  # noqa: B027 - a hook
        """The row took this token, which is the last of `row.token_ids`: bring `row.state` up to date."""

    def batch_key(self) -> Hashable:
        """Processors of one class with equal keys are called together. Objects without attributes all are equal."""
        return id(self) if vars(self) else None

    @classmethod
    def from_str(cls, text: str, settings: ProcessorSettings | None = None) -> CustomLogitProcessor:
        """The processor that `to_str` wrote. Unpickling runs code, so it is refused unless `settings` enable it.

        text: JSON {"callable": hex, "signature": hex}. settings: with the key file that the signature was made with.
        Raises ProcessorRefusedError, before anything is unpickled, where it is not enabled, not signed or not intact.
        """
        from .serialization import deserialize

        processor: CustomLogitProcessor = deserialize(text, settings, CustomLogitProcessor)
        return processor
