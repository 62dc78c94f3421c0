"""`CallIds`: the form of the ids of calls in a family's text, and in what its chat template takes."""

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
"""Makes an id out of a call's id, its tool's name and the number of calls before it in the conversation."""


def new_call_id() -> str:
    """An id in OpenAI's form."""
    return f"call_{uuid.uuid4().hex[:24]}"


def new_short_id() -> str:
    """Nine random letters and digits."""
    return "".join(secrets.choice(SHORT_ALPHABET) for _ in range(SHORT_LENGTH))


def short_id(call_id: str, name: str = "", place: int = 0) -> str:
    """The id where it fits; else nine letters and digits that follow from it, so that call and result agree."""
    if re.fullmatch(f"[a-zA-Z0-9]{{{SHORT_LENGTH}}}", call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode()).digest()
    return "".join(SHORT_ALPHABET[byte % len(SHORT_ALPHABET)] for byte in digest[:SHORT_LENGTH])


def given_id(call_id: str, name: str, place: int) -> str:
    """The id itself."""
    return call_id


def _written_id(call_id: str, name: str, place: int) -> str:
    return call_id or f"call_{place}"


def _number(call_id: str, name: str, place: int) -> str:
    return str(place)


@dataclass(frozen=True)
class CallIds:
    """Ids of a family.

    new: makes one for the client.
    for_template: the id as the chat template takes it.
    in_text: the id as the text of a call has it, where the syntax has a place for one.
    characters: a regex of one of its characters there. least, most: how many it has.
    """

    new: Callable[[], str] = new_call_id
    for_template: IdForm = given_id
    in_text: IdForm = _written_id
    characters: str = "[a-zA-Z0-9_-]"
    least: int = 1
    most: int = 64

    @property
    def pattern(self) -> str:
        """A regex of what stands in the text."""
        return f"{self.characters}{{{self.least},{self.most}}}"


ANY_IDS = CallIds()
SHORT_IDS = CallIds(new_short_id, short_id, short_id, "[a-zA-Z0-9]", SHORT_LENGTH, SHORT_LENGTH)
"""Nine letters and digits."""

NUMBERS = CallIds(in_text=_number, characters="[0-9]", most=4)
"""The text counts the calls of the conversation from 0 on; so does the template."""
