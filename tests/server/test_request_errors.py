"""Every wrong request gets its status, type, param and code, and a message that says what to do."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from guided.server.protocol.unsupported import CHAT_FIELDS, TOLD
from tests.server.scripted_llm import ScriptedLLM
from tests.server.wire import CHAT_URL, SMALL_LIMITS, chat_body, schema_format

JSON = {"Content-Type": "application/json"}


def error_of(response: httpx.Response, status: int) -> dict[str, Any]:
    """The error object, after a check of status and shape."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"message", "type", "param", "code"}
    assert "Traceback" not in response.text
    assert "Pydantic" not in response.text
    expected_type = "invalid_request_error" if status < 500 else "server_error"
    assert body["error"]["type"] == expected_type
    error: dict[str, Any] = body["error"]
    return error


TAG: dict[str, Any] = {"type": "structural_tag", "format": {"type": "any_text"}}

BAD_FIELDS: list[tuple[dict[str, Any], str, str]] = [
    ({"model": 3}, "model", "must be a valid string, not 3"),
    ({"messages": None}, "messages", "must be a valid list"),
    ({"messages": []}, "messages", "at least 1 item"),
    ({"messages": "Hi"}, "messages", "must be a valid list, not 'Hi'"),
    ({"messages": ["Hi"]}, "messages[0]", "must be"),
    ({"messages": [{"content": "Hi"}]}, "messages[0].role", "is required"),
    ({"messages": [{"role": "robot", "content": "Hi"}]}, "messages[0].role", "'user'"),
    ({"messages": [{"role": "user"}]}, "messages[0].content", "is required"),
    (
        {"messages": [{"role": "user", "content": 5}]},
        "messages[0].content",
        "valid string, not 5 or must be",
    ),
    ({"messages": [{"role": "user", "content": ["Hi"]}]}, "messages[0].content[0]", "must be"),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text", "is required"),
    (
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
        "messages[0].content[0].type",
        "must be 'text' or 'file'; no other part is supported yet, not 'image_url'",
    ),
    (
        {"messages": [{"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]}]},
        "messages[0].tool_calls[0].function",
        "is required",
    ),
    ({"temperature": -0.1}, "temperature", "must be a finite number in [0, 2], not -0.1"),  # B3
    ({"temperature": 2.1}, "temperature", "in [0, 2], not 2.1"),
    ({"temperature": "0.5"}, "temperature", "must be a finite number in [0, 2], not '0.5'"),
    ({"temperature": True}, "temperature", "must be a finite number"),
    ({"top_p": 1.5}, "top_p", "in [0, 1], not 1.5"),
    ({"top_k": -2}, "top_k", "must be an integer >= -1, not -2"),
    ({"top_k": 1.5}, "top_k", "must be an integer"),
    ({"min_p": -1}, "min_p", "in [0, 1], not -1"),
    ({"seed": -(2**63) - 1}, "seed", "must be an integer in [-9223372036854775808, "),
    ({"seed": 2**63}, "seed", "must be an integer in [-9223372036854775808, 9223372036854775807]"),
    ({"response_format": {"type": "text", "schema": {}}}, "response_format.schema", "goes with type 'json_object'"),
    (
        {"response_format": {"type": "json_object", "guided_regex": "a"}},
        "response_format",
        "'guided_regex' is no field",
    ),
    ({"format": {"type": "object"}}, "format", "use response_format"),
    ({"response_schema": {}}, "response_schema", "use response_format"),
    ({"extra_body": {"guided_regex": "a"}}, "extra_body", "beside the others"),
    ({"max_tokens": 0}, "max_tokens", "must be an integer >= 1, not 0"),  # A4.8
    ({"max_completion_tokens": 0}, "max_completion_tokens", "must be an integer >= 1"),
    ({"max_tokens": 4, "max_completion_tokens": 4}, "max_tokens", "exclude each other"),
    ({"stream": "yes"}, "stream", "must be a valid boolean"),
    ({"stream_options": {"include_usage": True}}, "stream_options", "stream=true"),
    ({"response_format": "json"}, "response_format", "must be"),
    ({"response_format": {}}, "response_format.type", "is required"),
    ({"response_format": {"type": "xml"}}, "response_format.type", "'json_object' or 'structural_tag', not 'xml'"),
    ({"response_format": {"type": "json_schema"}}, "response_format.json_schema", "is required"),
    (
        {"response_format": {"type": "json_schema", "json_schema": {"name": "a"}}},
        "response_format.json_schema.schema",
        "is required",
    ),
    (
        {"response_format": {"type": "json_schema", "json_schema": {"schema": {}}}},
        "response_format.json_schema.name",
        "is required",
    ),
    ({"response_format": schema_format({}, name="a b")}, "response_format.json_schema.name", "pattern"),
    ({"response_format": schema_format([])}, "response_format.json_schema.schema", "valid dictionary"),
    ({"response_format": schema_format({}) | {"type": "text"}}, "response_format.type", "needs type 'json_schema'"),
    ({"regex": "a", "response_format": schema_format({})}, "regex", "exclude each other"),
    ({"regex": 5}, "regex", "valid string"),
    ({"regex": "a", "ignore_eos": True}, "ignore_eos", "can't be used with a grammar"),
    ({"response_format": schema_format({}), "ignore_eos": True}, "ignore_eos", "can't be used with a grammar"),
    ({"n": True}, "n", "must be an integer in [1, 128]"),
    ({"n": 0}, "n", "must be an integer in [1, 128]"),
    ({"n": 129}, "n", "must be an integer in [1, 128]"),
    ({"logprobs": 1}, "logprobs", "must be a bool"),
    ({"top_logprobs": 3}, "top_logprobs", "needs logprobs=true"),  # B13
    ({"top_logprobs": 21, "logprobs": True}, "top_logprobs", "in [0, 20], not 21"),  # B13
    ({"presence_penalty": 2.5}, "presence_penalty", "in [-2, 2]"),
    ({"frequency_penalty": "1"}, "frequency_penalty", "in [-2, 2]"),
    ({"repetition_penalty": 0}, "repetition_penalty", "in [1e-06, 2]"),
    ({"logit_bias": {"a": 1}}, "logit_bias", "'a' is no token id"),
    ({"logit_bias": {"3": -101}}, "logit_bias", "in [-100, 100]"),  # B10
    ({"stop": ["a", ""]}, "stop", "stop[1] is empty"),
    ({"stop": {"a": 1}}, "stop", "a string or a list of strings"),
    ({"stop_regex": "(a"}, "stop_regex", "invalid regex"),
    ({"stop_regex": "^a"}, "stop_regex", "looks at what stands around"),
    ({"min_tokens": 9, "max_tokens": 4}, "min_tokens", "at most"),
    ({"stream": True, "prompt_logprobs": 1}, "prompt_logprobs", "can't be streamed"),
    ({"return_masked_mass": True, "logprobs": True}, "return_masked_mass", "a constraint"),
    ({"return_masked_mass": True, "regex": "a"}, "return_masked_mass", "logprobs=true"),
    ({"ebnf": 5}, "ebnf", "valid string"),
    ({"choice": "a"}, "choice", "valid list"),
    ({"choice": ["a", 1]}, "choice[1]", "valid string, not 1"),
    ({"structural_tag": []}, "structural_tag", "must be"),
    ({"dialect": "abnf", "ebnf": "root ::= 'a'"}, "dialect", "'gbnf', 'xgrammar', 'w3c' or 'lark', not 'abnf'"),
    ({"dialect": "gbnf", "regex": "a"}, "dialect", "needs an EBNF grammar"),
    ({"regex": "a", "choice": ["a"]}, "regex", "regex and choice exclude each other"),
    ({"guided_choice": ["a"], "ebnf": "a"}, "ebnf", "ebnf and guided_choice exclude each other"),
    ({"structural_tag": {}, "response_format": TAG}, "structural_tag", "structural_tag and response_format exclude"),
    (
        {"response_format": TAG | {"json_schema": {"name": "a", "schema": {}}}},
        "response_format.type",
        "'structural_tag'",
    ),
    ({"structured_outputs": {}}, "structured_outputs", "needs one of json, regex, choice"),
    ({"structured_outputs": {"regx": "a"}}, "structured_outputs.regx", "no field that is known here"),
    ({"structured_outputs": {"regex": "a", "json": {}}}, "structured_outputs.json", "structured_outputs.regex exclude"),
    (
        {"structured_outputs": {"regex": "a", "whitespace_pattern": " "}},
        "structured_outputs.whitespace_pattern",
        "only applies to json",
    ),
    ({"skip_special_tokens": 1}, "skip_special_tokens", "must be a bool, not 1"),
    ({"return_logprob": True}, "return_logprob", "use logprobs"),  # A5.9, from here on
    ({"top_logprobs_num": 5}, "top_logprobs_num", "use top_logprobs"),
    ({"token_ids_logprob": [1]}, "token_ids_logprob", "use logprob_token_ids"),
    ({"logprob_start_len": 0}, "logprob_start_len", "use prompt_logprobs"),
    ({"return_hidden_states": True}, "return_hidden_states", "guided.SamplingParams in Python"),
    ({"return_logits": True}, "return_logits", "guided.SamplingParams in Python"),
    ({"enable_deterministic_inference": "yes"}, "enable_deterministic_inference", "a request with a seed"),  # A5.6
    ({"custom_params": {"thinking_budget": 5}}, "custom_params", "there are none; name a processor"),  # A5.1
]


@pytest.mark.parametrize(
    ("fields", "param", "message"), BAD_FIELDS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_bad_field(http: httpx.Client, scripted: ScriptedLLM, fields: dict[str, Any], param: str, message: str) -> None:
    error = error_of(http.post(CHAT_URL, json=chat_body(**fields)), 400)
    assert error["param"] == param
    assert message in error["message"]
    assert error["message"].startswith(param.split("[")[0].split(".")[0])
    assert "\n" not in error["message"]
    assert scripted.calls == []


@pytest.mark.parametrize("field", ["messages"])
def test_missing_field(http: httpx.Client, field: str) -> None:
    body = chat_body()
    del body[field]
    error = error_of(http.post(CHAT_URL, json=body), 400)
    assert (error["param"], error["message"]) == (field, f"{field} is required")


@pytest.mark.parametrize("field", sorted(name for name, (_, instead) in CHAT_FIELDS.items() if instead != TOLD))
def test_unsupported_field_is_never_ignored(http: httpx.Client, scripted: ScriptedLLM, field: str) -> None:
    error = error_of(http.post(CHAT_URL, json=chat_body(**{field: 2})), 400)
    assert (error["param"], error["code"]) == (field, "unsupported_parameter")
    assert "not supported yet" in error["message"]
    assert scripted.calls == []


@pytest.mark.parametrize(
    "fields",
    [{"best_of": True}, {"use_beam_search": 0}, {"length_penalty": 0.5}, {"echo": True}, {"tool_choice": "required"}],
)
def test_almost_neutral_is_not_neutral(http: httpx.Client, fields: dict[str, Any]) -> None:
    assert error_of(http.post(CHAT_URL, json=chat_body(**fields)), 400)["param"] in fields


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not valid JSON"),
        (b"{", "line 1 column 2"),
        (b"{\n'a': 1}", "line 2 column 1"),
        (b"[]", "must be a JSON object, not list"),
        (b"null", "must be a JSON object"),
        (b'{"model": "a", "model": "b"}', "the key 'model' twice"),
        (b'{"temperature": NaN}', "NaN is not a JSON value"),
        (b'{"temperature": -Infinity}', "-Infinity is not"),
        (b'{"model": "\xff"}', "not UTF-8: invalid start byte at byte 11"),
        (b'{"model": "\\ud800"}', "surrogate"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "an integer has thousands of digits"),
        (b'{"a": ' + b"[" * 9000 + b"]" * 9000 + b"}", "nested too deeply"),
        (
            b'{"temperature": 1e999, "model": "a", "messages": [{"role": "user", "content": "a"}]}',
            "'1e999' is too large for a number",
        ),
        (b'{"unknown": [{"deep": -1e400}]}', "'-1e400' is too large for a number"),
    ],
)
def test_bad_json(http: httpx.Client, content: bytes, message: str) -> None:
    assert message in error_of(http.post(CHAT_URL, content=content, headers=JSON), 400)["message"]


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_wrong_content_type(http: httpx.Client, content_type: str) -> None:
    response = http.post(CHAT_URL, content=json.dumps(chat_body()), headers={"Content-Type": content_type})
    assert "Content-Type: application/json" in error_of(response, 400)["message"]


def test_charset_is_fine(http: httpx.Client) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    assert http.post(CHAT_URL, content=json.dumps(chat_body()), headers=headers).status_code == 200


def test_unknown_model(http: httpx.Client) -> None:
    error = error_of(http.post(CHAT_URL, json=chat_body(model="gpt-9")), 404)
    assert (error["param"], error["code"]) == ("model", "model_not_found")
    assert "'gpt-9'" in error["message"]
    assert "'scripted'" in error["message"]


def test_a_huge_value_is_not_echoed(http: httpx.Client) -> None:
    assert len(error_of(http.post(CHAT_URL, json=chat_body(model="x" * 9000)), 404)["message"]) < 300
    assert len(error_of(http.post(CHAT_URL, json=chat_body(temperature="x" * 9000)), 400)["message"]) < 300


def test_unknown_path(http: httpx.Client) -> None:
    error = error_of(http.get("/v2/nothing"), 404)
    assert error["code"] == "not_found"
    assert "/v2/nothing" in error["message"]


def test_wrong_method(http: httpx.Client) -> None:
    response = http.get(CHAT_URL)
    assert error_of(response, 405)["code"] == "method_not_allowed"
    assert response.headers["allow"] == "POST"


def test_declared_body_too_large(http: httpx.Client) -> None:
    body = chat_body(user="x" * SMALL_LIMITS.max_body_bytes)
    error = error_of(http.post(CHAT_URL, json=body), 413)
    assert error["code"] == "body_too_large"
    assert str(SMALL_LIMITS.max_body_bytes) in error["message"]


def test_undeclared_body_too_large(http: httpx.Client) -> None:
    pieces = (b"x" * 1000 for _ in range(SMALL_LIMITS.max_body_bytes // 1000 + 1))
    assert error_of(http.post(CHAT_URL, content=pieces, headers=JSON), 413)["code"] == "body_too_large"


def test_the_limit_itself_is_allowed(http: httpx.Client) -> None:
    padding = SMALL_LIMITS.max_body_bytes - len(json.dumps(chat_body(user="")))
    content = json.dumps(chat_body(user="x" * padding))
    assert len(content) == SMALL_LIMITS.max_body_bytes
    assert http.post(CHAT_URL, content=content, headers=JSON).status_code == 200


NODE = {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/N"}]}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"type": "object", "properties": 5}, "invalid_schema"),
        ({"properties": {"a": {"$ref": "#/$defs/N"}}, "$defs": {"N": NODE}}, "invalid_schema"),
    ],
    ids=["no schema", "contains itself"],
)
def test_a_schema_is_refused_before_a_template_reads_it(
    schema_http: httpx.Client, schema: Any, code: str, stream: bool
) -> None:
    body = chat_body(model="tiny", stream=stream, response_format=schema_format(schema))
    error = error_of(schema_http.post(CHAT_URL, json=body), 400)
    assert (error["param"], error["code"]) == ("response_format", code)


class TestWithTheModel:
    """What only the model can see; the same answer whether streamed or not."""

    @pytest.fixture(params=[False, True], ids=["whole", "stream"])
    def post(self, tiny_http: httpx.Client, request: pytest.FixtureRequest) -> Any:
        return lambda **fields: tiny_http.post(CHAT_URL, json=chat_body(model="tiny", stream=request.param, **fields))

    def test_prompt_longer_than_the_context(self, post: Any) -> None:
        error = error_of(post(messages=[{"role": "user", "content": "x " * 2000}]), 400)
        assert (error["param"], error["code"]) == ("messages", "context_length_exceeded")
        assert "1024" in error["message"]

    def test_invalid_schema(self, post: Any) -> None:
        schema = {"type": "object", "properties": {"a": {"type": "strin"}}}
        error = error_of(post(response_format=schema_format(schema)), 400)
        assert (error["param"], error["code"]) == ("response_format", "invalid_schema")
        assert "/properties/a/type" in error["message"]

    def test_limit(self, post: Any) -> None:
        error = error_of(post(ebnf='root ::= "a"{1000000}', dialect="gbnf"), 400)
        assert (error["param"], error["code"]) == ("ebnf", "grammar_limit_exceeded")
        assert error["message"].startswith("limit max_repeat = 20000 times exceeded")
        assert "; make the grammar smaller or simpler; or ask whoever runs the server to raise it" in error["message"]
        assert "Limits(" not in error["message"]

    def test_unsupported_keyword(self, post: Any) -> None:
        schema = {"type": "object", "properties": {"a/b": {"type": "string", "pattern": r"^(a|b)\1$"}}}
        error = error_of(post(response_format=schema_format(schema)), 400)
        assert (error["param"], error["code"]) == ("response_format", "unsupported_schema")
        assert "'/properties/a~1b'" in error["message"]
        assert "'pattern'" in error["message"]

    def test_schema_that_nothing_satisfies(self, post: Any) -> None:
        error = error_of(post(response_format=schema_format(False)), 400)
        assert error["param"] == "response_format"

    def test_invalid_regex(self, post: Any) -> None:
        error = error_of(post(regex="(a"), 400)
        assert (error["param"], error["code"]) == ("regex", "invalid_regex")
        assert error["message"].startswith("invalid regex: ")
        assert "\n" not in error["message"]

    @pytest.mark.parametrize(
        ("fields", "param", "code", "message"),
        [
            ({"ebnf": 'root ::= "a" b'}, "ebnf", "invalid_ebnf", "the rule b is not defined"),
            ({"ebnf": "a grammar"}, "ebnf", "invalid_grammar", "in none of the dialects gbnf, xgrammar, w3c, lark"),
            ({"ebnf": "root ::= root"}, "ebnf", "invalid_ebnf", "rule 'root' never ends"),
            ({"guided_grammar": "start: /(/"}, "guided_grammar", "invalid_ebnf", "line 1, column"),
            ({"choice": []}, "choice", "invalid_grammar", "choice has 0 different strings; give 1 to 100000"),
            ({"guided_regex": r"(a)\1"}, "guided_regex", "invalid_regex", "backreference"),
            ({"guided_json": "{"}, "guided_json", "invalid_schema", "not JSON"),
            (
                {"structured_outputs": {"json": {"type": "strin"}}},
                "structured_outputs.json",
                "invalid_schema",
                "strin",
            ),
            (
                {"structured_outputs": {"json": {}, "whitespace_pattern": "x"}},
                "structured_outputs.json",
                "invalid_grammar",
                "matches more than JSON allows",
            ),
            (
                {"response_format": {"type": "structural_tag"}},
                "response_format",
                "invalid_structural_tag",
                "'format'",
            ),
            (
                {"response_format": TAG | {"fromat": 1}},
                "response_format",
                "invalid_structural_tag",
                "fromat",
            ),
            (
                {"response_format": {"type": "structural_tag", "structures": [{"begin": "a"}], "triggers": ["a"]}},
                "response_format",
                "invalid_structural_tag",
                "/structures/0",
            ),
            ({"structural_tag": "{"}, "structural_tag", "invalid_structural_tag", "not JSON"),
            (
                {"structural_tag": {"format": {"type": "regex", "pattern": "("}}},
                "structural_tag",
                "invalid_structural_tag",
                "'/format/pattern': invalid regex",
            ),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_invalid_grammars(self, post: Any, fields: dict[str, Any], param: str, code: str, message: str) -> None:
        error = error_of(post(**fields), 400)
        assert (error["param"], error["code"]) == (param, code)
        assert message in error["message"]
        assert "\n" not in error["message"]


@pytest.mark.parametrize(
    "fields", [b'"tools": [{"type": "function", "name": "f", "x": 1e999}]', b'"text": {"x": 1e999}']
)
def test_a_number_that_no_answer_could_repeat(http: httpx.Client, fields: bytes) -> None:
    """Responses repeat fields of their request."""
    content = b'{"model": "a", "input": "Hi", ' + fields + b"}"
    error = error_of(http.post("/v1/responses", content=content, headers=JSON), 400)
    assert "'1e999' is too large" in error["message"]
