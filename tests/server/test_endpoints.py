"""The endpoints beside those of the wire formats, with a real model."""

from __future__ import annotations

import json
import math
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from guided.server.endpoints import tokens
from tests.server.live_server import wait_until
from tests.server.wire import CHAT_URL, chat_body

PROMPT = "the first of them and"


def error_of(response: httpx.Response, status: int = 400) -> dict[str, Any]:
    assert response.status_code == status, response.text
    error: dict[str, Any] = response.json()["error"]
    return error


class TestTokens:
    @pytest.mark.parametrize("text", ["the first", "naïve 🙂 日本", "<|im_end|>", " "])
    def test_there_and_back(self, tiny_http: httpx.Client, text: str) -> None:
        tokenized = tiny_http.post("/v1/tokenize", json={"model": "tiny", "prompt": text}).json()
        assert tokenized["count"] == len(tokenized["tokens"]) > 0
        assert tokenized["max_model_len"] == 1024
        assert tokenized["token_strs"] is None
        back = tiny_http.post("/v1/detokenize", json={"model": "tiny", "tokens": tokenized["tokens"]}).json()
        assert back == {"prompt": text, "bytes": list(text.encode())}

    def test_token_texts(self, tiny_http: httpx.Client) -> None:
        body = {"prompt": "the and é", "return_token_strs": True}
        texts = tiny_http.post("/v1/tokenize", json=body).json()["token_strs"]
        assert texts == ["the", " ", "and", " ", "\ufffd", "\ufffd"]

    def test_long_lists_do_not_hold_the_event_loop(
        self, tiny_http: httpx.Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Tokens become bytes in another thread, and special tokens are looked through once, not for each token."""
        threads: list[str] = []
        original = tokens.token_texts

        def recording(vocabulary: Any, token_ids: list[int]) -> Any:
            threads.append(threading.current_thread().name)
            return original(vocabulary, token_ids)

        monkeypatch.setattr(tokens, "token_texts", recording)
        tiny_http.post("/v1/tokenize", json={"prompt": "the and", "return_token_strs": True}).raise_for_status()
        tiny_http.post("/v1/detokenize", json={"tokens": [1, 2, 3]}).raise_for_status()
        assert len(threads) == 2
        assert all(name.startswith("guided-read") for name in threads)

    def test_texts_and_tokens_beyond_the_context_are_refused(self, tiny_http: httpx.Client) -> None:
        for path, body in (
            ("/v1/tokenize", {"prompt": "the " * 500_000}),
            ("/v1/tokenize", {"messages": [{"role": "user", "content": "the " * 500_000}]}),
            ("/v1/detokenize", {"tokens": [1] * 100_000}),
        ):
            assert error_of(tiny_http.post(path, json=body))["code"] == "context_length_exceeded"

    def test_a_conversation_is_what_a_chat_completion_reads(self, tiny_http: httpx.Client) -> None:
        messages = [{"role": "user", "content": "hi <|im_end|>"}]
        count = tiny_http.post("/v1/tokenize", json={"messages": messages}).json()["count"]
        answer = tiny_http.post(CHAT_URL, json=chat_body(model="tiny", messages=messages, max_tokens=1)).json()
        assert count == answer["usage"]["prompt_tokens"]

    def test_a_cut_character(self, tiny_http: httpx.Client) -> None:
        """B14: the exact bytes are there where the text can't show them."""
        token_ids = tiny_http.post("/v1/tokenize", json={"prompt": "é"}).json()["tokens"]
        answer = tiny_http.post("/v1/detokenize", json={"tokens": token_ids[:1]}).json()
        assert answer == {"prompt": "\ufffd", "bytes": [0xC3]}

    @pytest.mark.parametrize(
        ("path", "body", "param"),
        [
            ("tokenize", {}, "prompt"),
            ("tokenize", {"prompt": "a", "messages": [{"role": "user", "content": "a"}]}, "prompt"),
            ("tokenize", {"prompt": ""}, "prompt"),
            ("tokenize", {"prompt": 5}, "prompt"),
            ("tokenize", {"messages": []}, "messages"),
            ("tokenize", {"messages": [{"role": "user"}]}, "messages[0].content"),
            ("tokenize", {"messages": [{"role": "user", "content": "a"}], "add_special_tokens": True}, None),
            ("tokenize", {"prompt": "a", "promt": "b"}, "promt"),
            ("detokenize", {"tokens": [1, -1]}, "tokens[1]"),
            ("detokenize", {"tokens": [1, 10**9]}, "tokens[1]"),
            ("detokenize", {"tokens": ["1"]}, "tokens[0]"),
            ("detokenize", {}, "tokens"),
        ],
    )
    def test_wrong_requests(
        self, tiny_http: httpx.Client, path: str, body: dict[str, Any], param: str | None
    ) -> None:  # B21
        expected = param or "add_special_tokens"
        assert error_of(tiny_http.post(f"/v1/{path}", json=body))["param"] == expected

    def test_another_model(self, tiny_http: httpx.Client) -> None:
        response = tiny_http.post("/v1/tokenize", json={"model": "other", "prompt": "a"})
        assert error_of(response, 404)["code"] == "model_not_found"


class TestScore:
    def test_against_transformers(self, tiny_http: httpx.Client, tiny_model_folder: Path) -> None:
        """A5.9: scoring without sampling; the reference is one plain forward pass."""
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        model: Any = AutoModelForCausalLM.from_pretrained(tiny_model_folder)
        tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
        choices = [" the", " and 12", "?"]
        body = {"model": "tiny", "prompt": PROMPT, "choices": choices}
        answer = tiny_http.post("/v1/score", json=body).json()
        prompt = tokenizer.encode(PROMPT)
        assert answer["prompt_tokens"] == len(prompt)
        expected = []
        for text, choice in zip(choices, answer["choices"], strict=True):
            token_ids = tokenizer.encode(text, add_special_tokens=False)
            with torch.inference_mode():
                logits = model(torch.tensor([[*prompt, *token_ids]])).logits[0].float()
            rows = logits[len(prompt) - 1 : -1].log_softmax(-1)
            logprobs = [float(row[token_id]) for row, token_id in zip(rows, token_ids, strict=True)]
            assert [token["logprob"] for token in choice["tokens"]] == pytest.approx(logprobs, abs=1e-4)
            assert choice["logprob"] == pytest.approx(sum(logprobs), abs=1e-3)
            assert choice["mean_logprob"] == pytest.approx(sum(logprobs) / len(logprobs), abs=1e-3)
            assert "".join(token["token"] for token in choice["tokens"]) == text == choice["text"]
            expected.append(sum(logprobs))
        assert answer["best"] == expected.index(max(expected))
        weights = [math.exp(one) for one in expected]
        shares = [choice["share"] for choice in answer["choices"]]
        assert shares == pytest.approx([weight / sum(weights) for weight in weights], rel=1e-2)

    def test_a_conversation(self, tiny_http: httpx.Client) -> None:
        messages = [{"role": "user", "content": "pick"}]
        body = {"model": "tiny", "messages": messages, "choices": ["yes", "no"]}
        answer = tiny_http.post("/v1/score", json=body).json()
        assert [choice["text"] for choice in answer["choices"]] == ["yes", "no"]

    @pytest.mark.parametrize(
        ("fields", "param"),
        [
            ({"choices": []}, "choices"),
            ({"choices": ["a", ""]}, "choices[1]"),
            ({"choices": [1]}, "choices[0]"),
            ({"choices": ["a"] * 129}, "choices"),
            ({"prompt": ""}, "prompt"),
            ({"prompt": None}, "prompt"),
            ({"prompt": "x " * 2000}, "prompt"),
        ],
    )
    def test_wrong_requests(self, tiny_http: httpx.Client, fields: dict[str, Any], param: str) -> None:  # B21
        body = {"model": "tiny", "prompt": PROMPT, "choices": ["a"]} | fields
        assert error_of(tiny_http.post("/v1/score", json=body))["param"] == param


class TestGrammarCheck:
    URL = "/v1/grammar/check"

    def test_is_the_report_of_guided_check(
        self, tiny_http: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        from guided.cli.main import main

        schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 3}}, "required": ["a"]}
        (tmp_path / "s.json").write_text(json.dumps(schema))
        with pytest.raises(SystemExit):
            main(["check", str(tmp_path / "s.json"), "--json"])
        report = json.loads(capsys.readouterr().out)["report"]
        body = {"guided_json": schema, "documents": ['{"a":3}', '{"a":2}', ""]}
        answer = tiny_http.post(self.URL, json=body).json()
        assert answer["report"] == report
        assert answer["documents"] == [True, False, False]
        assert answer["kind"] == "json_schema"
        assert answer["compile_s"] > 0

    @pytest.mark.parametrize(
        ("fields", "kind", "documents"),
        [
            ({"regex": "[ab]+"}, "regex", {"ab": True, "": False, "c": False}),
            ({"choice": ["ja", "né"]}, "choice", {"né": True, "j": False}),
            ({"ebnf": 'root ::= "a" root | "b"'}, "ebnf", {"aab": True, "aa": False}),
            ({"response_format": {"type": "json_object"}}, "json_schema", {"{}": True, "[]": False}),
        ],
    )
    def test_kinds(
        self, tiny_http: httpx.Client, fields: dict[str, Any], kind: str, documents: dict[str, bool]
    ) -> None:
        answer = tiny_http.post(self.URL, json={**fields, "documents": list(documents)}).json()
        assert (answer["kind"], answer["documents"]) == (kind, list(documents.values()))

    @pytest.mark.parametrize(
        ("fields", "param", "code"),
        [
            ({}, None, None),
            ({"regex": "("}, "regex", "invalid_regex"),
            ({"regex": "a", "choice": ["b"]}, "regex", None),
            ({"guided_json": {"type": "strin"}}, "guided_json", "invalid_schema"),
            ({"guided_json": False}, "guided_json", "unsatisfiable_grammar"),
            ({"regex": "a", "documents": [1]}, "documents[0]", None),
        ],
    )
    def test_refused(
        self, tiny_http: httpx.Client, fields: dict[str, Any], param: str | None, code: str | None
    ) -> None:  # B21
        error = error_of(tiny_http.post(self.URL, json=fields))
        assert (error["param"], error["code"]) == (param, code)


