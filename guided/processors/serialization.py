"""Processors as text, `{"callable": hex of a dill pickle, "signature": hex}`, for sending them to a server.

Unpickling runs any code in the text. Loading is therefore refused unless `ProcessorSettings` name a key file. Even then
the HMAC signature of the bytes is checked before they are unpickled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Hashable
from functools import lru_cache
from typing import Any, cast

from .errors import ProcessorRefusedError
from .settings import ProcessorSettings, is_signed, read_key_file, sign

MAX_KEPT = 64  # number of deserialised processors to cache; each is one class


def serialize(processor: object, key_file: str | os.PathLike[str] | None = None) -> str:
    """A processor or its class as JSON text, signed if a key file is given.

    dill writes classes of `__main__` completely, with the globals that they use. For a class in a module it writes only
    the module's name, so the server needs that module too.
    """
    import dill

    payload: bytes = dill.dumps(processor, recurse=True)
    fields = {"callable": payload.hex()}
    if key_file is not None:
        fields["signature"] = sign(payload, read_key_file(key_file))
    return json.dumps(fields)


def deserialize(text: str, settings: ProcessorSettings | None, base: type[Any]) -> Any:
    """The processor in a signed text; equal texts give the same object. See `CustomLogitProcessor.from_str`.

    base: the class that the processor must be an instance of.
    """
    if settings is None or settings.key_file is None:
        raise ProcessorRefusedError(
            "serialised processors are not enabled here, because loading one runs its code; use a registered name "
            "instead, or let the operator enable signed ones with ProcessorSettings(key_file=...)"
        )
    if len(text) > settings.max_payload_bytes:
        raise ProcessorRefusedError(
            f"the serialised processor has {len(text)} characters, more than max_payload_bytes = "
            f"{settings.max_payload_bytes}; make it smaller or raise the limit"
        )
    payload, signature = _read_fields(text)
    if not is_signed(payload, signature, read_key_file(settings.key_file)):
        raise ProcessorRefusedError(
            "the serialised processor's signature is not of this key and these bytes; sign it with the server's key "
            "file: to_str(key_file=...)"
        )
    return _load(payload, cast("Hashable", base))


def _read_fields(text: str) -> tuple[bytes, str]:
    """The payload and its signature. Raises ProcessorRefusedError for other text."""
    try:
        fields: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProcessorRefusedError(f"the serialised processor is not JSON ({error}); make it with to_str()") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("callable"), str):
        raise ProcessorRefusedError('the serialised processor must be {"callable": hex, "signature": hex}')
    signature = fields.get("signature")
    if not isinstance(signature, str) or not signature:
        raise ProcessorRefusedError("the serialised processor is not signed; make it with to_str(key_file=...)")
    try:
        return bytes.fromhex(fields["callable"]), signature
    except ValueError as error:
        raise ProcessorRefusedError(f"the serialised processor's callable is not hexadecimal ({error})") from error


@lru_cache(maxsize=MAX_KEPT)
def _load(payload: bytes, base: Any) -> Any:
    """Unpickle a payload. Called, and cached, only after the payload's signature was checked."""
    import dill

    try:
        loaded = dill.loads(payload)
        processor = loaded() if isinstance(loaded, type) and issubclass(loaded, base) else loaded
    except Exception as error:  # the user's code can raise any exception
        raise ProcessorRefusedError(
            f"the serialised processor can't be unpickled here ({type(error).__name__}: {error}); the modules that it "
            "names must be installed, in the versions that it was made with"
        ) from error
    if not isinstance(processor, base):
        raise ProcessorRefusedError(
            f"the serialised object is a {type(processor).__name__}, not a {base.__name__} or a class of one"
        )
    return processor
