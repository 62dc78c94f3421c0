"""The text layer of a PDF, page by page. Pictures of text need OCR first."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

from guided.grammars.errors import GuidedError, InvalidInputError
from guided.grammars.extras import require
from guided.grammars.watch import checkpoint

PAGE_BREAK = "\n\n"
# Fractions of the library's own limits. A stream is parsed without checkpoints.
_LIMITS = {
    "stream_parsing_work_maximum_count": 500_000,  # 500,000 values take about 2 s
    **dict.fromkeys(
        ("array_based_stream_maximum_output_length", "lzw_maximum_output_length", "run_length_maximum_output_length"),
        20_000_000,
    ),
    "zlib_maximum_output_length": 20_000_000,
}


@dataclass(frozen=True)
class PdfText:
    """The text of a PDF. text: all pages, with an empty line between two. empty_pages: numbers of the pages without
    text, from 1.
    """

    text: str
    empty_pages: tuple[int, ...]


def pdf_text(content: bytes, name: str) -> PdfText:
    """The text of a PDF. name: the file's name, for errors.

    Raises InvalidInputError if the PDF has no text layer, is encrypted or damaged, or has a page that is too large;
    also if pypdf is missing. Inside a `Watch` it raises the watch's errors, too.
    """
    pypdf = require("pypdf", f"the text of {name}")
    try:
        with pypdf.apply_configuration(**_LIMITS):
            pages = _pages(_reader_class(pypdf)(io.BytesIO(content)), name)
    except GuidedError:
        raise
    except Exception as error:  # a damaged file may raise any exception
        raise InvalidInputError(f"{name} can't be read as PDF: {type(error).__name__}: {error}") from error
    empty = tuple(number for number, text in enumerate(pages, start=1) if not text)
    if len(empty) == len(pages):
        what = "no pages" if not pages else f"no text layer on any of its {len(pages)} pages"
        raise InvalidInputError(f"{name} has {what}; if they are pictures, run OCR first (such as ocrmypdf)")
    return PdfText(PAGE_BREAK.join(text for text in pages if text), empty)


def _reader_class(pypdf: Any) -> Any:
    """The library's reader, with a checkpoint before each object, such as a font of a page."""

    class Reader(pypdf.PdfReader):  # type: ignore[misc]
        def get_object(self, reference: Any) -> Any:
            checkpoint()
            return super().get_object(reference)

    return Reader


def _pages(reader: Any, name: str) -> list[str]:
    if reader.is_encrypted and not reader.decrypt(""):
        raise InvalidInputError(f"{name} is encrypted; save it without a password first")
    pages = []
    for page in reader.pages:
        pages.append(page.extract_text(visitor_operand_before=_check_time).strip())
        checkpoint()  # the library catches errors inside of forms
    return pages


def _check_time(*_: object) -> None:
    """Called before each operation of a page."""
    checkpoint()