class TestStatsAndMetrics:
    def test_stats(self, tiny_http: httpx.Client) -> None:
        """A4.7: active_requests, waiting_requests, total_requests, cache_usage, tokens_generated."""
        before = tiny_http.get("/stats").json()
        assert tiny_http.post(CHAT_URL, json=chat_body(model="tiny", max_tokens=5, ignore_eos=True)).status_code == 200
        after = tiny_http.get("/stats").json()
        assert after["total_requests"] == before["total_requests"] + 1
        assert after["tokens_generated"] == before["tokens_generated"] + 5
        assert (after["active_requests"], after["waiting_requests"], after["requests_in_flight"]) == (0, 0, 0)
        assert 0.0 <= after["cache_usage"] <= 1.0
        assert after["engine"]["num_free_pages"] <= after["engine"]["num_pages"]
        assert after["limits"]["max_body_bytes"] == 4_000_000

    def test_while_a_request_runs(self, tiny_http: httpx.Client) -> None:
        """A4.3, A4.7: on the real engine, others join it, and its pages count as used until it ends."""
        body = chat_body(model="tiny", max_tokens=900, ignore_eos=True, stream=True)
        with tiny_http.stream("POST", CHAT_URL, json=body) as response:
            lines = response.iter_lines()
            next(lines)
            during = tiny_http.get("/stats").json()
            metrics = self.read(tiny_http)
            quick = tiny_http.post(CHAT_URL, json=chat_body(model="tiny", max_tokens=2, ignore_eos=True)).json()
            joined = tiny_http.get("/stats").json()
            assert "[DONE]" in list(lines)[-2]
        assert quick["usage"]["completion_tokens"] == 2
        for stats in (during, joined):
            assert stats["active_requests"] == 1, "the long one"
            assert 0.0 < stats["cache_usage"] <= 1.0
            held = stats["engine"]["num_pages"] - stats["engine"]["num_free_pages"]
            assert stats["cache_usage"] <= held / stats["engine"]["num_pages"] + 1e-9
        assert joined["cache_usage"] >= during["cache_usage"]
        assert metrics["guided_kv_cache_usage"] > 0
        wait_until(lambda: tiny_http.get("/stats").json()["active_requests"] == 0)
        assert tiny_http.get("/stats").json()["cache_usage"] == 0.0
        assert self.read(tiny_http)["guided_kv_cache_usage"] == 0.0

    @staticmethod
    def read(http: httpx.Client) -> dict[str, float]:
        from prometheus_client.parser import text_string_to_metric_families

        response = http.get("/metrics")
        assert response.headers["content-type"].startswith("text/plain; version=")
        samples = [sample for family in text_string_to_metric_families(response.text) for sample in family.samples]
        return {
            " ".join([sample.name, *(f"{key}={value}" for key, value in sorted(sample.labels.items()))]): sample.value
            for sample in samples
        }

    def test_metrics(self, tiny_http: httpx.Client) -> None:
        body = chat_body(model="tiny", max_tokens=40, regex="[ab]{5}(the same always){2}")
        before = self.read(tiny_http)
        assert tiny_http.post(CHAT_URL, json=body).status_code == 200
        assert tiny_http.post(CHAT_URL, json=body).status_code == 200
        assert tiny_http.post(CHAT_URL, json={}).status_code == 400
        assert tiny_http.get("/v1/models/no/such").status_code == 404
        assert tiny_http.get("/made/up/42").status_code == 404
        after = self.read(tiny_http)

        def grown(name: str) -> float:
            return after.get(name, 0.0) - before.get(name, 0.0)

        requests = "guided_http_requests_total endpoint={} method={} status={}"
        assert grown(requests.format(CHAT_URL, "POST", 200)) == 2
        assert grown(requests.format(CHAT_URL, "POST", 400)) == 1
        assert grown(requests.format("/v1/models/{model:path}", "GET", 404)) == 1
        assert grown(requests.format("other", "GET", 404)) == 1
        assert grown(f"guided_http_request_seconds_count endpoint={CHAT_URL}") == 3
        assert grown("guided_finished_outputs_total finish_reason=stop") == 2
        assert grown("guided_grammar_cache_lookups_total result=miss") == 1
        assert grown("guided_grammar_cache_lookups_total result=hit") == 1
        assert grown("guided_grammar_compile_seconds_count kind=regex") == 2
        for histogram in ("queue", "time_to_first_token", "inter_token"):
            assert grown(f"guided_{histogram}_seconds_count") == 2
        steps = grown("guided_step_seconds_count")
        assert steps > 0
        for histogram in ("forward_seconds", "mask_seconds", "sample_seconds", "batch_rows"):
            assert grown(f"guided_{histogram}_count") == steps
        assert grown("guided_forced_tokens_total") > 0
        assert grown("guided_saved_forward_passes_total") > 0
        assert grown("guided_generated_tokens_total") > grown("guided_forced_tokens_total")
        assert grown("guided_prompt_tokens_total") > 0
        assert 0 < after["guided_jump_forward_share"] < 1
        assert after["guided_requests_in_flight"] == after["guided_running_outputs"] == 0
        assert after["process_resident_memory_bytes"] > 0

    def test_made_up_methods_share_one_label(self, tiny_http: httpx.Client) -> None:
        tiny_http.request("MADE-UP", "/health")
        self.read(tiny_http)  # which counts, too
        before = self.read(tiny_http)
        for number in range(20):
            assert tiny_http.request(f"MADE-UP-{number}", "/health").status_code in (400, 405)
        after = self.read(tiny_http)
        assert after.keys() == before.keys()

    def test_two_applications_count_apart(self, tiny_http: httpx.Client, http: httpx.Client) -> None:
        name = "guided_http_requests_total endpoint=/health method=GET status=200"
        before = self.read(http).get(name, 0.0)
        tiny_http.get("/health")
        assert self.read(http).get(name, 0.0) == before


class TestErrorsOfHttp:
    @pytest.mark.parametrize("path", ["/v1/tokenize", "/v1/score", "/v1/grammar/check"])
    def test_wrong_method(self, tiny_http: httpx.Client, path: str) -> None:  # A4.8
        response = tiny_http.get(path)
        assert error_of(response, 405)["code"] == "method_not_allowed"

    @pytest.mark.parametrize("path", ["/v1/tokenize", "/v1/score", "/v1/grammar/check"])
    def test_no_json(self, tiny_http: httpx.Client, path: str) -> None:
        headers = {"content-type": "application/json"}
        assert "not valid JSON" in error_of(tiny_http.post(path, content="{", headers=headers))["message"]

    def test_a_wrong_query(self, tiny_http: httpx.Client) -> None:
        """B21: 400, not FastAPI's 422."""
        assert error_of(tiny_http.get("/stats?debug=perhaps"))["param"] == "debug"
