"""`CallIds`: the form of calls' ids in a family's text and in its chat template."""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import uuid
from collections.abc import Callable
from dataclasses import dataclass

SHORT_LENGTH = 9
SHORT_ALPHABET = string.ascii_letters + string.digits

IdForm = Callable[[str, str, int], str]
"""Makes an id from a call's id, its tool's name, and the number of calls before it in the conversation."""


def new_call_id() -> str:
    """A new id in OpenAI's form."""
    return f"call_{uuid.uuid4().hex[:24]}"


def new_short_id() -> str:
    """A new id of nine random letters and digits."""
    return "".join(secrets.choice(SHORT_ALPHABET) for _ in range(SHORT_LENGTH))


def short_id(call_id: str, name: str = "", place: int = 0) -> str:
    """The id if it has nine letters and digits. Otherwise nine letters and digits derived from it, so that call and
    result agree.
    """
    if re.fullmatch(f"[a-zA-Z0-9]{{{SHORT_LENGTH}}}", call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode()).digest()
    return "".join(SHORT_ALPHABET[byte % len(SHORT_ALPHABET)] for byte in digest[:SHORT_LENGTH])


def given_id(call_id: str, name: str, place: int) -> str:
    """The id, unchanged."""
    return call_id


def _written_id(call_id: str, name: str, place: int) -> str:
    return call_id or f"call_{place}"


def _number(call_id: str, name: str, place: int) -> str:
    return str(place)


@dataclass(frozen=True)
class CallIds:
    """Ids of a family.

    new: makes an id for the client.
    for_template: the id as the chat template expects it.
    in_text: the id in a call's text, if the syntax has a place for one.
    characters: regex of one character of an id in the text.
    least, most: minimum and maximum length of an id in the text.
    """

    new: Callable[[], str] = new_call_id
    for_template: IdForm = given_id
    in_text: IdForm = _written_id
    characters: str = "[a-zA-Z0-9_-]"
    least: int = 1
    most: int = 64

    @property
    def pattern(self) -> str:
        """A regex of ids in the text."""
        return f"{self.characters}{{{self.least},{self.most}}}"


ANY_IDS = CallIds()
SHORT_IDS = CallIds(new_short_id, short_id, short_id, "[a-zA-Z0-9]", SHORT_LENGTH, SHORT_LENGTH)
"""Ids of nine letters and digits."""

NUMBERS = CallIds(in_text=_number, characters="[0-9]", most=4)
"""Text and template number the calls of the conversation, from 0."""
