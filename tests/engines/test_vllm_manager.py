"""The backend under vLLM's own manager of structured outputs: ends, budgets, drafts, faults. No model runs."""

from __future__ import annotations

import json
import random
import re
from importlib.metadata import EntryPoint
from typing import Any

import jsonschema
import numpy as np
import pytest
from vllm.exceptions import VLLMValidationError
from vllm.v1.request import RequestStatus

from guided.grammars.cache import PROCESS_CACHE
from guided.grammars.errors import GuidedError, LimitExceededError
from guided.integrations.vllm import backend
from tests.fuzz.hostile import Maker

from .driver import Driver, greedy, sampling

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
TAG = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": PERSON}}


@pytest.fixture(scope="module")
def plain(plain_config: Any) -> Driver:
    return Driver(plain_config)


@pytest.fixture(scope="module")
def drafting(drafting_config: Any) -> Driver:
    return Driver(drafting_config)


GRAMMARS: list[tuple[dict[str, Any], str]] = [
    ({"json": PERSON}, "person"),
    ({"json": json.dumps(PERSON)}, "person"),
    ({"json_object": True}, r"(?s)\{.*\}"),
    ({"regex": "[a-c]{3,9}x"}, "[a-c]{3,9}x"),
    ({"choice": ["alpha", "beta"]}, "alpha|beta"),
    ({"grammar": 'root ::= "a" [0-9]+ "b"'}, "a[0-9]+b"),
    ({"grammar": 'start: "x" /[0-9]{2,5}/ "y"'}, "x[0-9]{2,5}y"),
    ({"structural_tag": json.dumps(TAG)}, "person"),
]


@pytest.mark.parametrize(("grammar", "form"), GRAMMARS, ids=lambda value: str(value)[:40])
@pytest.mark.parametrize("max_tokens", [None, 30])
def test_every_kind_of_grammar_is_enforced_and_closed_in_its_budget(
    plain: Driver, grammar: dict[str, Any], form: str, max_tokens: int | None
) -> None:
    budget = 60 if max_tokens is None and form != "person" else max_tokens or 120
    for salt in "abcd":
        run = plain.run(plain.start(sampling(grammar, max_tokens=budget)), greedy(salt))
        text = plain.text(run)
        assert run.request.status == RequestStatus.FINISHED_STOPPED, (text, run.request.stop_reason)
        if form == "person":
            jsonschema.validate(json.loads(text), PERSON)
        else:
            assert re.fullmatch(form, text), text


def test_an_engine_in_this_process_compiles_a_grammar_once(plain: Driver) -> None:
    misses = PROCESS_CACHE.misses
    plain.start(sampling({"json": {"type": "object", "title": "compiled once"}}))
    assert PROCESS_CACHE.misses == misses + 1


def test_without_closing_a_text_is_cut(plain: Driver) -> None:
    params = sampling({"regex": "[a-z]{30,}"}, max_tokens=10, extra_args={"guided": {"close": False}})
    run = plain.run(plain.start(params), greedy())
    assert run.request.status == RequestStatus.FINISHED_LENGTH_CAPPED


def test_a_complete_text_is_not_called_cut(plain: Driver) -> None:
    """Its end token is counted too, where there is room for it; where there is none, the text comes first."""
    run = plain.run(plain.start(sampling({"choice": ["zzz"]}, max_tokens=4)), greedy())
    assert (plain.text(run), run.request.status) == ("zzz", RequestStatus.FINISHED_STOPPED)
    run = plain.run(plain.start(sampling({"regex": "z{3}|z{9}"}, max_tokens=3)), greedy())
    assert (plain.text(run), run.request.status) == ("zzz", RequestStatus.FINISHED_LENGTH_CAPPED)


def test_every_end_of_the_model_ends_the_text(plain: Driver) -> None:
    ends = plain.tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    for end in ends:
        request = plain.start(sampling({"choice": ["zz"]}))
        rows = plain.masks([request], {})
        assert not rows[0, ends].any()
        run = plain.run(request, lambda tokens, allowed, end=end: end if allowed[end] else int(np.argmax(allowed)))
        assert run.tokens[-1] == end
        assert not run.is_error


def test_stop_tokens_of_a_request_end_complete_texts_only(plain: Driver) -> None:
    stop = plain.tokenizer.convert_tokens_to_ids("2")
    for salt in "abcdefgh":
        run = plain.run(
            plain.start(sampling({"regex": "[0-9]{2,4}"}, stop_token_ids=[stop], max_tokens=20)), greedy(salt)
        )
        assert re.fullmatch("[013-9]{2,4}2?", plain.text(run)), plain.text(run)
        assert run.request.status == RequestStatus.FINISHED_STOPPED


