"""What lm-evaluation-harness 0.4.13 sends and how it reads the answers, without the harness.

Its `local-completions` scores a text by an echoed prompt of token ids with one more token, which it drops: the last
entry of the log-probabilities. With the harness itself: `make test-lm-eval`.
"""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.server.wire import CHAT_URL

URL = "/v1/completions"
SCHEMA = {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"], "additionalProperties": False}


def encode(http: httpx.Client, text: str) -> list[int]:
    """As `RemoteTokenizer.encode`."""
    response = http.post("/tokenize", json={"prompt": text, "add_special_tokens": False})
    response.raise_for_status()
    token_ids: list[int] = response.json()["tokens"]
    return token_ids


def likelihoods(http: httpx.Client, prompts: list[list[int]], lengths: list[int]) -> list[tuple[float, bool]]:
    """As `LocalCompletionsAPI` asks for the log-likelihoods of what follows contexts of these lengths."""
    fields = {"temperature": 0, "max_tokens": 1, "logprobs": 1, "seed": 1234, "echo": True}
    response = http.post(URL, json={"model": "tiny", "prompt": prompts, **fields})
    response.raise_for_status()
    found = []
    for choice, start in zip(response.json()["choices"], lengths, strict=True):
        values = choice["logprobs"]["token_logprobs"][start:-1]
        tops = [max(top.values()) for top in choice["logprobs"]["top_logprobs"][start:-1]]
        found.append((sum(values), values == tops))
    return found


def test_tokenizer(tiny_http: httpx.Client) -> None:
    """The remote tokenizer: the end's id, texts there and back, no token of an empty text."""
    info = tiny_http.get("/tokenizer_info").json()
    (end,) = encode(tiny_http, info["eos_token"])
    assert tiny_http.post("/detokenize", json={"tokens": [end]}).json()["prompt"] == info["eos_token"]
    assert encode(tiny_http, "") == []


def test_log_likelihoods(tiny_http: httpx.Client) -> None:
    """Those of two choices in one batch are those of `/v1/score`."""
    context, choices = encode(tiny_http, "the and"), [" the", " and 12"]
    prompts = [context + encode(tiny_http, choice) for choice in choices]
    found = likelihoods(tiny_http, prompts, [len(context)] * 2)
    scored = tiny_http.post("/v1/score", json={"prompt": "the and", "choices": choices}).json()["choices"]
    assert [value for value, _ in found] == pytest.approx([one["logprob"] for one in scored], abs=1e-3)


def test_a_text_after_which_the_model_ends(tiny_http: httpx.Client) -> None:
    """The dropped entry is the new token's also where that is the end; else the text would lose its own last one."""
    (end,) = encode(tiny_http, tiny_http.get("/tokenizer_info").json()["eos_token"])
    fields: dict[str, Any] = {"model": "tiny", "echo": True, "logprobs": 1, "max_tokens": 5, "temperature": 0}
    prompt = encode(tiny_http, "the and")
    body = {**fields, "prompt": prompt, "logit_bias": {str(end): 100}}
    answer = tiny_http.post(URL, json=body).json()
    (choice,) = answer["choices"]
    assert (choice["text"], choice["finish_reason"]) == ("the and", "stop")
    assert len(choice["logprobs"]["tokens"]) == answer["usage"]["total_tokens"] == len(prompt) + 1
    assert choice["logprobs"]["tokens"][-1] == "<|im_end|>"
    assert choice["logprobs"]["text_offset"][-1] == len("the and")
    assert set(map(len, choice["logprobs"].values())) == {len(prompt) + 1}
    plain = tiny_http.post(URL, json={**fields, "prompt": prompt, "max_tokens": 1}).json()["choices"][0]
    assert plain["logprobs"]["token_logprobs"][: len(prompt)] == choice["logprobs"]["token_logprobs"][:-1]
    stopped = tiny_http.post(URL, json={**fields, "prompt": prompt, "stop": ["a", "e", " ", "t"]}).json()
    assert len(stopped["choices"][0]["logprobs"]["tokens"]) == stopped["usage"]["total_tokens"]


@pytest.mark.parametrize("constraint", [{"json_schema": json.dumps(SCHEMA)}, {"choice": ['{"a":"x"}', '{"a":"y"}']}])
def test_constrained_answers(tiny_http: httpx.Client, constraint: dict[str, Any]) -> None:
    """`generate_until` with a constraint among its `generation_kwargs`, as text to continue and as a chat."""
    fields = {"model": "tiny", "max_tokens": 40, "temperature": 0, "stop": [], "seed": 1234, **constraint}
    prompts = [encode(tiny_http, "the"), encode(tiny_http, "and the")]
    texts = [one["text"] for one in tiny_http.post(URL, json={**fields, "prompt": prompts}).json()["choices"]]
    talk = [{"role": "user", "content": "the", "type": "text"}]
    chat = tiny_http.post(CHAT_URL, json={**fields, "messages": talk}).json()
    for text in [*texts, chat["choices"][0]["message"]["content"]]:
        assert json.loads(text)["a"] in ("x", "y")
