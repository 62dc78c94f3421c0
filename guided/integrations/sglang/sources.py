"""Converts what SGLang keeps of a grammar, two texts, to arguments of `compile_grammar`.

SGLang compiles and caches a grammar by its kind and text alone. Options of a request that affect the grammar are
therefore written into the text.
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from guided.grammars.errors import InvalidInputError, InvalidStructuralTagError

from .options import SglangOptions

KINDS = {"json": "json_schema", "regex": "regex", "ebnf": "ebnf", "structural_tag": "structural_tag"}
"""SGLang's kinds of grammars, as in the names of its backend methods -> our kinds."""
ANY_JSON = "$$ANY$$"
"""SGLang's word for any JSON value."""
_MARK = '{"guided": {'
"""Beginning of a text with options. A source that itself begins like this gets options too, empty ones."""


def with_options(source: str, options: SglangOptions) -> str:
    """A text for the source and the options; the source itself if no option is needed."""
    given = {
        field.name: getattr(options, field.name)
        for field in dataclasses.fields(options)
        if field.name != "close" and getattr(options, field.name) is not None
    }
    if not given and not source.startswith(_MARK):
        return source
    return json.dumps({"guided": given, "source": source}, ensure_ascii=False)


def grammar_arguments(kind: str, key_text: str, whitespace: str | None = None) -> dict[str, Any]:
    """Arguments of `compile_grammar`, without the vocabulary.

    kind: one of KINDS.
    key_text: result of `with_options`.
    whitespace: the server's default for JSON schemas.
    Raises GrammarInputError or InvalidStructuralTagError.
    """
    options, source = SglangOptions(), key_text
    if key_text.startswith(_MARK):
        parts = json.loads(key_text)
        options, source = SglangOptions(**parts["guided"]), parts["source"]
    ours = KINDS[kind]
    if ours == "json_schema" and options.whitespace is None:
        options = dataclasses.replace(options, whitespace=whitespace)
    arguments = options.compile_arguments(ours, {})
    if ours == "structural_tag":
        return {ours: _as_documented(source), **arguments}
    return {ours: {} if kind == "json" and source == ANY_JSON else source, **arguments}


def server_whitespace(serving: Any) -> str | None:
    """The whitespace in JSON that the server's flags ask for; None without such flags. serving: the flags as SGLang
    resolved them.

    Raises InvalidInputError if the flags contradict each other.
    """
    max_count = serving.constrained_json_max_whitespace_cnt
    given = {
        "--constrained-json-whitespace-pattern": serving.constrained_json_whitespace_pattern,
        "--constrained-json-disable-any-whitespace": (
            "compact" if serving.constrained_json_disable_any_whitespace else None
        ),
        "--constrained-json-max-whitespace-cnt": None if max_count is None else rf"[ \t\r\n]{{0,{max_count}}}",
    }
    found = {name: value for name, value in given.items() if value is not None}
    if len(found) > 1:
        raise InvalidInputError(f"{' and '.join(found)} exclude each other")
    return next(iter(found.values()), None)


def _as_documented(source: str) -> Any:
    """A structural tag in its documented form. SGLang's tools add fields that the form lacks, or null."""
    try:
        tag = json.loads(source)
    except ValueError as error:
        raise InvalidStructuralTagError(f"is no JSON text: {error}") from None
    if not isinstance(tag, dict):
        return tag
    if isinstance(tag.get("structures"), list):
        return _without_extension(tag)
    return _with_schemas(tag)


def _without_extension(tag: dict[str, Any]) -> dict[str, Any]:
    """The older form, without SGLang's `at_least_one` and with {} for a null schema."""
    structures = [
        {**one, "schema": {}} if isinstance(one, dict) and one.get("schema") is None else one
        for one in tag["structures"]
    ]
    older = {name: value for name, value in tag.items() if name != "at_least_one"}
    if tag.get("at_least_one") is not True or not all(isinstance(one, dict) for one in structures):
        return {**older, "structures": structures}
    tags = [
        {"content": {"type": "json_schema", "json_schema": one["schema"]}, **{k: one[k] for k in one if k != "schema"}}
        for one in structures
    ]
    newer = {"type": "triggered_tags", "triggers": tag.get("triggers"), "tags": tags, "at_least_one": True}
    return {"type": "structural_tag", "format": newer}


def _with_schemas(place: Any) -> Any:
    """The newer form, with {} for a null schema."""
    if isinstance(place, list):
        return [_with_schemas(one) for one in place]
    if not isinstance(place, dict):
        return place
    if place.get("type") in ("json_schema", "qwen_xml_parameter") and place.get("json_schema") is None:
        place = {**place, "json_schema": {}}
    return {name: value if name == "json_schema" else _with_schemas(value) for name, value in place.items()}