def test_min_tokens_puts_the_end_off_where_the_grammar_goes_on(plain: Driver) -> None:
    run = plain.run(plain.start(sampling({"regex": "[a-z]*"}, min_tokens=9, max_tokens=40)), greedy())
    assert len(run.tokens) > 9
    run = plain.run(plain.start(sampling({"choice": ["zz"]}, min_tokens=9)), greedy())
    assert (plain.text(run), run.is_error) == ("zz", False), "the document's end wins"


def test_under_ignore_eos_free_text_follows(plain: Driver) -> None:
    run = plain.run(plain.start(sampling({"choice": ["zz"]}, ignore_eos=True, max_tokens=20)), greedy())
    assert (len(run.tokens), run.is_error) == (20, False)
    assert plain.text(run).startswith("zz")


def test_padding_of_the_vocabulary_never_comes(plain: Driver) -> None:
    rows = plain.masks([plain.start(sampling({"regex": "(?s).*"}))], {})
    assert plain.vocab_size == 280
    assert rows[0, :256].any()
    assert not rows[0, len(plain.tokenizer) :].any()


def test_requests_of_one_batch_have_their_own_rows(plain: Driver) -> None:
    requests = [plain.start(sampling({"choice": [word]})) for word in ("b", "c", "d")]
    rows = plain.masks(requests, {})
    assert [plain.tokenizer.decode(np.flatnonzero(row)) for row in rows] == ["b", "c", "d"]


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ({"json": {"type": "objekt"}}, "invalid JSON Schema at '/type'"),
        ({"json": {"properties": {"a": {"pattern": "(?<!x)a("}}}}, "/properties/a"),
        ({"json": {"allOf": [{"type": "string"}, {"type": "integer"}]}}, "no"),
        ({"regex": "a("}, "offset"),
        ({"grammar": "root ::= foo"}, "line 1, column 10"),
        ({"structural_tag": '{"type": "structural_tag", "format": {"type": "nonsense"}}'}, "/format/type"),
    ],
)
def test_a_wrong_grammar_is_refused_with_its_place(plain: Driver, grammar: dict[str, Any], message: str) -> None:
    for _ in range(2):  # the second time from memory
        with pytest.raises(VLLMValidationError, match=re.escape(message)):
            plain.start(sampling(grammar))


def test_a_wrong_option_is_refused_by_its_name(plain: Driver) -> None:
    with pytest.raises(VLLMValidationError, match=r"guided\.valuse: unknown option"):
        plain.start(sampling({"json": PERSON}, extra_args={"guided": '{"valuse": 1}'}))


def drafter_of(seed: int, tokenizer: Any) -> Any:
    """Drafts of all sorts: right ones, wrong ones, none, ends, padding."""
    draw = random.Random(seed)
    texts = ['{"name', '":"', '","age":', "1", "2", '],"', '"red"', '"tags":[', "}", "<|im_end|>", "a", "the", "-"]
    pieces = [tokenizer.encode(text, add_special_tokens=False) for text in texts]

    def propose(tokens: list[int]) -> list[int]:
        drafts = [token_id for _ in range(draw.randrange(4)) for token_id in draw.choice(pieces)][:4]
        return [*drafts, *[-1] * draw.randrange(2)][:4]

    return propose


@pytest.mark.parametrize(("grammar", "form"), GRAMMARS, ids=lambda value: str(value)[:40])
def test_drafts_never_change_a_greedy_text(plain: Driver, drafting: Driver, grammar: dict[str, Any], form: str) -> None:
    for seed in range(6):
        fields = {"max_tokens": 25 + 5 * seed, "min_tokens": seed, "ignore_eos": seed == 3}
        alone = plain.run(plain.start(sampling(grammar, **fields)), greedy(str(seed)))
        drafter = drafter_of(seed, drafting.tokenizer)
        drafted = drafting.run(drafting.start(sampling(grammar, **fields)), greedy(str(seed)), drafter)
        assert drafted.tokens == alone.tokens
        assert (drafted.request.status, drafted.is_error) == (alone.request.status, False)


