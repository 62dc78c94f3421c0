"""The texts of mails: a single mail in a file (`.eml`), or all mails of a mailbox (`.mbox`).

A mail's text consists of its headers From, To, Cc, Date and Subject, an empty line, and its body. The body is the plain
text if there is one, else the HTML, read like a page. Attachments are listed by name and not read.
"""

from __future__ import annotations

import mailbox
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.parser import BytesFeedParser
from email.policy import EmailPolicy

from guided.grammars.errors import InvalidInputError
from guided.grammars.watch import checkpoint

from .html import decoded, html_text

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MAX_HEADER_CHARS = 65_536  # the time to read a header grows with the square of its length
_FED_BYTES = 4096  # number of bytes that are parsed between two checkpoints
# escaped lines in a mailbox that would otherwise begin a mail
_MANGLED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)


@dataclass(frozen=True)
class MailText:
    """The text of a mail. attachments: names of the parts that are not read."""

    text: str
    attachments: tuple[str, ...] = ()


def mail_text(content: bytes, name: str) -> MailText:
    """The text of a mail. content: the mail as in an `.eml` file. name: the mail's name, for errors.

    Raises InvalidInputError if the content is no mail, if a body lacks its declared encoding, or if parts are nested
    too deeply. Inside a `Watch` it raises the watch's errors, too.
    """
    try:
        parser = BytesFeedParser(policy=_Policy())
        for first in range(0, len(content), _FED_BYTES):
            checkpoint()
            parser.feed(content[first : first + _FED_BYTES])
        return _text_of(parser.close(), name)
    except RecursionError:
        raise InvalidInputError(f"{name} has parts that are nested too deeply to be read as mail") from None
    except (LookupError, ValueError, AttributeError, TypeError) as error:  # raised by the library for malformed headers
        if isinstance(error, InvalidInputError):
            raise
        raise InvalidInputError(f"{name} is no mail that can be read: {type(error).__name__}: {error}") from error


def mailbox_texts(path: str) -> Iterator[MailText | InvalidInputError]:
    """For each mail of an `.mbox` file, in order, its text or the error that prevented reading it.

    Raises InvalidInputError for a file that can't be read, and for one without mails.
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


class _Policy(EmailPolicy):
    """Python's usual policy, without headers that would take long."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """See `EmailPolicy`."""
        checkpoint()
        if sum(map(len, sourcelines)) > _MAX_HEADER_CHARS:
            raise ValueError(f"a header of more than {_MAX_HEADER_CHARS:,} characters")
        return super().header_source_parse(sourcelines)

    def header_fetch_parse(self, name: str, value: str) -> str:
        """See `EmailPolicy`."""
        checkpoint()
        found: str = super().header_fetch_parse(name, value)
        return found


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
    if encoding in ("us-ascii", "ascii"):  # senders that omit the encoding write other characters in UTF-8
        encoding = "utf-8"
    text = decoded(content if isinstance(content, bytes) else b"", encoding, name)
    text = text.replace("\r\n", "\n")
    return html_text(text.encode("utf-8"), name) if part.get_content_subtype() == "html" else text


def _attachments(mail: EmailMessage, body: Message | None) -> Iterator[str]:
    """The names of parts that are not read. Alternative forms of the body are not attachments."""
    alternatives: set[int] = set()
    for one in mail.walk():
        checkpoint()
        if id(one) not in alternatives and one.get_content_subtype() == "alternative":
            alternatives.update(map(id, one.walk()))
    for part in mail.walk():
        is_other = part is not body and id(part) not in alternatives and not part.is_multipart()
        if is_other:
            yield part.get_filename() or part.get_content_type()
