"""The backend under SGLang's own grammar manager, masks and results: ends, budgets, drafts, thinking, faults.

No model runs. xgrammar's backend gets the same requests.
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import jsonschema
import pytest
import torch

from guided.grammars import Limits
from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import LimitExceededError
from guided.integrations.sglang.grammar_object import GuidedGrammar
from tests.guided.tiny_model import MODEL_WIDTH

from .sglang_driver import Driver, model

PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 12},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "tags": {"type": "array", "items": {"enum": ["red", "green", "blue"]}},
    },
    "required": ["name", "age", "tags"],
    "additionalProperties": False,
}
SCHEMA = json.dumps(PERSON)
CALL = {"begin": "<f>", "schema": {"type": "object", "properties": {}, "additionalProperties": False}, "end": "</f>"}
TOOLS = {"type": "structural_tag", "structures": [CALL], "triggers": ["<f>"], "at_least_one": True}
TAG = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": PERSON}}
MODEL = model(MODEL_WIDTH)

GRAMMARS: list[tuple[dict[str, Any], str]] = [
    ({"json_schema": SCHEMA}, "person"),
    ({"json_schema": '{"type": "object"}'}, r"(?s)\{.*\}"),
    ({"json_schema": "$$ANY$$"}, r"(?s).+"),
    ({"regex": "[a-c]{3,9}x"}, "[a-c]{3,9}x"),
    ({"ebnf": 'root ::= "a" [0-9]+ "b"'}, "a[0-9]+b"),
    ({"ebnf": 'start: "x" /[0-9]{2,5}/ "y"'}, "x[0-9]{2,5}y"),
    ({"structural_tag": json.dumps(TAG)}, "person"),
    ({"structural_tag": json.dumps(TOOLS)}, r"(?s)<f>\{\s*\}</f>.*"),
]


@pytest.fixture(scope="module")
def guided(sglang_driver: Callable[..., Driver]) -> Iterator[Driver]:
    driver = sglang_driver(grammar_backend="guided")
    yield driver
    driver.close()


def check(text: str, form: str) -> None:
    if form == "person":
        jsonschema.validate(json.loads(text), PERSON)
    else:
        assert re.fullmatch(form, text), text


@pytest.mark.parametrize("max_new_tokens", [40, 90])
def test_every_kind_of_grammar_is_enforced_and_closed_in_its_budget(guided: Driver, max_new_tokens: int) -> None:
    free = guided.start(max_new_tokens=max_new_tokens)
    for salt in "abcd":
        requests = [guided.start(max_new_tokens=max_new_tokens, **grammar) for grammar, _ in GRAMMARS]
        guided.run(requests, model(MODEL_WIDTH, salt))
        for request, (_, form) in zip(requests, GRAMMARS, strict=True):
            assert guided.reason(request)["type"] in ("stop", "length"), guided.text(request)
            check(guided.text(request), form)
    guided.run([free, guided.start(json_schema=SCHEMA)], MODEL)
    assert (guided.reason(free)["type"], len(free.output_ids)) == ("length", max_new_tokens), "others are as they were"


def test_what_xgrammars_backend_writes_for_the_same_requests_ours_takes(
    sglang_driver: Callable[..., Driver], guided: Driver
) -> None:
    """Without strings: xgrammar lets control characters into these, so most of its texts would not validate."""
    schema = {
        **PERSON,
        "required": ["age", "tags"],
        "properties": {k: PERSON["properties"][k] for k in ("age", "tags")},
    }
    driver = sglang_driver(grammar_backend="xgrammar")
    try:
        requests = [driver.start(json_schema=json.dumps(schema), max_new_tokens=200) for _ in range(12)]
        for salt, request in enumerate(requests):
            driver.run([request], model(MODEL_WIDTH, f"x{salt}"))
        texts = [driver.text(one) for one in requests if driver.reason(one)["type"] == "stop"]
        outputs = [list(one.output_ids) for one in requests if driver.reason(one)["type"] == "stop"]
    finally:
        driver.close()
    assert len(texts) >= 6
    for text, tokens in zip(texts, outputs, strict=True):
        jsonschema.validate(json.loads(text), schema)
        options = {"guided": {"values": "any", "whitespace": r"[ \t\r\n]*"}}
        grammar = guided.start(json_schema=json.dumps(schema), custom_params=options).grammar
        for token in tokens:
            grammar.accept_token(token)
        assert grammar.is_terminated(), text


def test_masks_lie_as_xgrammars_do_and_ban_the_same_logits(guided: Driver) -> None:
    import xgrammar

    grammar = guided.start(regex="[a-c]+").grammar
    mask = grammar.allocate_vocab_mask(vocab_size=MODEL_WIDTH, batch_size=3, device="cpu")
    assert mask.shape == xgrammar.get_bitmask_shape(3, MODEL_WIDTH)
    assert (mask == -1).all()
    grammar.fill_vocab_mask(mask, 1)
    assert (mask[[0, 2]] == -1).all()
    ours, theirs = torch.rand(3, MODEL_WIDTH), None
    theirs = ours.clone()
    grammar.apply_vocab_mask(logits=ours, vocab_mask=grammar.move_vocab_mask(mask, "cpu"))
    xgrammar.apply_token_bitmask_inplace(theirs, mask, backend="cpu")
    assert torch.equal(ours, theirs)
    assert torch.isfinite(ours[1]).sum() == 3
    grammar.reset_vocab_mask(mask)
    assert (mask == -1).all()


@pytest.mark.parametrize("is_early", [True, False], ids=["overlap", "in turn"])
@pytest.mark.parametrize("grammar", [GRAMMARS[0][0], GRAMMARS[3][0], GRAMMARS[7][0]], ids=str)
def test_with_drafts_the_text_is_the_same(guided: Driver, grammar: dict[str, Any], is_early: bool) -> None:
    plain = guided.start(max_new_tokens=45, **grammar)
    guided.run([plain], MODEL)
    masked = list(plain.output_ids)

    def right(tokens: list[int]) -> list[int]:
        return masked[len(tokens) : len(tokens) + 3]

    for drafter in (right, lambda tokens: [*right(tokens)[:1], 7, 9], lambda _: [1, 2], lambda _: [MODEL_WIDTH - 1]):
        request = guided.start(max_new_tokens=45, **grammar)
        num_steps = guided.run_with_drafts(request, MODEL, drafter, is_early=is_early)
        assert list(request.output_ids[: request.finished_len]) == masked[: plain.finished_len]
        assert guided.reason(request) == guided.reason(plain)
        if drafter is right:
            assert num_steps < len(masked) / 2


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"json_schema": '{"type": "objekt"}'}, "Failed to compile json grammar: invalid JSON Schema at '/type'"),
        ({"json_schema": "{"}, "Failed to compile json grammar"),
        ({"regex": "a("}, "Failed to compile regex grammar"),
        ({"ebnf": "root ::= unknown"}, "Failed to compile ebnf grammar"),
        ({"structural_tag": "[]"}, "Failed to compile structural_tag grammar"),
        ({"json_schema": "{}", "custom_params": {"guided": {"valeus": "any"}}}, "guided.valeus: unknown option"),
        ({"regex": "a", "custom_params": {"guided": {"values": "any"}}}, "guided.values applies to json_schema"),
        ({"custom_params": {"guided": {"values": "any"}}}, "custom_params.guided is for a grammar"),
    ],
)
def test_what_is_wrong_ends_the_request_with_our_words(guided: Driver, params: dict[str, Any], message: str) -> None:
    for _ in range(2):  # the second time from SGLang's cache
        reason = guided.reason(guided.start(**params))
        assert (reason["type"], int(reason["status_code"])) == ("abort", 400)
        assert message in reason["message"]


def test_options_decide_what_is_compiled_and_closed(guided: Driver) -> None:
    compact = guided.start(json_schema=SCHEMA, custom_params={"guided": {"whitespace": "compact"}})
    plain = guided.start(json_schema=SCHEMA, custom_params={"guided": '{"close": false}'}, max_new_tokens=15)
    guided.run([compact, plain], MODEL)
    assert re.fullmatch(r'\{"name":".*","age":\d+,"tags":\[.*\]\}', guided.text(compact), re.DOTALL)
    assert guided.reason(plain)["type"] == "length"
    assert compact.sampling_params.json_schema == SCHEMA, "the request itself is as it was"


def test_all_ends_end_a_text_and_a_users_where_it_is_complete(guided: Driver) -> None:
    ends = guided.eos_token_ids
    for salt in range(6):
        x, z = (guided.tokenizer.convert_tokens_to_ids(one) for one in "xz")
        stop = guided.start(regex="[a-z]{4,30}", stop_token_ids=[x], max_new_tokens=40)
        late = guided.start(regex="[a-z]{4,30}", min_new_tokens=20, max_new_tokens=40)
        short = guided.start(regex="[a-z]{2}", min_new_tokens=20)
        guided.run([stop, late, short], model(MODEL_WIDTH, str(salt)))
        tokens = list(stop.output_ids)
        assert x not in tokens[:4]
        assert tokens[-1] in {x, *ends}
        assert z not in ends
        assert 20 <= len(late.output_ids) <= 31
        assert late.output_ids[-1] in ends
        assert len(short.output_ids) == 3, "the document's end comes before min_new_tokens"


def test_without_end_tokens_a_text_ends_with_its_grammar(guided: Driver) -> None:
    request = guided.start(regex="[a-c]{3}", ignore_eos=True)
    guided.run([request], MODEL)
    assert re.fullmatch("[a-c]{3}", guided.tokenizer.decode(request.output_ids[:3]))
    assert len(request.output_ids) == 5, "SGLang sees it one free token later"


def test_a_fault_ends_its_own_request_only(guided: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise LimitExceededError("max_mask_seconds", 5, "s", "the mask took longer")

    bad, good = guided.start(json_schema=SCHEMA), guided.start(json_schema=SCHEMA)
    guided.step([bad, good], MODEL)
    monkeypatch.setattr(bad.grammar._state.matcher, "fill_bitmask", fail)
    guided.run([bad, good], MODEL)
    reason = guided.reason(bad)
    assert (reason["type"], int(reason["status_code"])) == ("abort", 500)
    assert "the mask took longer" in reason["message"]
    check(guided.text(good), "person")
    assert len(bad.output_ids) == 2


RANKS = {"regex": "[a-c]{3}(xy|z)"}


def start_ranks(guided: Driver, monkeypatch: pytest.MonkeyPatch, failing: list[int], **params: Any) -> list[Any]:
    """One request in two ranks. failing: those in which its grammar takes too long, odd ones for being compiled, even
    ones for a mask."""
    backend = guided.manager.grammar_backend
    monkeypatch.setattr(backend, "has_peers", True)
    ranks = []
    for rank in range(2):
        PROCESS_CACHE.clear()
        guided.manager.clear()
        seconds = 1e-9 if rank % 2 and rank in failing else 30.0
        monkeypatch.setattr(backend, "_limits", Limits(max_compile_seconds=seconds))
        ranks.append(guided.start(**RANKS, **params))
        if not rank % 2 and rank in failing:
            monkeypatch.setattr(ranks[rank].grammar._state.matcher, "fill_bitmask", too_slow)
    guided.manager.clear()
    return ranks


def too_slow(*_: Any) -> None:
    raise LimitExceededError("max_mask_seconds", 5, "seconds", "the mask took longer", is_of_time=True)


@pytest.mark.parametrize("ignore_eos", [False, True])
@pytest.mark.parametrize("failing", [[0], [1], [0, 1]])
@pytest.mark.parametrize("is_end_least", [False, True])
def test_ranks_end_a_request_together_that_takes_one_of_them_too_long(
    guided: Driver, monkeypatch: pytest.MonkeyPatch, failing: list[int], is_end_least: bool, ignore_eos: bool
) -> None:
    """SGLang gives all ranks the least of the tokens that they have chosen. If they did not end the request in the same
    step, the engine would wait for ever."""
    ranks = start_ranks(guided, monkeypatch, failing, ignore_eos=ignore_eos)
    while not any(rank.finished() for rank in ranks):
        tokens = guided.choose(ranks, MODEL)
        token = min(tokens, key=lambda one: ((one in guided.eos_token_ids) != is_end_least, one))
        for rank in ranks:
            guided.take(rank, token)
    assert all(rank.finished() for rank in ranks)
    reasons = [guided.reason(rank) for rank in ranks]
    for rank in failing:
        assert re.search("max_(mask|compile)_seconds", reasons[rank]["message"])
    if len(failing) == 2 or is_end_least:  # the end that a failed rank asks for has come
        assert [reason["type"] for reason in reasons] == ["abort", "abort"]
        assert len(ranks[0].output_ids) == 1 + ignore_eos
    else:
        assert reasons[1 - failing[0]]["type"] == "stop"
        assert re.match(RANKS["regex"], guided.text(ranks[0]))


def test_a_fault_among_drafts_ends_its_own_request_only(guided: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    request = guided.start(regex="[a-z]{30}")
    matcher = request.grammar._state.matcher
    fill, calls = matcher.fill_bitmask, []

    def fail_late(*arguments: Any) -> None:
        calls.append(None)
        if len(calls) > 6:
            raise ZeroDivisionError("a bug")
        fill(*arguments)

    monkeypatch.setattr(matcher, "fill_bitmask", fail_late)
    guided.run_with_drafts(request, MODEL, lambda _: [*guided.tokenizer.convert_tokens_to_ids(list("abc"))])
    assert "a fault of guided's plug-in: ZeroDivisionError: a bug" in guided.reason(request)["message"]


def test_a_refused_token_ends_its_request(guided: Driver) -> None:
    request = guided.start(regex="[a-c]{5}")
    guided.results._accept_grammar_tokens(request, 3)
    request.update_finish_state()
    assert "the grammar refused token 3" in guided.reason(request)["message"]


def test_grammars_are_kept_once_a_process_and_forgotten_with_it(guided: Driver) -> None:
    def cached() -> bool:
        request = guided.start(regex="[k-m]{3,7}")
        return bool(request.grammar.grammar_stats.is_cache_hit)

    assert [cached() for _ in range(3)] == [False, True, True]
    PROCESS_CACHE.clear()
    guided.start(regex="other")  # SGLang asks for another
    gc.collect()
    assert [cached() for _ in range(2)] == [False, True]
    guided.manager.clear()
    assert not cached()


def test_copies_of_a_running_grammar_go_their_own_ways(guided: Driver) -> None:
    a, b = guided.tokenizer.convert_tokens_to_ids(["a", "b"])
    first = guided.start(regex="a[ab]{3}").grammar
    first.accept_token(a)
    second = first.copy()
    second.accept_token(b)
    assert (first.current_token, second.current_token) == (a, b)
    second.rollback(2)
    with pytest.raises(ValueError, match="refused token"):
        second.accept_token(b)
    assert isinstance(second, GuidedGrammar)


def test_forced_bytes_have_the_tokenizers_tokens(guided: Driver) -> None:
    request = guided.start(json_schema=SCHEMA, custom_params={"guided": {"whitespace": "compact"}})
    guided.run([request], MODEL)
    check(guided.text(request), "person")
    spelled = guided.tokenizer.encode('{"name":"', add_special_tokens=False)
    assert list(request.output_ids[: len(spelled) - 1]) == spelled[:-1], "the last may go on into the string"


THINK = "deepseek-r1"


@pytest.fixture(scope="module")
def thinker(sglang_driver: Callable[..., Driver]) -> Iterator[Driver]:
    driver = sglang_driver(grammar_backend="guided", reasoning_parser=THINK)
    yield driver
    driver.close()


def thinking(driver: Driver, num_thoughts: int) -> Any:
    """A model that thinks so many tokens, ends that, and goes on like the other."""
    start = [*driver.tokenizer.encode("x" * num_thoughts), *driver.tokenizer.encode("</think>")]

    def logits(tokens: list[int]) -> torch.Tensor:
        if tokens == start[: len(tokens)] and len(tokens) < len(start):
            return torch.nn.functional.one_hot(torch.tensor(start[len(tokens)]), MODEL_WIDTH).float() * 100
        return MODEL(tokens)

    return logits, len(start)


@pytest.mark.parametrize("drafts", [False, True])
def test_after_thinking_the_grammar_holds_and_its_budget_counts_the_thoughts(thinker: Driver, drafts: bool) -> None:
    logits, num_before = thinking(thinker, 9)
    request = thinker.start(thinks=True, json_schema=SCHEMA, max_new_tokens=num_before + 35)
    if drafts:
        thinker.run_with_drafts(request, logits, lambda tokens: [int(logits(tokens).argmax()), 7])
    else:
        thinker.run([request], logits)
    answer = thinker.tokenizer.decode(list(request.output_ids[num_before:]), skip_special_tokens=True)
    assert thinker.reason(request)["type"] == "length", answer  # its budget has closed it
    check(answer, "person")
    plain = thinker.start(thinks=False, json_schema=SCHEMA, max_new_tokens=40)
    thinker.run([plain], MODEL)
    check(thinker.text(plain), "person")


def test_a_grammar_from_the_cache_thinks_too(thinker: Driver) -> None:
    for num_thoughts in (3, 4, 5):
        logits, num_before = thinking(thinker, num_thoughts)
        request = thinker.start(thinks=True, regex="[a-c]{4,5}", max_new_tokens=60)
        thinker.run([request], logits)
        check(thinker.tokenizer.decode(list(request.output_ids[num_before:]), skip_special_tokens=True), "[a-c]{4,5}")


def test_strict_thinking_has_its_token_filter(
    sglang_driver: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SGLANG_MAX_THINK_TOKENS", "6")
    driver = sglang_driver(grammar_backend="guided", reasoning_parser=THINK, enable_strict_thinking=True)
    try:
        num_end = len(driver.tokenizer.encode("</think>"))
        with_grammar = driver.start(thinks=True, regex="[a-c]{4,5}", max_new_tokens=60)
        without = driver.start(thinks=True, max_new_tokens=40)
        driver.run([with_grammar, without], MODEL)
        for request in (with_grammar, without):
            assert "</think>" in driver.tokenizer.decode(list(request.output_ids[: 6 + num_end]))
        answer = driver.tokenizer.decode(list(with_grammar.output_ids[6 + num_end :]), skip_special_tokens=True)
        check(answer, "[a-c]{4,5}")
    finally:
        driver.close()


def test_a_batch_may_mix_thinkers_and_others(thinker: Driver) -> None:
    logits, num_before = thinking(thinker, 3)
    requests = [thinker.start(thinks=True, regex="[a-c]{4}"), thinker.start(thinks=False, regex="[a-c]{4}")]
    thinker.run(requests, logits)
    assert len(requests[0].output_ids) == num_before + 5
    assert len(requests[1].output_ids) == 5


def test_the_servers_flags_of_white_space_hold(sglang_driver: Callable[..., Driver]) -> None:
    driver = sglang_driver(grammar_backend="guided", constrained_json_disable_any_whitespace=True)
    try:
        request = driver.start(json_schema=SCHEMA)
        driver.run([request], MODEL)
        assert driver.text(request).startswith('{"name":"')
    finally:
        driver.close()
