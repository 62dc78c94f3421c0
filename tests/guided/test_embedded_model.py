"""The model in the package: its files, its chat template, what it reads out of texts, how often it is right."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from examples.embedded_model.corpus.pools import syllables
from examples.embedded_model.evaluate import evaluate, make_tasks
from guided.cli.sources import load_schema
from guided.embedded import model_path
from guided.embedded.chat_tokenizer import ChatTokenizer
from guided.embedded.files import package_folder
from guided.embedded.loading import load_network
from guided.embedded.network import Config, rotation, unsupported_setting
from guided.llm import LLM
from guided.params.sampling_params import SamplingParams
from tests.checkpoints import Counted
from tests.guided.examples_expected import EXPECTED

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
MAX_PACKAGE_BYTES = 16 * 2**20


@pytest.fixture(scope="module")
def llm() -> Iterator[LLM]:
    num_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # such small matrices gain nothing from a second thread, and lose on a busy machine
    yield LLM()
    torch.set_num_threads(num_threads)


def test_files_are_standard_and_small() -> None:
    files = {path.name: path.stat().st_size for path in model_path().iterdir()}
    assert {
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    } <= set(files)
    assert sum(path.stat().st_size for path in package_folder().iterdir()) <= MAX_PACKAGE_BYTES
    assert json.loads((model_path() / "config.json").read_text())["architectures"] == ["LlamaForCausalLM"]


def test_chat_template_is_the_one_of_the_sources() -> None:
    source = (EXAMPLES / "embedded_model" / "chat_template.jinja").read_text(encoding="utf-8")
    assert (model_path() / "chat_template.jinja").read_text(encoding="utf-8") == source


@pytest.fixture(scope="module")
def by_transformers() -> Any:
    from transformers import AutoModelForCausalLM

    return AutoModelForCausalLM.from_pretrained(model_path(), dtype=torch.float32, local_files_only=True)


def test_its_network_gives_the_logits_of_transformers(by_transformers: Any) -> None:
    network = load_network(torch.float32)
    assert network.num_parameters() == by_transformers.num_parameters()
    rng = torch.Generator().manual_seed(0)
    for length, first in ((1, 0), (7, 0), (40, 600), (300, 3700)):
        tokens = torch.randint(network.config.vocab_size, (2, length), generator=rng)
        places = torch.arange(first, first + length)[None]
        with torch.inference_mode():
            ours, theirs = (model(tokens, position_ids=places).logits for model in (network, by_transformers))
            last = network(tokens, position_ids=places, logits_to_keep=torch.tensor([length - 1])).logits
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(last[:, 0], ours[:, -1], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("factor", [None, 1.0, 2.5, 6.4, 40.0])
def test_its_positions_are_those_of_transformers(by_transformers: Any, factor: float | None) -> None:
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": 5e4}
    if factor is not None:
        rope |= {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": 512}
    own = replace(Config.read(model_path() / "config.json"), rope_parameters=rope)
    theirs = LlamaRotaryEmbedding(
        type(by_transformers.config)(**{**vars(by_transformers.config), "rope_parameters": rope})
    )
    frequencies, length = rotation(own)
    torch.testing.assert_close(frequencies, theirs.inv_freq)
    assert length == pytest.approx(theirs.attention_scaling)


def test_settings_that_its_network_does_not_have_are_refused(tmp_path: Path) -> None:
    settings = json.loads((model_path() / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps({**settings, "hidden_act": "gelu"}))
    with pytest.raises(ValueError, match="hidden_act is 'gelu', which the embedded model's network can't do"):
        Config.read(tmp_path / "config.json")
    rope = settings["rope_parameters"]
    for other in ({**rope, "beta_fast": 16}, {**rope, "rope_type": "llama3"}):
        assert unsupported_setting({**settings, "rope_parameters": other}) == "rope_parameters"
    assert unsupported_setting(settings) is None


def test_its_tokenizer_is_that_of_transformers() -> None:
    from transformers import AutoTokenizer

    ours: Any = ChatTokenizer(model_path())
    theirs: Any = AutoTokenizer.from_pretrained(model_path(), local_files_only=True)
    texts = ["Ada Holm is 36.", "", " two  spaces\n", "日本 é \U0001f600", "<|json|>{}<|end|>", "<|beg"]
    for text in texts:
        for special in (True, False):
            assert ours.encode(text, add_special_tokens=special) == theirs.encode(text, add_special_tokens=special)
            token_ids = theirs.encode(text)
            decoded = (one.decode(token_ids, skip_special_tokens=special) for one in (ours, theirs))
            assert next(decoded) == next(decoded)
    listed = (one(texts, add_special_tokens=False, return_attention_mask=False) for one in (ours, theirs))
    assert next(listed)["input_ids"] == next(listed)["input_ids"]
    assert (len(ours), ours.eos_token_id, set(ours.all_special_ids)) == (
        *(len(theirs), theirs.eos_token_id),
        set(theirs.all_special_ids),
    )
    assert ours.init_kwargs["json_whitespace"] == theirs.init_kwargs["json_whitespace"]
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}, "b": {"enum": [1, True, "x"]}}}
    tools = [{"type": "function", "function": {"name": "f", "parameters": schema}}]
    messages = [{"role": "system", "content": "Read. "}, {"role": "user", "content": "a\n{% b %} "}]
    call = {"role": "assistant", "content": None, "tool_calls": []}
    answer = {"role": "assistant", "content": '{"a": <'}
    for conversation, options in (
        (messages, {"add_generation_prompt": True}),
        (messages, {"response_schema": schema, "add_generation_prompt": True}),
        (messages, {"tools": tools, "named_tool": "f", "add_generation_prompt": False}),
        ([*messages, call, answer, *messages[1:]], {}),
        ([*messages, answer], {"continue_final_message": True}),
    ):
        rendered = (one.apply_chat_template(conversation, tokenize=False, **options) for one in (ours, theirs))
        assert next(rendered) == next(rendered)
    assert ours.get_chat_template() == theirs.get_chat_template(tools=[])
    given = {"tokenize": False, "chat_template": "{{ messages[0].role }}"}
    assert ours.apply_chat_template(messages, **given) == theirs.apply_chat_template(messages, **given) == "system"
    # What only transformers' tokenizer has is its own.
    assert ours.convert_tokens_to_ids("<|end|>") == ours.eos_token_id
    assert ours.apply_chat_template(messages) == theirs.apply_chat_template(messages)
    assert not hasattr(ours, "_nothing")


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({"type": "string"}, "x:string"),
        ({"type": ["integer", "null"]}, "x:integer?"),
        ({"anyOf": [{"type": "number"}, {"type": "null"}]}, "x:number?"),
        ({"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}]}, "x:(a|b)?"),
        ({"$ref": "#/$defs/Kind"}, "x:(a|b)"),
        ({"enum": ["a", "b"], "type": "string"}, "x:(a|b)"),
        ({"const": "a"}, "x:(a)"),
        ({"type": "array", "items": {"type": "string"}}, "x:[string]"),
        ({"type": "array"}, "x:[any]"),
        ({}, "x:any"),
        ({"$ref": "#/$defs/Point"}, "x:{a:integer,b:[(a|b)]?}"),
        ({"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}]}, "x:{a:integer,b:[(a|b)]?}?"),
        ({"type": "array", "items": {"$ref": "#/$defs/Point"}}, "x:[{a:integer,b:[(a|b)]?}]"),
        ({"type": "object"}, "x:object"),
    ],
)
def test_chat_template_names_the_fields(llm: LLM, schema: dict[str, Any], line: str) -> None:
    kind = {"enum": ["a", "b"], "type": "string"}
    kinds = {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Kind"}}, {"type": "null"}]}
    point = {"type": "object", "properties": {"a": {"type": "integer"}, "b": kinds}}
    response_schema = {"properties": {"x": schema}, "$defs": {"Kind": kind, "Point": point}}
    messages = [{"role": "system", "content": "Read."}, {"role": "user", "content": "TEXT"}]
    rendered = llm.tokenizer.apply_chat_template(
        messages, response_schema=response_schema, add_generation_prompt=True, tokenize=False
    )
    assert rendered == f"<|begin|><|system|>Read.<|fields|>{line}\n<|text|>TEXT<|json|>"


def fields_shown(llm: LLM, schema: Any) -> str:
    """What the template shows of a schema."""
    rendered = llm.tokenizer.apply_chat_template(
        [{"role": "user", "content": ""}], response_schema=schema, add_generation_prompt=True, tokenize=False
    )
    assert isinstance(rendered, str)
    return rendered.removeprefix("<|begin|>").removesuffix("<|text|><|json|>").removeprefix("<|fields|>")


def test_chat_template_shows_schemas_that_are_no_objects(llm: LLM) -> None:
    person = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": ["integer", "null"]}}}
    for schema, shown in (
        ({"type": "array", "items": {"$ref": "#/$defs/Person"}}, "[{name:string,age:integer?}]\n"),
        ({"$ref": "#/$defs/Person"}, "{name:string,age:integer?}\n"),
        ({"type": "array", "items": {"type": "string"}}, "[string]\n"),
        ({}, ""),
        (True, ""),
        ({"type": "object"}, ""),
    ):
        assert fields_shown(llm, schema if schema is True else {"$defs": {"Person": person}, **schema}) == shown


def test_chat_template_ends_where_schemas_do_not(llm: LLM) -> None:
    """Schemas that contain themselves are shown to a bounded depth, wide ones to a bounded number of inner fields."""
    wide = {"type": "object", "properties": {f"p{number}": {"$ref": "#/$defs/W"} for number in range(50)}}
    assert len(fields_shown(llm, {"$defs": {"W": wide}, **wide})) < 3000
    items = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(60)}}
    assert fields_shown(llm, {"type": "array", "items": items}).startswith("[{p0:string,")
    itself = {"$ref": "#/$defs/L"}
    assert fields_shown(llm, {"properties": {"x": itself}, "$defs": {"L": itself}}) == "x:any\n"


MISREAD = {"events/winter_poetry.txt": "the embedded model takes an event that is held online to have a venue"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xfail(reason=MISREAD[name], strict=True)) if name in MISREAD else name
        for name in sorted(EXPECTED)
    ],
)
def test_example_texts_are_read_right(llm: LLM, name: str) -> None:
    class_name, expected = EXPECTED[name]
    text = (EXAMPLES / "texts" / name).read_text(encoding="utf-8")
    schema_type = load_schema(f"{EXAMPLES / 'models.py'}:{class_name}")
    extraction = llm.extract_detailed(text, schema_type)
    assert not isinstance(extraction, list)
    assert extraction.is_valid
    assert isinstance(extraction.value, schema_type)
    assert extraction.data == expected


def test_every_example_text_has_an_expectation() -> None:
    texts = {str(path.relative_to(EXAMPLES / "texts")) for path in (EXAMPLES / "texts").rglob("*.txt")}
    assert texts == set(EXPECTED)
    assert min(texts) not in MISREAD, "the demo begins with this text"


def test_held_out_texts_under_the_schema(llm: LLM) -> None:
    """The measure of the model card on a few of its texts; all: `python -m examples.embedded_model.evaluate`.

    The thresholds leave room for a small sample; the aim is 0.85 of the fields and every document.
    """
    summary = evaluate(llm, make_tasks(8, seed=1), is_constrained=True).summary()
    assert summary["documents_valid"] >= 0.98
    assert summary["fields_right"] >= 0.81
    assert 0 < summary["forced_tokens"] < 1


def test_copies_words_that_do_not_exist(llm: LLM) -> None:
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "city": {"type": "string"}},
        "required": ["name", "city"],
        "additionalProperties": False,
    }
    rng = random.Random(4)
    expected = [{"name": f"{syllables(rng)} {syllables(rng)}", "city": syllables(rng)} for _ in range(20)]
    found = llm.extract([f"{one['name']} lives in {one['city']}." for one in expected], schema)
    num_right = sum(got[key] == one[key] for got, one in zip(found, expected, strict=True) for key in one)
    assert num_right >= 30


ADD_PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}},
    "required": ["name", "age", "city"],
}
GET_WEATHER: dict[str, Any] = {"type": "object", "properties": {"town": {"$ref": "#/$defs/T"}}, "required": ["town"]}
GET_WEATHER["$defs"] = {"T": {"type": "string"}}


def test_calls_read_their_arguments_from_the_text_alone(llm: LLM) -> None:
    """The prompt has the fields of the tool as an extraction would, and nothing else that could be read."""
    tools = [
        {"type": "function", "function": {"name": "add_person", "description": "Store a person", "parameters": one}}
        for one in (ADD_PERSON, GET_WEATHER)
    ]
    tools[1]["function"] = {**tools[1]["function"], "name": "get_weather"}  # type: ignore[dict-item]
    named: Any = {"type": "function", "function": {"name": "add_person"}}
    for text, expected in (
        ("Ada Holm is 36 and lives in Oslo.", {"name": "Ada Holm", "age": 36, "city": "Oslo"}),
        ("Please add Anna Berg, 41, from Bern.", {"name": "Anna Berg", "age": 41, "city": "Bern"}),
    ):
        messages = [{"role": "user", "content": text}]
        params = SamplingParams(temperature=0, max_new_tokens=80)
        for given, choice in ((tools[:1], "required"), (tools, named)):
            answer = llm.chat(messages, params, tools=given, tool_choice=choice)
            assert [json.loads(call.arguments) for call in answer.tool_calls] == [expected]
            assert answer.num_prompt_tokens < 60
    both = llm.chat(messages, params, tools=tools, tool_choice="required").num_prompt_tokens
    prompt = llm.start(messages, params, tools=tools, tool_choice="required").prompt_token_ids
    shown = llm.tokenizer.decode(prompt)
    assert both == len(prompt)
    assert "<|fields|>name:string\nage:integer\ncity:string\ntown:string\n<|text|>" in shown
    assert "JSON" not in shown


def test_a_large_schema_is_rendered_with_checkpoints() -> None:
    schema = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(200)}}
    with Counted() as counted:
        ChatTokenizer(model_path()).apply_chat_template(
            [{"role": "user", "content": "a"}], tokenize=False, response_schema=schema
        )
    assert counted.count >= 200


def test_a_schema_that_only_the_prompt_asks_for(llm: LLM) -> None:
    """As clients write it that ask for JSON in words, with a request for a block of code after the text."""
    properties = {"name": {"title": "Name", "type": "string"}, "age": {"title": "Age", "type": "integer"}}
    schema = {"properties": properties, "required": ["name", "age"], "title": "Person", "type": "object"}
    messages = [
        {
            "role": "system",
            "content": f"Answer with JSON of this json_schema:\n\n{json.dumps(schema, indent=2)}\n\nOnly.",
        },
        {"role": "user", "content": "Ada Holm is 36 years old.\n\nReturn the correct JSON within a ```json codeblock."},
    ]
    text = llm.chat(messages, SamplingParams(temperature=0, max_new_tokens=40)).text
    assert json.loads(text) == {"name": "Ada Holm", "age": 36}
