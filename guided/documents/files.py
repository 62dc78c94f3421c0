"""`file_text`: the text of a file, whose format its media type or its name tells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

from .html import html_text
from .mail import mail_text
from .pdf import pdf_text
from .rows import decode

FileKind = Literal["text", "html", "pdf", "mail"]
KIND_OF_SUFFIX: dict[str, FileKind] = {".html": "html", ".htm": "html", ".pdf": "pdf", ".eml": "mail"}
"""Formats by suffix. A file with another suffix is plain text."""
KIND_OF_MEDIA_TYPE: dict[str, FileKind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "message/rfc822": "mail",
    "application/json": "text",
    "application/xml": "text",
    "application/yaml": "text",
}
"""Formats by media type. Other types that begin with `text/` are plain text."""
UNKNOWN_TYPES = ("", "application/octet-stream")  # media types that say nothing about the format
MAX_SHOWN = 10  # maximum number of attachments named in one message


@dataclass(frozen=True)
class FileText:
    """The text of a file. unread: the unread parts of the file, in words for a message; "" if all was read."""

    text: str
    unread: str = ""


def kind_of(name: str, media_type: str = "") -> FileKind | None:
    """The format of a file; None if it is not supported. A media type counts more than the name."""
    if media_type in UNKNOWN_TYPES:
        return KIND_OF_SUFFIX.get(PurePath(name).suffix.lower(), "text")
    return KIND_OF_MEDIA_TYPE.get(media_type, "text" if media_type.startswith("text/") else None)


def file_text(content: bytes, name: str, kind: FileKind) -> FileText:
    """The text of a file. name: the file's name, for errors.

    Raises InvalidInputError for content that can't be read in this format, and if a library for it is missing.
    """
    if kind == "html":
        return FileText(html_text(content, name))
    if kind == "pdf":
        pages = pdf_text(content, name)
        empty = ", ".join(map(str, pages.empty_pages))
        return FileText(pages.text, f"no text on page {empty}" if empty else "")
    if kind == "mail":
        mail = mail_text(content, name)
        return FileText(mail.text, unread_attachments(mail.attachments))
    return FileText(decode(content, name))


def unread_attachments(names: Sequence[str]) -> str:
    """The message about these attachments; "" if there are none."""
    more = f" and {len(names) - MAX_SHOWN} more" if len(names) > MAX_SHOWN else ""
    return f"attachments are not read: {', '.join(names[:MAX_SHOWN])}{more}" if names else ""
