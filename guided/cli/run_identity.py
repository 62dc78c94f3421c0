"""The digest of all that determines the answer to a text. `--resume` keeps only records with the digest of this run.

A model is known by name and place, so other weights in the same folder or behind the same URL are not noticed. The code
of a type, such as its validators, is not noticed either.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..schemas.python_types import to_json_schema
from .texts import TextSource


def run_digest(source: TextSource, schema_type: Any, options: Mapping[str, Any]) -> str:
    """SHA-256 of a text (or of the error that prevents reading it), of its schema as data, and of the options."""
    text = source.text if source.problem is None else str(source.problem)
    whole = json.dumps([text, to_json_schema(schema_type), options], sort_keys=True)
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


def model_place(model: str | None, base_url: str | None) -> str | None:
    """The server or the folder of a model. None for a model known by name."""
    if base_url is not None:
        return base_url.rstrip("/")
    return str(Path(model).resolve()) if model is not None and Path(model).is_dir() else None
