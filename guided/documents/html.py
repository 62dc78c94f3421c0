"""The text of an HTML page, as a browser would show it: without scripts and styles, tables in columns."""

from __future__ import annotations

import codecs
import re

from guided.grammars.errors import InvalidInputError

from .extras import require

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.I)
_SEARCHED_BYTES = 4096  # HTML asks for the declaration in the first 1024


def html_text(content: bytes, name: str) -> str:
    """The text of a page. name: it, in errors.

    It is UTF-8, or in the encoding that its byte order mark or its <meta charset> names.
    Raises InvalidInputError for one that is neither, for one that is nested too deeply, and without the library.
    """
    inscriptis = require("inscriptis", f"the text of {name}")
    config = require("inscriptis.model.config", f"the text of {name}")
    html = require("lxml.html", f"the text of {name}")
    page = _decode(content, name)
    profiles = require("inscriptis.css_profiles", f"the text of {name}")
    # Bytes, as lxml takes no text with an encoding in it; huge_tree, as it drops what is nested deeply without it.
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        tree = html.fromstring(page.encode("utf-8"), parser=parser)
        text: str = inscriptis.Inscriptis(tree, config.ParserConfig(css=profiles.CSS_PROFILES["strict"])).get_text()
    except require("lxml.etree", f"the text of {name}").ParserError:  # nothing but comments, or nothing at all
        return ""
    except RecursionError:
        raise InvalidInputError(f"{name} is nested too deeply to be read as HTML") from None
    return text


def _decode(content: bytes, name: str) -> str:
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if content.startswith(mark):
            return _decoded(content, encoding, name)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        declared = _DECLARED.search(content[:_SEARCHED_BYTES])
        if declared is None:
            reason = f"is not UTF-8 (byte {error.start}) and names no other encoding in a <meta charset>"
            raise InvalidInputError(f"{name} {reason}; convert it first") from None
    return _decoded(content, declared[1].decode("ascii"), name)


def _decoded(content: bytes, encoding: str, name: str) -> str:
    try:
        # what pages call Latin-1 is Windows-1252, says the HTML standard
        return content.decode("cp1252" if codecs.lookup(encoding).name in ("iso8859-1", "ascii") else encoding)
    except LookupError:
        raise InvalidInputError(f"{name} names an encoding that is not known: {encoding!r}") from None
    except UnicodeDecodeError as error:
        raise InvalidInputError(
            f"{name} is not in the encoding that it names, {encoding} (byte {error.start})"
        ) from None
