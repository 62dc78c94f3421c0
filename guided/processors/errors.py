"""Errors of custom processors, before and while a request runs."""

from __future__ import annotations

from guided.grammars.errors import GuidedError, InvalidInputError


class UnknownProcessorError(InvalidInputError):
    """No processor is registered under this name; the message lists the known names."""


class ProcessorParamsError(InvalidInputError):
    """A processor does not accept the parameters. The message names the processor, the field, its value and its
    range.
    """


class ProcessorRefusedError(InvalidInputError):
    """A serialised processor was refused, and none of its code ran. The message says why and what to do."""


class LogitProcessorError(GuidedError):
    """A processor raised, or returned unusable logits. The error ends its request; others go on.

    processor: the processor's name. An exception of the processor is this error's cause.
    """

    def __init__(self, processor: str, reason: str) -> None:
        self.processor = processor
        super().__init__(f"logit processor {processor!r} {reason}")
