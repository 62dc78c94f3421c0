"""The page's knowledge about grammars, taken from the tables that the package itself uses."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from guided.grammars import library
from guided.params.conversions import PRESETS

if TYPE_CHECKING:
    from guided.grammars.json_schema.keyword_table import Keyword

_TYPES = ("string", "integer", "number", "boolean", "null", "object", "array")
_OF_SHAPES = {"one": "{}", "many": "[{}]", "map": "{}", "maps": "{}", "items": "{}", "dependencies": "{}"}
_OF_CHECKS = {"count": "1", "number": "0", "positive": "1", "exclusive_bound": "0", "boolean": "true"}
_OF_NAMES = {"type": '"string"', "enum": '[""]', "required": "[]", "const": '""', "dependentRequired": "{}"}
_ANNOTATIONS = ("title", "description", "default", "examples")


@cache
def workbench_data() -> dict[str, Any]:
    """The workbench's data. keywords, formats, types: for completing JSON Schemas. presets: sampling settings.
    examples: ready grammars.

    PERF: imported here, since the tables of formats take 30 to 70 ms, which would delay each start of the server.
    """
    from guided.grammars.json_schema.formats import format_names
    from guided.grammars.json_schema.keyword_table import KEYWORDS

    current = {one.name: one for one in KEYWORDS}  # a keyword with several meanings has that of the newest draft
    keywords = [_keyword(one) for one in current.values()]
    notes = [{"name": name, "about": "annotation", "shape": None, "value": '""'} for name in _ANNOTATIONS]
    return {
        "keywords": [*keywords, *notes],
        "formats": list(format_names()),
        "types": list(_TYPES),
        "presets": {name: dict(fields) for name, fields in PRESETS.items()},
        "examples": [*_own_examples(), *_library_examples()],
    }


def _keyword(one: Keyword) -> dict[str, Any]:
    """Describe a keyword. about: the types it applies to. shape: how it contains schemas. value: a first value to
    write.
    """
    about = {"names": "names schemas", "annotates": "annotation"}.get(one.role, ", ".join(sorted(one.types)) or "any")
    value = _OF_NAMES.get(one.name) or _OF_SHAPES.get(one.shape or "")
    if value is None:
        value = _OF_CHECKS.get(getattr(one.check, "__name__", ""), '""')
    return {"name": one.name, "about": about, "shape": one.shape, "value": value}


def _own_examples() -> list[dict[str, Any]]:
    text = files(__package__).joinpath("examples.json").read_text(encoding="utf-8")
    found: list[dict[str, Any]] = json.loads(text)
    return found


def _library_examples() -> list[dict[str, Any]]:
    """The ready grammars as examples of the page."""
    examples = []
    for name in library.names():
        one = library.get(name)
        settings = {"kind": one.kind, "source": one.source, "mode": "text", "prompt": f"{one.description}: "}
        if one.dialect is not None:
            settings["dialect"] = one.dialect
        title = name.replace("_", " ")
        examples.append({"name": title, "group": "Ready grammars", "about": one.description, "settings": settings})
    return examples