def test_drafts_are_kept_up_to_the_first_that_cannot_come(drafting: Driver) -> None:
    request = drafting.start(sampling({"regex": "[ab]c{2}[ab]c"}, extra_args={"guided": {"draft_forced": False}}))
    a, b, c, end = drafting.tokenizer.convert_tokens_to_ids(["a", "b", "c", "<|im_end|>"])
    assert drafting.manager.validate_tokens(request, [a, c, c, c]) == [a, c, c]
    assert drafting.manager.validate_tokens(request, [c]) == []
    assert drafting.manager.validate_tokens(request, [b, c, -1, -1]) == [b, c]
    rows = drafting.masks([request], {request.request_id: [a, c, c]})
    assert [np.flatnonzero(row).tolist() for row in rows] == [[a, b], [c], [c], [a, b]]
    rows = drafting.masks([request], {})
    assert np.flatnonzero(rows[0]).tolist() == [a, b], "nothing has changed"
    drafting.manager.accept_tokens(request, [a, c, c, b])
    assert drafting.manager.validate_tokens(request, [c, end, a]) == [c, end]
    rows = drafting.masks([request], {request.request_id: [c, end]})
    assert rows[2].all(), "behind the end everything may come, since nothing of it counts"
    assert np.flatnonzero(drafting.masks([request], {})[0]).tolist() == [c], "taken back across the end"


def test_forced_tokens_are_proposed_as_drafts(drafting: Driver) -> None:
    run = drafting.run(drafting.start(sampling({"json": PERSON}, max_tokens=100)), greedy("x"), lambda _: [])
    jsonschema.validate(json.loads(drafting.text(run)), PERSON)
    assert run.num_accepted == run.num_drafts > 10, "each of them comes"
    assert run.num_steps == len(run.tokens) - run.num_accepted
    assert max(map(len, run.proposed)) == 4, "never more than the engine has room for"


def test_an_asynchronous_scheduler_gets_no_other_drafts_than_its_own(make_config: Any) -> None:
    """Its model has read them already when the grammar is asked."""
    config = make_config(speculative_config={**_ngram(), "method": "ngram"})
    config.scheduler_config.async_scheduling = True
    driver = Driver(config)
    request = driver.start(sampling({"choice": ["abcdefgh"]}))
    assert driver.manager.validate_tokens(request, []) == []
    first = driver.tokenizer.convert_tokens_to_ids("a")
    assert driver.manager.validate_tokens(request, [first]) == [first]


def _ngram() -> dict[str, Any]:
    from .conftest import NGRAM

    return NGRAM


class Reasoner:
    """A reasoning parser: thinking lasts until the token <|im_start|>."""

    def __init__(self, tokenizer: Any) -> None:
        self._end = tokenizer.convert_tokens_to_ids("<|im_start|>")

    def is_reasoning_end(self, token_ids: Any) -> bool:
        return False

    def is_reasoning_end_streaming(self, token_ids: Any, new_token_ids: Any) -> bool:
        return self._end in new_token_ids


@pytest.mark.parametrize("num_thoughts", [1, 2, 3, 7, 20])
def test_tokens_of_thinking_count_for_the_budget(
    plain: Driver, drafting: Driver, monkeypatch: pytest.MonkeyPatch, num_thoughts: int
) -> None:
    ends = plain.tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
    thought, end, z = plain.tokenizer.convert_tokens_to_ids(["t", "<|im_start|>", "z"])
    answer = greedy("think")

    def pick(tokens: list[int], allowed: Any) -> int:
        if len(tokens) < num_thoughts:
            return int(thought)
        if len(tokens) == num_thoughts:
            return int(end)
        goes_on = allowed.copy()
        goes_on[ends] = False
        return answer(tokens, goes_on if goes_on.any() else allowed)

    runs = []
    for driver in (plain, drafting):
        monkeypatch.setattr(driver.manager, "reasoner_cls", Reasoner)
        draw = random.Random(num_thoughts)

        def propose(tokens: list[int], draw: random.Random = draw) -> list[int]:
            return draw.choice([[], [thought, thought], [thought, end, z], [end, z, z], [z, z]])

        params = sampling({"regex": "[a-z]{12,}"}, max_tokens=num_thoughts + 1 + 20)
        runs.append(driver.run(driver.start(params), pick, propose if driver is drafting else None))
    for run in runs:
        assert run.request.status == RequestStatus.FINISHED_STOPPED
        text = plain.tokenizer.decode(run.tokens[num_thoughts + 1 :], skip_special_tokens=True)
        assert re.fullmatch("[a-z]{12,}", text)
    assert len(runs[0].tokens) == num_thoughts + 1 + 20, "all of its budget"
    assert runs[0].tokens == runs[1].tokens


