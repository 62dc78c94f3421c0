"""Files in OpenAI's messages: `file` parts of chat completions and `input_file` parts of responses, as documents.

`file_data` is a data URL, or the text itself. If a part also has `"citations": {"enabled": true}`, as Anthropic's
documents may have, the answer's quotes of the file come as `annotations`.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Literal
from urllib.parse import quote, unquote_to_bytes

from pydantic import field_validator
from pydantic_core import PydanticCustomError

from guided.documents.files import FileKind, FileText, file_text, kind_of
from guided.documents.html import decoded
from guided.grammars.errors import InvalidInputError, LimitExceededError
from guided.output.completion import CompletionChunk
from guided.params.checks import shown

from ..errors import InvalidRequestError
from .citations import CitationReader, Citations, CitedDocument, DocumentPart
from .constraints import RequestPart
from .pieces import Citation

FORMATS = "text, Markdown, HTML, PDF (application/pdf) and mail (message/rfc822)"
# Ordinary text may begin with "data:", so the type must be one, or be left out.
_DATA_URL = re.compile(r"data:((?:[\w!#$&^.+-]++/[\w!#$&^.+-]++)?+)((?: *+;[^,;\r\n]*+)*+),", re.IGNORECASE | re.ASCII)
_LEAST_BASE64 = 16  # minimum length of base64 in characters; shorter words may be text
# bytes of pictures, archives and office documents; text has tabs, breaks and escape sequences for terminals
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CHARSET = re.compile(r"""; *charset="?([^;"\s]+)""", re.IGNORECASE)
_BASE64 = re.compile(
    r"(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}="
)


class FileFields(RequestPart):
    """A file in a request. file_id, file_url: refused, since this server keeps no files and fetches none."""

    file_id: Any = None
    file_url: Any = None
    filename: str | None = None
    file_data: str

    @field_validator("file_id", "file_url")
    @classmethod
    def _only_data(cls, value: Any) -> Any:
        if value is not None:
            reason = "is not supported: this server keeps no files and fetches none; send the content as file_data"
            raise PydanticCustomError("refused_field", reason)
        return value

    def read(self, param: str) -> CitedDocument:
        """The file as a document. param: the file's path in the request. Raises InvalidRequestError."""
        try:
            found = _read(self.file_data, self.filename or "the file")
        except InvalidInputError as error:
            raise InvalidRequestError(f"{param}.file_data: {error}", f"{param}.file_data") from error
        except LimitExceededError as error:
            reason = f"{param}.file_data: {error.problem}; send fewer or smaller files"
            raise InvalidRequestError(reason, f"{param}.file_data") from error
        return CitedDocument(found.text, self.filename, found.unread or None)


class ChatFile(DocumentPart):
    """A file as a part of a chat message."""

    type: Literal["file"]
    file: FileFields

    def document(self, param: str) -> CitedDocument:
        """See `DocumentPart.document`."""
        return self.file.read(f"{param}.file")


class InputFile(FileFields, DocumentPart):
    """A file as a part of a message in responses."""

    type: Literal["input_file"]

    def document(self, param: str) -> CitedDocument:
        """See `DocumentPart.document`."""
        return self.read(param)


def _read(data: str, name: str) -> FileText:
    """The text of `file_data`."""
    head = _DATA_URL.match(data)
    kind = kind_of(name, "" if head is None else head[1].lower())
    found = _read_plain(data, name, kind) if head is None else _read_url(head, data[head.end() :], name, kind)
    if kind == "text" and _CONTROLS.search(found.text):
        raise InvalidInputError(f"{name} has control characters, so it is no text; supported are {FORMATS}")
    return found


def _read_url(head: re.Match[str], data: str, name: str, kind: FileKind | None) -> FileText:
    """The text of a data URL. head: the URL's beginning. data: the URL's rest."""
    parameters = head[2]
    if kind is None:
        raise InvalidInputError(f"the type {shown(head[1].lower())} is not supported; supported are {FORMATS}")
    content = unquote_to_bytes(data)
    if parameters.rpartition(";")[2].strip().lower() == "base64":
        try:
            content = base64.b64decode(content, validate=True)
        except binascii.Error as error:
            raise InvalidInputError(f"the data URL is not valid base64: {error}") from None
    charset = _CHARSET.search(parameters)
    if kind in ("text", "html") and charset is not None:
        content = decoded(content, charset[1], name).encode()
    return file_text(content, name, kind)


def _read_plain(data: str, name: str, kind: FileKind | None) -> FileText:
    """The text of `file_data` that is no data URL."""
    is_base64 = len(data) >= _LEAST_BASE64 and _BASE64.fullmatch(data) and _looks_packed(data)
    if kind == "pdf" or kind is None or is_base64:
        what = "a PDF must be" if kind == "pdf" else "this looks like base64, and must then be"
        raise InvalidInputError(f"{what} a data URL, such as 'data:application/pdf;base64,...'")
    return FileText(data) if kind == "text" else file_text(data.encode(), name, kind)


def _looks_packed(data: str) -> bool:
    """False for words and hexadecimal numbers."""
    kinds = (str.islower, str.isupper, str.isdigit)
    return data.endswith("=") or all(any(map(kind, data)) for kind in kinds)


def file_citation(citation: Citation, end: int) -> dict[str, Any]:
    """A quote as an annotation of responses. end: position behind the quote in the text."""
    return {
        "type": "file_citation",
        "file_id": f"document_{citation.index}",
        "filename": citation.title or "",
        "index": end,
        "location": citation.location,
    }


def url_citation(citation: Citation, end: int) -> dict[str, Any]:
    """A quote as an annotation of chat completions, whose only kind is for URLs. The URL is the file's name, with the
    quote's place as RFC 5147 writes it. Arguments as for `file_citation`.
    """
    name = quote(citation.title or f"document_{citation.index}")
    place = {
        "start_index": end - len(citation.quote),
        "end_index": end,
        "title": citation.title or "",
        "url": f"{name}#char={citation.start},{citation.end}",
    }
    return {"type": "url_citation", "url_citation": place, "location": citation.location}


class QuotingText:
    """The text of one output while it arrives, without the marks of quotes, and its annotations."""

    def __init__(self, citations: Citations) -> None:
        self._reader = CitationReader(citations)
        self._num_chars = 0

    def read(self, chunk: CompletionChunk) -> tuple[str, list[dict[str, Any]]]:
        """The new text, and the annotations of quotes that end in it."""
        parts, annotations = [], []
        for piece in self._reader.pieces(chunk):
            if piece.kind == "text":
                parts.append(piece.text)
                self._num_chars += len(piece.text)
            if piece.citation is not None:
                annotations.append(url_citation(piece.citation, self._num_chars))
        return "".join(parts), annotations
