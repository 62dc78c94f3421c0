"""The text of an HTML page as a browser shows it: without hidden parts, and with tables in columns.

Only element names and the attributes `hidden` and `style` hide elements; style sheets and scripts are not evaluated.
Folded <details> are read. Text that exists only in attributes, such as image descriptions and values of fields, is not
read.
"""

from __future__ import annotations

import codecs
import re
from typing import Any

from guided.grammars.errors import InvalidInputError
from guided.grammars.extras import require
from guided.grammars.watch import checkpoint

from .page_layout import PageLayout, styles_of

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.I)
# Python's own codecs; the time of some grows with the square of the text
_NO_TEXT_ENCODINGS = ("idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
_SEARCHED_BYTES = 4096  # HTML requires the declaration in the first 1024 bytes
# elements that are not displayed, in addition to the library's own
_NOT_DISPLAYED = ("audio", "canvas", "datalist", "iframe", "noembed", "noframes", "noscript", "template", "video")
_PADDED = ("button", "input", "select")  # inline elements that are padded with spaces


def html_text(content: bytes, name: str) -> str:
    """The text of a page. name: the page's name, for errors.

    The page must be UTF-8, or have the encoding of its byte order mark or its <meta charset>.
    Raises InvalidInputError for another encoding, for a page that is nested too deeply or too large as text, and if the
    library is missing. Inside a `Watch` it raises the watch's errors, too.
    """
    layout = PageLayout(name)
    html = require("lxml.html", f"the text of {name}")
    page = _decode(content, name)
    # Passed as bytes, since lxml refuses text with an encoding declaration. huge_tree, since lxml drops deep nesting
    # without it.
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = html.document_fromstring(page.encode("utf-8"), parser=parser)
        _drop_hidden_inplace(tree)
        return layout.text(tree)
    except require("lxml.etree", f"the text of {name}").ParserError:  # only comments, or nothing at all
        return ""
    except RecursionError:
        raise InvalidInputError(f"{name} is nested too deeply to be read as HTML") from None


def _drop_hidden_inplace(tree: Any) -> None:
    """Remove hidden content from an lxml tree.

    An element that is not displayed becomes empty. An invisible element, such as a table cell, keeps its place and
    loses its texts.
    """
    pending = [(tree, False)]
    while pending:
        checkpoint()
        element, is_parent_invisible = pending.pop()
        if not _is_displayed(element):
            element.clear(keep_tail=True)
            element.tag = "span"
            continue
        is_invisible = _is_invisible(element, is_parent_invisible)
        if is_invisible:
            element.text = None
            if element.tag == "li":  # an invisible item has no visible bullet
                element.tag = "div"
        elif element.tag in _PADDED:
            _pad_inplace(element)
        for child in element:
            if is_invisible:
                child.tail = None
            if isinstance(child.tag, str):  # not a comment
                pending.append((child, is_invisible))


def _is_displayed(element: Any) -> bool:
    """True if the element's own name and attributes let it be displayed. The element's ancestors are not considered."""
    is_hidden_field = element.tag == "input" and element.get("type", "").lower() == "hidden"
    if element.tag in _NOT_DISPLAYED or is_hidden_field:
        return False
    display = _styles(element).get("display")
    if display:
        return display != "none"
    is_closed = element.tag == "dialog" and element.get("open") is None
    return element.get("hidden") is None and not is_closed


def _is_invisible(element: Any, is_parent_invisible: bool) -> bool:
    visibility = _styles(element).get("visibility", "inherit")
    return is_parent_invisible if visibility == "inherit" else visibility in ("hidden", "collapse")


def _styles(element: Any) -> dict[str, str]:
    return styles_of(element.get("style", ""))


def _pad_inplace(element: Any) -> None:
    """Put spaces around the text of a button or field. A drop-down list shows only its chosen option."""
    if element.tag == "select" and element.get("multiple") is None and element.get("size", "") in ("", "0", "1"):
        options = list(element.iter("option"))
        selected = [one for one in options if one.get("selected") is not None]
        enabled = [one for one in options if one.get("disabled") is None]
        element.text = "".join(one.text_content() for one in selected[-1:] or enabled[:1])
        del element[:]
    element.text = f" {element.text or ''}"
    if len(element):
        element[-1].tail = f"{element[-1].tail or ''} "
    else:
        element.text += " "


def _decode(content: bytes, name: str) -> str:
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return decoded(content, encoding, name)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        declared = _DECLARED.search(content[:_SEARCHED_BYTES])
        if declared is None:
            reason = f"is not UTF-8 (byte {error.start}) and names no other encoding in a <meta charset>"
            raise InvalidInputError(f"{name} {reason}; convert it first") from None
    return decoded(content, declared[1].decode("ascii"), name)


def decoded(content: bytes, encoding: str, name: str) -> str:
    """Decode a text. encoding: as the text names it. Raises InvalidInputError if it is not known, or does not fit."""
    try:
        known = codecs.lookup(encoding).name
    except (LookupError, ValueError):  # a ValueError for a name that no encoding may have
        known = ""
    try:
        if known in ("", *_NO_TEXT_ENCODINGS):
            raise LookupError
        # the HTML standard reads Latin-1 as Windows-1252
        text = content.decode("cp1252" if known in ("iso8859-1", "ascii") else encoding)
        text.encode()  # fails for halves of surrogate pairs, which some encodings give
    except LookupError:  # also for Python's codecs from bytes to bytes
        raise InvalidInputError(f"{name} names an encoding that is not known: {encoding[:40]!r}") from None
    except UnicodeError as error:
        place = f" (byte {error.start})" if isinstance(error, UnicodeDecodeError) else ""
        raise InvalidInputError(f"{name} is not in the encoding that it names, {encoding[:40]}{place}") from None
    return text
