"""Where the beginning of a JSON document has got to, against documents that the standard library writes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guided.schemas.document_place import DocumentPlace


def value_at(document: Any, steps: list[str | int]) -> Any:
    for step in steps:
        document = document[step]
    return document


def random_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.choice("snltf" if depth > 3 else "snltfoa")
    if kind == "o":
        return {rng.choice(["a", "b~", "c/d", 'e"', "é", "", "\\"]): random_value(rng, depth + 1) for _ in range(3)}
    if kind == "a":
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {"s": rng.choice(['x"y', "[{,", "\\", ""]), "n": rng.choice([0, -1.5, 1e9]), "l": None}.get(
        kind, kind == "t"
    )


@pytest.mark.parametrize("seed", range(40))
def test_every_beginning_leads_to_its_value(seed: int) -> None:
    rng = random.Random(seed)
    document = random_value(rng)
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1])).encode()
    place, num_checked = DocumentPlace(), 0
    for index in range(len(text)):
        place.feed(text[index : index + 1])
        steps = place.steps
        here = value_at(document, steps[:-1] if place.mode == "value" else steps)  # it exists
        if place.mode in ("string", "scalar"):
            assert (here if isinstance(here, str) else json.dumps(here)).startswith(place.part)
            num_checked += 1
        if place.is_at_key:
            assert isinstance(here, dict)
        if place.mode == "after":
            container, so_far = value_at(document, steps[:-1]), place.containers[-1].value
            if isinstance(so_far, list):
                assert so_far == container[: len(so_far)]
            else:
                assert all(container[key] == so_far[key] for key in so_far)
    whole = DocumentPlace.after(text + b" ")
    assert (whole.mode, whole.steps, whole.pointer) == ("end", [], "")
    assert num_checked or not isinstance(document, str | int)


def test_pointers_are_escaped() -> None:
    assert DocumentPlace.after(b'{"a/b": {"c~d": [0, ').pointer == "/a~1b/c~0d/1"


def test_a_key_belongs_to_its_object() -> None:
    assert DocumentPlace.after(b'{"a": {"b": 1, "c').pointer == "/a"
    assert DocumentPlace.after(b'{"a": {"b": 1, "c"').pointer == "/a/c"
    assert DocumentPlace.after(b'{"a": {"b": 1}').pointer == "/a"
