"""The texts of mails: one in a file (`.eml`), or the many of a mailbox (`.mbox`).

A mail's text is its headers From, To, Cc, Date and Subject, an empty line, and its body: the plain text of it where
there is one, else its HTML, read as pages are. Attachments are named and not read.
"""

from __future__ import annotations

import email
import mailbox
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.policy import default

from guided.grammars.errors import InvalidInputError

from .html import decoded, html_text

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MANGLED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)  # of lines in a mailbox that would begin a mail


@dataclass(frozen=True)
class MailText:
    """attachments: names of the parts that are not read."""

    text: str
    attachments: tuple[str, ...] = ()


def mail_text(content: bytes, name: str) -> MailText:
    """The text of a mail, as the file `.eml` has it. name: it, in errors.

    Raises InvalidInputError for what is no mail, and for a body that is not in the encoding that it names.
    """
    try:
        return _text_of(email.message_from_bytes(content, policy=default), name)
    except (LookupError, ValueError, AttributeError, TypeError) as error:  # of the library, for headers that are none
        if isinstance(error, InvalidInputError):
            raise
        raise InvalidInputError(f"{name} is no mail that can be read: {type(error).__name__}: {error}") from error


def mailbox_texts(path: str) -> Iterator[MailText | InvalidInputError]:
    """The text of each mail in a file `.mbox`, in order, or why it can't be read.

    Raises InvalidInputError for a file that can't be read, and for one without a mail.
    """
    try:
        box = mailbox.mbox(path, create=False)
    except (OSError, mailbox.Error) as error:
        raise InvalidInputError(f"can't read the mailbox {path!r}: {error}") from None
    try:
        keys = box.keys()
        if not keys:
            raise InvalidInputError(f"{path} holds no mail: no line begins with 'From '")
        for number, key in enumerate(keys, start=1):
            try:
                yield mail_text(_MANGLED_FROM.sub(rb"\1", box.get_bytes(key)), f"{path}:{number}")
            except InvalidInputError as error:
                yield error
    finally:
        box.close()


def _text_of(mail: Message, name: str) -> MailText:
    assert isinstance(mail, EmailMessage)
    headers = [f"{header}: {value}" for header in _HEADERS for value in mail.get_all(header, [])]
    if not headers:
        raise InvalidInputError(f"{name} is no mail: it has none of the headers {', '.join(_HEADERS)}")
    body = mail.get_body(("plain", "html"))
    text = "" if body is None else _body(body, name)
    return MailText("\n".join([*headers, "", text.strip("\n"), ""]), tuple(_attachments(mail, body)))


def _body(part: Message, name: str) -> str:
    content = part.get_payload(decode=True)
    encoding = (part.get_content_charset() or "utf-8").lower()
    if encoding in ("us-ascii", "ascii"):  # what is more than ASCII, senders that don't say it write in UTF-8
        encoding = "utf-8"
    text = decoded(content if isinstance(content, bytes) else b"", encoding, name)
    text = text.replace("\r\n", "\n")
    return html_text(text.encode("utf-8"), name) if part.get_content_subtype() == "html" else text


def _attachments(mail: EmailMessage, body: Message | None) -> Iterator[str]:
    """The names of parts that are not read; other forms of the body are none."""
    alternatives = {
        id(part) for one in mail.walk() if one.get_content_subtype() == "alternative" for part in one.walk()
    }
    for part in mail.walk():
        is_other = part is not body and id(part) not in alternatives and not part.is_multipart()
        if is_other:
            yield part.get_filename() or part.get_content_type()