HOSTILE_LIMITS = {"max_compile_seconds": 0.3, "max_mask_seconds": 0.3, "max_text_seconds": 1.2}


def test_hostile_schemas_end_their_own_requests(plain_config: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUIDED_LIMITS", json.dumps(HOSTILE_LIMITS))
    driver = Driver(plain_config)
    well = driver.start(sampling({"json": PERSON}, max_tokens=100))
    for seed in range(24):
        schema = Maker(random.Random(seed)).document()
        try:
            run = driver.run(driver.start(sampling({"json": schema}, max_tokens=40)), greedy(str(seed)))
        except (VLLMValidationError, GuidedError):
            continue
        assert run.request.is_finished()
        assert not run.is_error or run.request.stop_reason
    run = driver.run(well, greedy())
    jsonschema.validate(json.loads(driver.text(run)), PERSON)


def test_a_schema_nested_deeper_than_the_stack_is_refused(plain: Driver) -> None:
    schema: dict[str, Any] = {}
    for _ in range(20_000):
        schema = {"not": schema}
    with pytest.raises(VLLMValidationError, match="max_schema_depth"):
        plain.start(sampling({"json": schema}))


class Broken(Exception):
    """A fault of our own."""


@pytest.mark.parametrize("error", [LimitExceededError("max_mask_seconds", 5, "seconds"), Broken("bug")], ids=repr)
@pytest.mark.parametrize("method", ["fill_bitmask", "accept_token", "find_jump_forward_bytes", "restrict_to_budget"])
def test_a_fault_ends_its_own_request(
    drafting: Driver, monkeypatch: pytest.MonkeyPatch, method: str, error: Exception
) -> None:
    sick, well = (drafting.start(sampling({"choice": ["abcdefgh", "abcdxyz"]}, max_tokens=20)) for _ in range(2))
    grammar = sick.structured_output_request.grammar
    state = grammar._state

    def fail(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr(state, "matcher", _Failing(state.matcher, method, fail))
    runs = [drafting.run(request, greedy(), lambda _: []) for request in (sick, well)]
    is_limit, harmless = isinstance(error, LimitExceededError), ("restrict_to_budget", "find_jump_forward_bytes")
    is_harmless = is_limit and method in harmless
    assert [run.is_error for run in runs] == [not is_harmless, False]
    assert drafting.text(runs[1]) in ("abcdefgh", "abcdxyz")
    if not is_harmless:
        assert str(error) in str(sick.stop_reason)


def test_drafts_that_meet_a_fault_are_all_taken_back(drafting: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    request = drafting.start(sampling({"choice": ["abcdefgh", "abcdxyz"]}, max_tokens=20))
    grammar = request.structured_output_request.grammar
    state = grammar._state
    before = state.num_taken

    def fail(*_: Any) -> None:
        raise Broken("bug")

    monkeypatch.setattr(state, "matcher", _Failing(state.matcher, "accept_token", fail))
    assert grammar.validate_tokens([state.forced_token(None) or 0]) == []
    assert isinstance(state.error, Broken)
    assert state.num_taken == before


@pytest.mark.parametrize(("value", "spells"), [("guided.x:Y", True), ("other.x:Y", False)])
def test_processors_of_other_packages_leave_the_spelling_to_the_model(
    plain: Driver, monkeypatch: pytest.MonkeyPatch, value: str, spells: bool
) -> None:
    plain.start(sampling({"choice": ["abc"]}))
    grammar_backend: Any = plain.manager.backend
    monkeypatch.setattr(backend, "entry_points", lambda group: [EntryPoint("x", value, group)])
    monkeypatch.delitem(grammar_backend.__dict__, "speller", raising=False)
    assert (grammar_backend.speller is not None) == spells
    monkeypatch.delitem(grammar_backend.__dict__, "speller")


class _Failing:
    """A matcher of which one method fails."""

    def __init__(self, matcher: Any, name: str, fail: Any) -> None:
        self._matcher, self._name, self._fail = matcher, name, fail

    def __getattr__(self, name: str) -> Any:
        return self._fail if name == self._name else getattr(self._matcher, name)


def test_a_token_that_the_mask_had_ruled_out_ends_its_request_and_says_so(plain: Driver) -> None:
    request = plain.start(sampling({"choice": ["abc"]}))
    run = plain.run(request, lambda tokens, allowed: 0)
    assert run.is_error
    assert "the grammar refused one of the tokens [0]" in str(request.stop_reason)
