"""Files that are small and would take much memory or time, or that break the libraries that read them."""

from __future__ import annotations

import inspect
import sys
import time
import zlib
from collections.abc import Callable

import pytest

from guided.documents.html import html_text
from guided.documents.mail import MailText, mail_text
from guided.documents.page_layout import MAX_PADDED_CHARS
from guided.documents.pdf import pdf_text
from guided.grammars.errors import InvalidInputError, LimitExceededError
from guided.grammars.watch import Watch
from tests.guided.documents.pdf_file import pdf_file


def nested_mail(depth: int) -> bytes:
    part = "Content-Type: multipart/mixed; boundary=b{0}\n\n--b{0}\n"
    return ("From: a@b\n" + "".join(part.format(i) for i in range(depth)) + "\nx").encode()


@pytest.mark.parametrize(
    "page",
    [
        f"<table><tr><td>{'x' * 10_000}</td></tr>{'<tr><td>a</td>' * 1_100}",
        f"<table><tr>{'<td>' * 3_000}{'<tr>' * 3_000}",
        f"<table><tr><td>{'x' * 20_000}</td></tr>{'<tr><td>a</td>' * 100}</table>" * 6,
        f"{'<ul>' * 250}{'<li>x' * 11_000}",
        f"{'<ul>' * 250}<li><pre>x{chr(10) * 12_000}x",
    ],
)
def test_a_page_does_not_grow_without_bound(page: str) -> None:
    with pytest.raises(InvalidInputError, match=f"of a.html would take over {MAX_PADDED_CHARS:,} characters"):
        html_text(page.encode(), "a.html")


def test_styles_do_not_pad() -> None:
    assert (
        html_text(b'<p style="padding-left: 99999em; margin-top: 9999em">a<p style="padding-left:.">b', "")
        == "a\n\nb\n"
    )


@pytest.mark.parametrize("number", ["9" * 5_000, "\u00b2", "\u0663"])
def test_numbers_of_items_that_are_too_large(number: str) -> None:
    assert html_text(f'<ol><li value="{number}">a<li value="7">b'.encode(), "").split() == ["1.", "a", "7.", "b"]


@pytest.mark.parametrize(
    "read",
    [
        lambda: html_text(b"<b>x</b>" * 10_000, ""),
        lambda: mail_text(nested_mail(100), ""),
        lambda: pdf_text(pdf_file([["a"] * 6_000]), ""),
    ],
)
def test_a_watch_ends_the_reading_of_one_page(read: Callable[[], object]) -> None:
    read()
    with pytest.raises(LimitExceededError), Watch("file_seconds", 0.03):
        read()


def test_a_watch_ends_the_reading_of_fonts() -> None:
    """Each font of a page is read before its first operation."""
    fonts = b" ".join(b"/F%d 3 0 R" % number for number in range(2_000))
    file = pdf_file([["x"]]).replace(b"/F1 3 0 R", fonts)
    start_s = time.process_time()
    pdf_text(file, "a.pdf")
    middle_s = time.process_time()
    with pytest.raises(LimitExceededError), Watch("file_seconds", 0.02):
        pdf_text(file, "a.pdf")
    assert time.process_time() - middle_s < (middle_s - start_s) / 2


def test_a_page_of_a_pdf_has_a_limited_size() -> None:
    content = zlib.compress(b" " * 20_000_001)
    stream = b"stream\n" + content + b"\nendstream"
    file = pdf_file([["x"]])
    start, end = file.index(b"<< /Length"), file.index(b"endstream") + len(b"endstream")
    packed = file[:start] + b"<< /Filter /FlateDecode /Length %d >>\n" % len(content) + stream + file[end:]
    with pytest.raises(InvalidInputError, match="can't be read as PDF: LimitReachedError"):
        pdf_text(packed, "a.pdf")


@pytest.mark.parametrize(
    ("charset", "message"),
    [
        ("undefined", "not known: 'undefined'"),
        ("a\0b", "not known"),
        ("punycode", "not known"),
        ("unicode_escape", "not known"),
        ("rot13", "not known"),
        ("utf-7", "not in the encoding that it names, utf-7"),
    ],
)
def test_encodings_that_are_none(charset: str, message: str) -> None:
    content = f"From: a@b\nContent-Type: text/plain; charset={charset}\n\n+2AA-\\ud800".encode()
    with pytest.raises(InvalidInputError, match=message):
        mail_text(content, "a.eml")
    if charset.isalnum():
        with pytest.raises(InvalidInputError, match=message):
            html_text(f"<meta charset={charset}>".encode() + b"\xff", "a.html")


def test_mails_that_are_nested_deeply_or_have_long_headers() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        with pytest.raises(InvalidInputError, match="nested too deeply"):
            mail_text(nested_mail(150), "a.eml")
    finally:
        sys.setrecursionlimit(limit)
    with pytest.raises(InvalidInputError, match="a header of more than 65,536 characters"):
        mail_text(b"From: a@b\nTo: " + b"a@b.c, " * 10_000 + b"\n\nx", "a.eml")
    assert mail_text(b"From: a@b\n\nx", "a.eml") == MailText("From: a@b\n\nx\n")
