"""`ProcessorSettings`: which processors an operator lets users send, and the key that signs them.

Signatures of serialised processors are HMAC-SHA256 (RFC 2104, FIPS 198-1) with a key from a file. The signature covers
a fixed context string and the payload, so a key that signs other messages too can't be abused to sign a processor.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass
from pathlib import Path

from guided.grammars.errors import InvalidInputError

from .errors import ProcessorRefusedError

DEFAULT_MAX_PAYLOAD_BYTES = 1_000_000
MIN_KEY_BYTES = 32  # length of the hash; RFC 2104 discourages shorter keys
_CONTEXT = b"guided.custom_logit_processor.v1\0"
_OTHERS_MAY = stat.S_IROTH | stat.S_IWOTH


@dataclass(frozen=True)
class ProcessorSettings:
    """Registered processors and objects of the same process are always allowed. Serialised ones need a key.

    key_file: enables serialised processors (`CustomLogitProcessor.to_str`) that are signed with this file's key. Such a
        processor is code that runs in this process, so whoever has the key has all rights of the process. None:
        refused.
    max_payload_bytes: maximum size of the text of one serialised processor, in bytes; at least 1.
    Raises ProcessorRefusedError for a key file that is missing, too short or accessible to everybody, and
    InvalidInputError for another size.
    """

    key_file: str | os.PathLike[str] | None = None
    max_payload_bytes: int = DEFAULT_MAX_PAYLOAD_BYTES

    def __post_init__(self) -> None:
        if self.key_file is not None:
            read_key_file(self.key_file)
        value = self.max_payload_bytes
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise InvalidInputError(f"max_payload_bytes must be an integer >= 1, not {value!r}")


def write_key_file(path: str | os.PathLike[str]) -> None:
    """Create a file with a new random key, readable only by its owner.

    Args:
        path: where the file is created.

    Raises:
        FileExistsError: if the file exists.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(MIN_KEY_BYTES))


def read_key_file(path: str | os.PathLike[str]) -> bytes:
    """The key in a file. Raises ProcessorRefusedError if the file is missing, too short or accessible to everybody."""
    file = Path(path)
    try:
        mode, key = file.stat().st_mode, file.read_bytes()
    except OSError as error:
        raise ProcessorRefusedError(
            f"the key file {str(file)!r} can't be read ({error.strerror}); make one with "
            "guided.processors.write_key_file(path)"
        ) from error
    if os.name == "posix" and mode & _OTHERS_MAY:
        raise ProcessorRefusedError(f"everybody on this machine can use the key file {str(file)!r}; chmod 600 it")
    if len(key) < MIN_KEY_BYTES:
        raise ProcessorRefusedError(
            f"the key file {str(file)!r} has {len(key)} bytes; a key has at least {MIN_KEY_BYTES}: make one with "
            "guided.processors.write_key_file(path)"
        )
    return key


def sign(payload: bytes, key: bytes) -> str:
    """The payload's signature, 64 hexadecimal digits."""
    return hmac.new(key, _CONTEXT + payload, hashlib.sha256).hexdigest()


def is_signed(payload: bytes, signature: str, key: bytes) -> bool:
    """True if the signature is right for the payload. Compares in constant time."""
    return hmac.compare_digest(sign(payload, key).encode(), signature.encode("utf-8", "surrogatepass"))
