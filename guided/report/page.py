"""Writes the report page: one file that needs no server, no network and no other file.

The page contains texts and values as JSON in elements that are no scripts; its script turns them into text nodes. A
content security policy lists the hashes of the page's own script and style, so nothing else can run.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from ..schemas.shape import ValueShape
from .entries import Field, ReportFields, entry

_GOLDEN_ANGLE = 137.508  # gives clearly different hues for any number of fields
_FIRST_HUE = 212
_AWKWARD = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


@dataclass(frozen=True)
class ReportText:
    """A text and its results. record: from `to_record`. shape: shape of its document."""

    text: str
    record: Mapping[str, Any]
    shape: ValueShape


def write_report(path: Path, texts: Iterable[ReportText], fields: ReportFields) -> None:
    """Write the report. fields: the fields of all its documents.

    Texts are written one after another, so they need not be in memory together.
    """
    script, style = _source("report.js"), _source("report.css")
    values = {
        "script_hash": _hash(script),
        "style_hash": _hash(style),
        "style": style,
        "fields": _data([_shown(one, place) for place, one in enumerate(fields.fields)]),
    }
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(Template(_source("report.html")).substitute(values))
        for one in texts:
            file.write(_data(entry(one.text, one.record, fields, one.shape)) + "\n")
        file.write(f"</script>\n<script>{script}</script>\n</body>\n</html>\n")


def _shown(field: Field, place: int) -> dict[str, Any]:
    hue = round((_FIRST_HUE + place * _GOLDEN_ANGLE) % 360)
    return {"name": field.pointer, "leaf": field.is_leaf, "hue": hue}


def _source(name: str) -> str:
    return files("guided.report").joinpath(name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    return base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _data(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON in ASCII without characters that could begin or end an element."""
    text = json.dumps(value, separators=(",", ":"))
    for char, escape in _AWKWARD.items():
        text = text.replace(char, escape)
    return text
