"""`ProcessorSettings`: what the operator of a model allows its users to send."""

from __future__ import annotations

import os
from dataclasses import dataclass

from guided.grammars.errors import InvalidInputError

from .signing import read_key_file

DEFAULT_MAX_PAYLOAD_BYTES = 1_000_000


@dataclass(frozen=True)
class ProcessorSettings:
    """Registered processors and objects of the same process are always allowed; serialised ones only with a key.

    key_file: enables serialised processors (`CustomLogitProcessor.to_str`) that are signed with this file's key. They
        are code that runs in this process: whoever has the key can do anything that the process can. None: refused.
    max_payload_bytes: of the text of one serialised processor; at least 1. Bytes.

    Raises ProcessorRefusedError for a key file that is missing, too short or open to everybody.
    """

    key_file: str | os.PathLike[str] | None = None
    max_payload_bytes: int = DEFAULT_MAX_PAYLOAD_BYTES

    def __post_init__(self) -> None:
        if self.key_file is not None:
            read_key_file(self.key_file)
        value = self.max_payload_bytes
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidInputError(f"max_payload_bytes must be an integer >= 1, not {value!r}")
