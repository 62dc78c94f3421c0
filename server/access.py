"""`AccessKeys`: who may use the server, and who may administer it.

A client sends its key as "Authorization: Bearer KEY" or in the header "x-api-key". The server compares it in constant
time with every known key. The time of an answer therefore does not reveal how much of a key was right.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from guided.grammars.errors import InvalidInputError

from .errors import Refusal, RefusedError

if TYPE_CHECKING:
    from fastapi import Request

ADMIN = "admin"
API_KEYS_VARIABLE = "GUIDED_API_KEYS"
ADMIN_KEY_VARIABLE = "GUIDED_ADMIN_KEY"
MIN_KEY_CHARS = 8
_OTHERS_MAY_READ = stat.S_IROTH | stat.S_IWOTH


@dataclass(frozen=True)
class AccessKeys:
    """The keys that the server accepts.

    api_keys: label -> key; the log shows the label. Empty: everybody may use the server.
    admin_key: the key that may also administer; None: nobody may administer.
    Raises InvalidInputError for a key that is too short, given twice, or not printable ASCII without spaces.
    """

    api_keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    admin_key: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        labelled = {**self.api_keys, **({} if self.admin_key is None else {ADMIN: self.admin_key})}
        if ADMIN in self.api_keys:
            raise InvalidInputError(f"an API key can't be labelled {ADMIN!r}; choose another label")
        for label, key in labelled.items():
            if len(key) < MIN_KEY_CHARS or not key.isascii() or not key.isprintable() or " " in key:
                raise InvalidInputError(
                    f"the key {label!r} must have at least {MIN_KEY_CHARS} characters, printable ASCII without spaces"
                )
        if len(set(labelled.values())) < len(labelled):
            raise InvalidInputError("two keys are the same; each label needs a key of its own")

    @property
    def is_open(self) -> bool:
        """True if no API key is set, so everybody may use the server."""
        return not self.api_keys

    def label_of(self, key: str) -> str | None:
        """The label of a key, `ADMIN` for the administrator's key, None for an unknown key."""
        found = None
        given = _digest(key)
        for label, known in {**self.api_keys, ADMIN: self.admin_key}.items():
            if known is not None and hmac.compare_digest(given, _digest(known)):
                found = label
        return found

    def identify(self, request: Request) -> str | None:
        """The label of a request's key; None if the server is open and the request has no known key.

        Raises RefusedError if the server has keys and the request's key is missing or wrong. An open server
        ignores an unknown key, since many clients always send one.
        """
        if self.is_open:
            return self.label_of(_key_of(request) or "")
        return self._known_label(request)

    def require_admin(self, request: Request) -> None:
        """Raises RefusedError unless the request has the administrator's key."""
        if self.admin_key is None:
            raise RefusedError(Refusal.FORBIDDEN, "this server has no admin key; start it with --admin-key-file")
        if self._known_label(request) != ADMIN:
            raise RefusedError(Refusal.FORBIDDEN, "this needs the admin key")

    def _known_label(self, request: Request) -> str:
        key = _key_of(request)
        label = None if key is None else self.label_of(key)
        if label is None:
            raise RefusedError(Refusal.NO_KEY if key is None else Refusal.WRONG_KEY)
        return label


def read_api_keys(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read API keys from a file: label -> key.

    Each line holds KEY or LABEL KEY; "#" begins a comment. A key without a label gets "key-1", "key-2" and so on.
    Raises InvalidInputError for a file that can't be read, that everybody can read, or that holds no key.
    """
    keys: dict[str, str] = {}
    for number, line in enumerate(_read_secret(path).splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(words) > 2:
            raise InvalidInputError(f"{os.fspath(path)}, line {number}: write KEY or LABEL KEY")
        label = words[0] if len(words) == 2 else f"key-{len(keys) + 1}"
        if label in keys:
            raise InvalidInputError(f"{os.fspath(path)}, line {number}: the label {label!r} is there twice")
        keys[label] = words[-1]
    if not keys:
        raise InvalidInputError(f"{os.fspath(path)} holds no key; write one a line")
    return keys


def read_admin_key(path: str | os.PathLike[str]) -> str:
    """Read the admin key from a file that holds exactly one key. Raises InvalidInputError like `read_api_keys`."""
    keys = read_api_keys(path)
    if len(keys) > 1:
        raise InvalidInputError(f"{os.fspath(path)} holds {len(keys)} keys; the admin key is one")
    return next(iter(keys.values()))


def keys_of_text(text: str) -> dict[str, str]:
    """The keys of an environment variable's comma-separated text, by label. Raises InvalidInputError if it holds
    none.
    """
    keys = [part.strip() for part in text.split(",") if part.strip()]
    if not keys:
        raise InvalidInputError("GUIDED_API_KEYS holds no key; write them with commas between them, or unset it")
    return {f"key-{number}": key for number, key in enumerate(keys, start=1)}


def keys_of_process(
    api_key_file: str | os.PathLike[str] | None, admin_key_file: str | os.PathLike[str] | None
) -> AccessKeys:
    """The keys from files and from the environment. A given file wins over the variable. Raises like
    `read_api_keys`.
    """
    return AccessKeys(
        api_keys=_api_keys(api_key_file, os.environ.get(API_KEYS_VARIABLE)),
        admin_key=os.environ.get(ADMIN_KEY_VARIABLE) if admin_key_file is None else read_admin_key(admin_key_file),
    )


def _api_keys(path: str | os.PathLike[str] | None, text: str | None) -> dict[str, str]:
    if path is not None:
        return read_api_keys(path)
    return {} if text is None else keys_of_text(text)


def _key_of(request: Request) -> str | None:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return request.headers.get("x-api-key") or None


def _digest(key: str) -> bytes:
    """A digest of fixed length, so the time of a comparison reveals nothing about a key's length."""
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()


def _read_secret(path: str | os.PathLike[str]) -> str:
    file = Path(path)
    try:
        mode, text = file.stat().st_mode, file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"the key file {str(file)!r} can't be read: {error}") from None
    if os.name == "posix" and mode & _OTHERS_MAY_READ:
        raise InvalidInputError(f"everybody on this machine can use the key file {str(file)!r}; chmod 600 it")
    return text
