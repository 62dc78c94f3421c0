"""SGLang's whole engine with the tiny model, on a CPU: its scheduler, its overlap of steps, its processes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from . import sglang_site

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["red", "green", "blue"]}},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def engine(model_folder: Path) -> Iterator[Any]:
    import sglang

    with pytest.MonkeyPatch.context() as patch:
        folders = [str(Path(sglang_site.__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, folders)))
        engine = sglang.Engine(
            model_path=str(model_folder),
            grammar_backend="guided",
            device="cpu",
            attention_backend="torch_native",
            sampling_backend="pytorch",
            disable_cuda_graph=True,
            dtype="float32",
            max_total_tokens=4096,
            context_length=256,
            max_running_requests=8,
            random_seed=0,
        )
    yield engine
    engine.shutdown()


def test_a_mixed_batch_is_enforced_and_closed(engine: Any) -> None:
    schema = {"json_schema": json.dumps(PERSON)}
    kinds: list[dict[str, Any]] = [
        schema,
        {"regex": "[a-c]{3,60}x"},
        {},
        {"ebnf": 'root ::= "a" [0-9]+ "b"'},
        {**schema, "custom_params": {"guided": {"whitespace": "compact"}}},
    ]
    params = [{"max_new_tokens": 48, "temperature": 1.0, **kind} for kind in kinds * 4]
    answers = engine.generate(["hello"] * len(params), params)
    for answer, kind in zip(answers, kinds * 4, strict=True):
        text, reason = answer["text"], answer["meta_info"]["finish_reason"]["type"]
        if not kind:
            continue
        assert reason in ("stop", "length"), text
        if "json_schema" in kind:
            jsonschema.validate(json.loads(text), PERSON)
            assert "custom_params" not in kind or text.startswith('{"name":"')
        else:
            assert re.fullmatch("[a-c]{3,60}x" if "regex" in kind else "a[0-9]+b", text)


def test_the_context_is_a_budget_too(engine: Any) -> None:
    answer = engine.generate("hello " * 30, {"max_new_tokens": None, "temperature": 1.0, "regex": "[a-z]{60,}"})
    assert answer["meta_info"]["finish_reason"]["type"] in ("stop", "length"), answer  # a random text may end before
    assert re.fullmatch("[a-z]{60,}", answer["text"])


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"json_schema": '{"properties": {"a": {"type": "objekt"}}}'}, "at '/properties/a/type'"),
        ({"regex": "a", "custom_params": {"guided": {"n": 2}}}, "guided.n: can't be given to SGLang's engine"),
    ],
)
def test_what_is_wrong_is_said_and_the_engine_goes_on(engine: Any, params: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        engine.generate("hello", {"max_new_tokens": 8, **params})
    assert engine.generate("hello", {"max_new_tokens": 8, "regex": "abc"})["text"] == "abc"


def test_a_stream_is_the_text_bit_by_bit(engine: Any) -> None:
    *_, last = engine.generate("hello", {"max_new_tokens": 30, "regex": "(ab){5,9}"}, stream=True)
    assert re.fullmatch("(ab){5,9}", last["text"])
