"""The text of HTML pages and PDFs, and what of them can't be read."""

from __future__ import annotations

import io
import sys

import pypdf
import pytest

from guided.documents.html import html_text
from guided.documents.pdf import pdf_text
from guided.grammars.errors import InvalidInputError

from .pdf_file import pdf_file

PAGE = """<html><head><title>T</title><style>p {}</style><script>alert("no")</script></head><body>
<h1>Order &amp; more</h1><p>Dear <b>A</b>da,<br>two   kettles</p>
<table><tr><td>Kettle</td><td>2</td></tr><tr><td>Lamp</td><td>10</td></tr></table></body></html>"""


def test_what_a_page_shows() -> None:
    text = html_text(PAGE.encode(), "page.html")
    assert [line.split() for line in text.splitlines() if line.strip()] == [
        ["Order", "&", "more"],
        ["Dear", "Ada,"],
        ["two", "kettles"],
        ["Kettle", "2"],
        ["Lamp", "10"],
    ]


@pytest.mark.parametrize("encoding", ["latin-1", "iso-8859-2", "shift_jis", "utf-8", "utf-16", "windows-1252"])
def test_encodings(encoding: str) -> None:
    char = {"iso-8859-2": "ń", "shift_jis": "日", "windows-1252": "€"}.get(encoding, "é")
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={encoding}"><p>caf{char}</p>'
    assert html_text(page.encode(encoding), "page.html").strip() == f"caf{char}"
    xml = f'<?xml version="1.0" encoding="latin-1"?><html><body>{char}</body></html>'
    assert html_text(xml.encode(), "page.xhtml").strip() == char


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<p>caf\xe9</p>", r"p.html is not UTF-8 \(byte 6\) and names no other encoding"),
        (b'<meta charset="klingon">caf\xe9', "names an encoding that is not known: 'klingon'"),
        (b'<meta charset="shift_jis">caf\xe9', "is not in the encoding that it names, shift_jis"),
        (b"<div>" * 5000 + b"x", "nested too deeply"),
    ],
)
def test_pages_that_cannot_be_read(content: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        html_text(content, "p.html")


@pytest.mark.parametrize("content", [b"", b" \n", b"<!-- nothing -->", b"<script>x</script>", b"<br>"])
def test_pages_without_text(content: bytes) -> None:
    assert html_text(content, "page.html").strip() == ""


def test_deep_pages_lose_nothing() -> None:
    assert html_text(b"<div>" * 300 + b"deep" + b"</div>" * 300, "page.html").strip() == "deep"


def test_the_pages_of_a_pdf() -> None:
    found = pdf_text(pdf_file([["Invoice (copy)", "Total 12.50"], [], ["Thank you"]]), "a.pdf")
    assert found.text == "Invoice (copy)\nTotal 12.50\n\nThank you"
    assert found.empty_pages == (2,)


def test_pdfs_that_cannot_be_read() -> None:
    with pytest.raises(InvalidInputError, match=r"a.pdf has no text layer on any of its 2 pages.*OCR"):
        pdf_text(pdf_file([[], []]), "a.pdf")
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_file([["secret"]])))
    writer.encrypt("password", algorithm="RC4-128")
    locked = io.BytesIO()
    writer.write(locked)
    with pytest.raises(InvalidInputError, match=r"a.pdf is encrypted"):
        pdf_text(locked.getvalue(), "a.pdf")
    for content in (b"", b"no PDF", b"%PDF-1.4\n%%EOF\n"):
        with pytest.raises(InvalidInputError, match=r"a.pdf can't be read as PDF"):
            pdf_text(content, "a.pdf")


@pytest.mark.parametrize(("module", "read"), [("inscriptis", html_text), ("pypdf", pdf_text)])
def test_libraries_that_are_not_installed(monkeypatch: pytest.MonkeyPatch, module: str, read: object) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(InvalidInputError, match=rf"needs {module}, which is not installed: pip install 'guided-gen"):
        read(b"x", "a file")  # type: ignore[operator]
