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


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("<p>a</p><p hidden>secret</p><p>b</p>", "a b"),
        ("<P>a</P><P HIDDEN=until-found>secret<!-- c -->secret</P>b", "a b"),
        ("a<template><p>secret</p></template>b<noscript><p>secret</p></noscript>c", "abc"),
        ("a<noscript style='display:block'>secret</noscript>b", "ab"),
        ("<p style='visibility: hidden'>secret<b style='visibility:visible'>b</b><!-- c -->secret</p>c", "b c"),
        ("<p style='color:red; VISIBILITY : Hidden !important'>secret<br>secret<i>secret</i>secret</p>b", "b"),
        ("<div style='visibility:hidden'>secret<i style='display:none'>secret</i>secret</div>b", "b"),
        ("<ul style='visibility:hidden'><li>secret<ol><li>secret</ol></ul>b", "b"),
        ("<p style='display:none !important'>secret<b style='display:block'>secret</b></p>b", "b"),
        ("<div style='display:none'>secret<!-- c -->secret</div>b", "b"),
        ("<p hidden style='display:block'>a</p>b", "a b"),
        ("<table hidden><tr><td>secret<td>secret</table>b", "b"),
        ("<table><tr><td>a<td hidden>secret<td style='visibility:hidden'>secret<td>b</table>", "a b"),
        ("<dialog>secret</dialog><dialog open>a</dialog>b", "a b"),
        ("a<iframe>secret</iframe><video><p>secret</p></video><canvas>secret</canvas>b", "ab"),
        ("<p hidden>secret", ""),
        ("<html><body hidden>secret</body></html>", ""),
        ("<body hidden><p>secret</p></body>", ""),
        ("<html hidden><body>secret</body></html>", ""),
        ("<body style='visibility:hidden'>secret<p>secret</p></body>", ""),
    ],
)
def test_what_a_page_hides(page: str, shown: str) -> None:
    assert html_text(page.encode(), "page.html").split() == shown.split()


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<textarea>ta</textarea><select><option>o1<option>o2</select><button>bt</button>", ["ta", "o1 bt"]),
        ("<p>Note<textarea>\n one\n  two &lt;3</textarea>end", ["Note", "one", "two <3", "end"]),
        ("Name<input value=x>Town<input type=hidden>!", ["Name Town!"]),
        ("<button>a<b>b</b>c</button><button>d</button>", ["abc d"]),
        ("City<select><option>Oslo<option selected>Bern</select>now", ["City Bern now"]),
        ("<select><option disabled selected hidden>Choose<option>a</select>", ["Choose"]),
        ("<select><optgroup><option disabled>a<option>b<b>c</b></optgroup></select>", ["bc"]),
        ("a<select size=1></select>b", ["a b"]),
        (
            "<select multiple><option>a<option>b</select><select size=3><option>c<option>d</select>",
            ["a", "b", "c", "d"],
        ),
        ("<section>a</section><section>b</section>", ["a", "b"]),
        ("<dl><dt>Size<dd>2</dl><fieldset><legend>c</legend>d</fieldset>", ["Size", "2", "c", "d"]),
        ("<details><summary>a</summary>b</details>c", ["a", "b", "c"]),
    ],
)
def test_forms_and_what_else_stands_for_itself(page: str, lines: list[str]) -> None:
    text = html_text(page.encode(), "page.html")
    assert [line.strip() for line in text.splitlines() if line.strip()] == lines


def test_a_cell_that_is_invisible_keeps_its_place() -> None:
    rows = "<tr><td>a</td><td style='visibility:hidden'>secret</td><td>b</td></tr><tr><td>c<td>dd<td>e</tr>"
    assert html_text(f"<table>{rows}</table>".encode(), "page.html").splitlines() == ["a      b", "c  dd  e"]


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
    with pytest.raises(InvalidInputError, match=rf"needs {module}, which is not installed; run: pip install 'guided"):
        read(b"x", "a file")  # type: ignore[operator]
