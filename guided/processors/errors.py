"""What can go wrong with custom processors: before a request runs, and while it does."""

from __future__ import annotations

from guided.grammars.errors import GuidedError, InvalidInputError


class UnknownProcessorError(InvalidInputError):
    """A processor name nobody registered; the message lists the known ones."""


class ProcessorParamsError(InvalidInputError):
    """Parameters that a processor does not take. The message names the processor, the field, its value and range."""


class ProcessorRefusedError(InvalidInputError):
    """A serialised processor that is not loaded, and nothing of it was run. The message says why and what to do."""


class LogitProcessorError(GuidedError):
    """A processor that raised, or gave back logits that can't be used. It ends that request; the others go on.

    processor: its name. What it raised is the cause of this error.
    """

    def __init__(self, processor: str, reason: str) -> None:
        self.processor = processor
        super().__init__(f"logit processor {processor!r} {reason}")
