"""`CustomLogitProcessor`: user code that changes logits before the next token is drawn.

A subclass is called once in each step, for all rows of the batch that use it. A processor can't bring back a token that
the grammar bans, because the mask is applied later. To have parameters checked, give it a `params_type` and register it
with `register_logit_processor`.
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
        """JSON text that `from_str` reads. key_file: file with the key to sign it; the server refuses an unsigned
        text.
        """
        ...


class _ToStr:
    """`Class.to_str()` writes the class. `processor.to_str()` writes the object if it has attributes, else its
    class.
    """

    def __get__(self, instance: CustomLogitProcessor | None, owner: type[CustomLogitProcessor]) -> SerializeMethod:
        def to_str(key_file: str | os.PathLike[str] | None = None) -> str:
            from .serialization import serialize

            return serialize(owner if instance is None or not vars(instance) else instance, key_file)

        return to_str


class CustomLogitProcessor(ABC):
    """Changes the logits of the rows that ask for it.

    All rows that use an object share it. The object must therefore keep nothing about a row in its attributes;
    `row.state` is the place for that.

    Attributes:
        params_type: class attribute; a dataclass or Pydantic model that checks a request's parameters. None: parameters
            stay a plain dict.
        order: class attribute; a row's processors run from the lowest order to the highest. Equal orders run as the
            request lists them.
        is_trusted: class attribute; the pipeline passes the batch's own logits and does not check the result. Only for
            processors that never raise and never produce NaN, such as the built-in ones.
    """

    params_type: ClassVar[type[Any] | None] = None
    order: ClassVar[int] = DEFAULT_ORDER
    is_trusted: ClassVar[bool] = False

    to_str = _ToStr()

    @abstractmethod
    def __call__(self, logits: torch.Tensor, custom_param_list: RowGroup) -> torch.Tensor:
        """The new logits of R rows.

        logits: (R, V) float32 or float64, any device; may be changed in place. -inf marks excluded tokens.
        custom_param_list: R rows. `row["name"]` is a parameter, `row.params` the checked object of `params_type`. Rows
            also have token ids and state (see `ProcessorRow`). The call may read state and replace its entries, but
            never change an entry's content: a failed call is repeated row by row.
        Returns a tensor of the same shape, dtype and device, without new NaN or +inf. Any other result, or an
        exception, ends the requests that caused it.
        """

    def check_params(self, params: Any, vocabulary: Vocabulary | None) -> None:  # noqa: B027 - a hook, empty on purpose
        """Check parameters against the vocabulary, before the request runs.

        Args:
            params: the parameters as the request gives them.
            vocabulary: the model's vocabulary; None: the model has none.

        Raises:
            InvalidInputError: for parameters that don't fit.
        """

    def start(self, row: ProcessorRow) -> None:  # noqa: B027 - a hook
        """Create `row.state`: the row joins a batch.

        Args:
            row: the row; the prompt is in `row.token_ids`.
        """

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:  # noqa: B027 - a hook
        """Update `row.state`: the row has taken a token.

        Args:
            row: the row; the token is the last of `row.token_ids`.
            token_id: the token.
        """

    def batch_key(self) -> Hashable:
        """A key for joint calls: processors of one class with equal keys are called together. Objects without
        attributes have equal keys.
        """
        return id(self) if vars(self) else None

    @classmethod
    def from_str(cls, text: str, settings: ProcessorSettings | None = None) -> CustomLogitProcessor:
        """Load a processor from text of `to_str`. Loading runs code of the text, so it is refused unless `settings`
        enable it.

        Raises ProcessorRefusedError, before any code runs, if loading is disabled or the signature is missing or wrong.

        Args:
            text: JSON {"callable": hex, "signature": hex}.
            settings: contain the key file that the text was signed with.
        """
        from .serialization import deserialize

        processor: CustomLogitProcessor = deserialize(text, settings, CustomLogitProcessor)
        return processor
