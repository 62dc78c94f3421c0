"""Drafts never change an output: right, wrong and half right guesses, for requests of every kind."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from guided import LLM, Completion, SamplingParams
from guided.engines.local import drafter, drafts, slow_rows
from guided.engines.local.drafter import Drafter
from guided.engines.local.drafts import MAX_CANDIDATES, MAX_MATCH, MIN_FREE_MATCH, MIN_MATCH, PromptLookup, RowDrafts
from guided.engines.local.engine_request import EngineRequest
from guided.engines.local.paged import Chunk, PagedSequence
from guided.engines.local.quote_guess import quote_guess
from guided.engines.local.scheduler import StepPlan
from guided.engines.settings import EngineSettings
from guided.engines.stats import EngineCounters
from guided.grammar_state.speller import TokenSpeller
from guided.grammar_state.state import GrammarState
from guided.grammars.errors import GuidedError
from guided.grammars.watch import TrialOverError
from guided.requests.request import PromptRequest
from tests.grammars.vocabularies import byte_vocabulary
from tests.guided.engines.local.conftest import MakeLLM, check_pages
from tests.guided.engines.local.test_continuous_batching import make_requests, same

TOKENS = [b"Ada", b" Love", b"lace", b'"', b" ", b"Love", b"a", b"b", b"ab", None, b""]
BY_BYTES = {token: i for i, token in enumerate(TOKENS) if token}


def ids(*tokens: bytes | None) -> list[int]:
    return [TOKENS.index(token) for token in tokens]


def proposed(text: list[int], most: int = 7) -> list[bytes | None]:
    return [TOKENS[i] for i in PromptLookup(TOKENS, text).propose(text, most)]


def test_what_follows_the_same_bytes_is_proposed_whatever_their_tokens_were() -> None:
    text = ids(b" ", b"Ada", b" Love", b"lace", b" ", b'"')
    assert proposed(text) == []
    assert proposed(text + ids(b"Ada")) == [b" Love", b"lace", b" ", b'"', b"Ada"]
    assert proposed(text + ids(b"Ada", b" ", b"Love")) == [b"lace", b" ", b'"', b"Ada", b" ", b"Love"]
    assert proposed(text + ids(b"Ada"), 2) == [b" Love", b"lace"]


def test_nothing_is_proposed_within_a_token_after_punctuation_or_across_special_ones() -> None:
    assert proposed(ids(b"ab", b"ab", b"Ada", b'"', b"a", b"b", b"a")) == []  # it stood within "abab"'s second token
    assert proposed(ids(b'"', b" ", b'"', b"Ada", b'"', b" ", b'"')) == []
    assert proposed(ids(b"Ada", None, b"Love", b"Ada")) == []


def test_the_longest_match_counts_then_the_latest() -> None:
    text = ids(b'"', b"Ada", b"a", b" ", b"Ada", b"b", b" ", b'"', b"Ada")
    assert proposed(text, 1) == [b"a"]
    assert proposed(ids(b"a", b"Ada", b"a", b"a", b"Ada", b"b", b"a", b"Ada"), 1) == [b"b"]


@pytest.mark.parametrize("seed", range(60))
def test_the_lookup_is_the_plain_search(seed: int) -> None:
    """The longest of the last matches that end where a token ends; also after the text has grown."""
    rng = random.Random(seed)
    text = rng.choices(range(len(TOKENS)), k=rng.randint(4, 40), weights=[1, 1, 1, 1, 2, 1, 6, 6, 3, 1, 1])
    lookup = PromptLookup(TOKENS, text[:4])
    for length in (4, rng.randint(4, len(text)), len(text)):
        for least in (MIN_MATCH, MIN_FREE_MATCH):
            assert lookup.propose(text[:length], 4, least) == _plain_search(text[:length], 4, least)


class CountedTokens(list[bytes | None]):
    num_read = 0

    def __getitem__(self, index: Any) -> Any:
        self.num_read += 1
        return super().__getitem__(index)


def test_a_guess_reads_only_the_tokens_that_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MAX_LOOKUP_TOKENS", 900)
    tokens = CountedTokens(TOKENS)
    text = ids(b"b", b"Ada", b" Love", b"lace", b" ") * 200
    lookup = PromptLookup(tokens, text)
    for i in range(20):
        expected = [text[-5 + j] for j in range(4)]
        assert lookup.propose(text, 4) == expected
        text.append(expected[0])
        assert tokens.num_read <= 900 + 5 * (i + 1)


def _plain_search(token_ids: list[int], most: int, least: int) -> list[int]:
    pieces = [TOKENS[i] or b"" for i in token_ids]
    whole = b"".join(pieces)
    last = whole[-least:]
    if len(whole) <= least or not any(chr(byte).isalnum() for byte in last[-MIN_MATCH:]):
        return []
    starts = [start for start in range(len(whole) - least) if whole.startswith(last, start)]
    best, best_length = None, 0
    for start in starts[: -MAX_CANDIDATES - 1 : -1]:
        end = start + least
        tokens = [i for i in range(len(pieces)) if len(b"".join(pieces[: i + 1])) == end]
        length = least
        while length < min(MAX_MATCH, end) and whole[end - length - 1] == whole[-length - 1]:
            length += 1
        if tokens and length > best_length:
            best, best_length = tokens[0], length
    following = [] if best is None else token_ids[best + 1 : best + 1 + most]
    ends = [i for i, token_id in enumerate(following) if not TOKENS[token_id]]
    return following[: ends[0]] if ends else following


@pytest.fixture(scope="module")
def alone(make_llm: MakeLLM) -> list[Completion]:
    """Each request by itself, token by token."""
    llm = make_llm(prefix_caching=False, max_draft_tokens=0)
    return [llm.generate(*request) for request in make_requests(30, 0)]


@pytest.mark.parametrize(
    "settings",
    [{}, {"page_size": 1}, {"max_batch_size": 3}, {"kv_cache_tokens": 160, "page_size": 4}, {"jump_forward": False}],
    ids=str,
)
def test_right_and_wrong_guesses_change_nothing(
    make_llm: MakeLLM, alone: list[Completion], settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = zip(make_requests(30, 0), alone, strict=True)
    requests, alone = zip(*[(one, answer) for one, answer in pairs if not one[1].logit_processors], strict=True)
    llm = make_llm(**settings)
    _guess_from(monkeypatch, [tuple(one.token_ids) for one in alone], len(llm.engine.vocabulary.tokens))
    before = llm.get_stats()
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=True):
        same(got, expected)
    after = llm.get_stats()
    num_right = after.num_accepted_draft_tokens - before.num_accepted_draft_tokens
    assert 50 < num_right < after.num_draft_tokens - before.num_draft_tokens
    check_pages(llm)


def test_rows_with_custom_processors_have_drafts(
    make_llm: MakeLLM, alone: list[Completion], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processors see one token after the other, so drafts change nothing."""
    requests = make_requests(30, 0)
    llm = make_llm()
    _guess_from(monkeypatch, [tuple(one.token_ids) for one in alone], len(llm.engine.vocabulary.tokens))
    before = llm.get_stats()
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=True):
        same(got, expected)
    after = llm.get_stats()
    assert after.num_accepted_draft_tokens - before.num_accepted_draft_tokens > 50
    own = [(one, answer) for one, answer in zip(requests, alone, strict=True) if one[1].logit_processors]
    before = after
    for (prompt, params), expected in own:
        same(llm.generate(prompt, params), expected)
    assert llm.get_stats().num_accepted_draft_tokens > before.num_accepted_draft_tokens


@pytest.mark.parametrize("error", [TrialOverError(), GuidedError("it broke"), RuntimeError("it broke")], ids=repr)
def test_a_grammar_that_can_not_say_what_may_follow_has_no_drafts(
    make_llm: MakeLLM, alone: list[Completion], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    requests = make_requests(30, 0)[:8]
    llm = make_llm()
    _guess_from(monkeypatch, [tuple(one.token_ids) for one in alone], len(llm.engine.vocabulary.tokens))

    def fail(*_: Any) -> list[int]:
        raise error

    monkeypatch.setattr(GrammarState, "allowed_start", fail)
    together = llm.generate([prompt for prompt, _ in requests], [params for _, params in requests])
    for got, expected in zip(together, alone, strict=False):
        same(got, expected)


def _guess_from(monkeypatch: pytest.MonkeyPatch, outputs: list[tuple[int, ...]], vocab_size: int) -> None:
    """Guess what the outputs go on with, sometimes with an error in it, in steps of any number of rows."""
    rng = random.Random(5)

    def proposed(_: RowDrafts, tokens: Any, token_ids: list[int], most: int, least: int = MIN_MATCH) -> list[int]:
        text = tuple(token_ids)
        for output in outputs:
            for num_written in range(1, len(output)):
                if text[-num_written:] == output[:num_written] and len(text) > num_written:
                    guess = list(output[num_written : num_written + rng.randint(0, most)])
                    if guess and rng.random() < 0.4:
                        guess[rng.randrange(len(guess))] = rng.randrange(vocab_size)
                    return guess
        return []

    monkeypatch.setattr(RowDrafts, "propose", proposed)
    monkeypatch.setattr(drafter, "MAX_ROWS", 64)


def test_a_text_that_repeats_itself_takes_fewer_passes(make_llm: MakeLLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=120, ignore_eos=True)
    plain, drafting = make_llm(max_draft_tokens=0), make_llm()
    expected, got = plain.generate("in the in the in the", params), drafting.generate("in the in the in the", params)
    assert got.token_ids == expected.token_ids
    assert plain.get_stats().num_draft_tokens == 0
    if len(set(expected.token_ids[-60:])) < 30:  # a greedy text of random weights runs in a circle
        assert drafting.get_stats().num_accepted_draft_tokens > 20


def test_the_time_of_the_lookup_is_not_that_of_the_grammars(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else guesses that the model has read would not be drawn, because the step's time is over."""
    plain = PromptLookup.propose

    def slowly(self: PromptLookup, token_ids: list[int], most: int, least: int) -> list[int]:
        end_s = time.thread_time() + 0.002
        while time.thread_time() < end_s:
            pass
        return plain(self, token_ids, most, least)

    llm = make_llm()
    params = SamplingParams(temperature=0, max_new_tokens=40, ignore_eos=True, logit_bias={64: 100.0})
    counts = [llm.get_stats().num_steps]
    for is_slow in (False, True):
        if is_slow:
            monkeypatch.setattr(slow_rows, "TRIAL_S", 0.001)
            monkeypatch.setattr(PromptLookup, "propose", slowly)
        llm.generate("in the in the", params)
        counts.append(llm.get_stats().num_steps)
    assert counts[2] - counts[1] == counts[1] - counts[0] < 30


class NoPages:
    """A model for the drafter that has room for every guess."""

    reserve = truncate = staticmethod(lambda *_: True)


def test_guesses_that_fail_become_rare_and_come_back() -> None:
    drafter = Drafter(NoPages(), byte_vocabulary(), 7, EngineCounters(), slow_rows.StepTime())  # type: ignore[arg-type]
    text = list(b"one two three four one two three four ")
    request = PromptRequest(text, SamplingParams())
    row = EngineRequest(request, print, 0, grammar=None, end_token_ids=frozenset(), max_new_tokens=900)

    def step(*, is_right: bool) -> int:
        """The number of guesses in a step whose first one is right or wrong. The text then goes on as before."""
        plan = StepPlan(drawing=[(row, Chunk(PagedSequence(), row.token_ids[-1:], [0]))])
        drafter.add_to(plan)
        guess = plan.drafts[row].token_ids if row in plan.drafts else []
        assert len(guess) == plan.num_draft_tokens
        if guess and not is_right:
            plan.drafts[row].token_ids[0] += 1
        row.token_ids.append(text[(len(row.token_ids)) % 19])
        drafter.settle(plan)
        return len(guess)

    assert step(is_right=False) > 1
    lengths = [step(is_right=False) for _ in range(60)]
    assert 0 < sum(length > 0 for length in lengths[20:]) < 15
    assert sum(step(is_right=True) > 0 for _ in range(60)) > 40


def test_a_copy_of_another_particle_looks_up_its_own_text() -> None:
    one, other = (
        EngineRequest(
            PromptRequest(ids(b"Ada", b" Love"), SamplingParams(), written=(last,)),
            print,
            0,
            grammar=None,
            end_token_ids=frozenset(),
            max_new_tokens=9,
        )
        for last in ids(b"a", b"b")
    )
    one.drafts.propose(TOKENS, one.token_ids, 3)
    assert one.drafts.lookup is not None
    one.go_on_as(other)
    assert one.drafts.lookup is None


TEXT = "Zoë Quirke moved from Zoë Quarry to Łódź. Her order is AX-20417, a Trek road bike."
FORM = {
    "type": "object",
    "properties": {
        name: {"anyOf": [{"type": "string", "x-quote": "text"}, {"type": "null"}]} for name in ("name", "city", "order")
    },
    "required": ["name", "city", "order"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_guesses_of_forced_bytes_and_of_quotes_change_nothing(temperature: float) -> None:
    """The embedded model, whose tokens of what is forced are known, one row and several."""
    answers = []
    for most in (0, 7):
        with LLM(engine_settings=EngineSettings(max_draft_tokens=most)) as llm:
            params = [
                SamplingParams(
                    temperature=temperature, seed=seed, max_new_tokens=60, json_schema=FORM, sources={"text": TEXT}
                )
                for seed in range(4)
            ]
            messages = [{"role": "user", "content": TEXT}]
            alone = [llm.chat(messages, one).token_ids for one in params[:2]]
            together = [one.token_ids for one in llm.chat([messages] * 4, params)]
            stats = llm.get_stats()
            answers.append((alone, together))
            assert (stats.num_accepted_draft_tokens > 0) == (most > 0)
    assert answers[0] == answers[1]


def test_the_token_that_was_taken_last_is_guessed_where_it_may_come() -> None:
    with LLM() as llm:
        grammar = llm.compile(SamplingParams(json_schema=FORM, whitespace="compact", sources={"text": TEXT}))
        assert grammar is not None
        row = GrammarState(grammar, TokenSpeller(llm.tokenizer, llm.vocabulary))
        for token_id in llm.tokenizer.encode('{"name', add_special_tokens=False):
            row.accept(token_id)
        forced, spelled = row.unspelled()
        assert forced == b'":'
        assert b"".join(llm.vocabulary.tokens[one] or b"" for one in spelled) == forced
        assert quote_guess(row, 7) == []
        for token_id in llm.tokenizer.encode('":"Zo', add_special_tokens=False):
            row.accept(token_id)
        guess = b"".join(llm.vocabulary.tokens[one] or b"" for one in quote_guess(row, 7))
        first = quote_guess(row, 7)[:2]
        behind = quote_guess(row, 7, first)
        assert behind
        assert TEXT.encode().startswith(b"Zo" + llm.vocabulary.join(first + behind))
        assert quote_guess(row, 7, llm.tokenizer.encode("q", add_special_tokens=False)) == []
        assert TEXT.encode().startswith(b"Zo" + guess)
        assert guess


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('{"name":"Zoë Quirke","city":"Łó', 'dź","order":'),
        ('{"name":"Zoë","city":"Łódź","order":"AX-204', '17"}'),
        ('{"name":"Zoë Qui', "rke moved from"),
    ],
)
def test_a_guess_of_a_quote_ends_with_a_phrase_of_the_source_and_has_what_is_forced_behind(
    written: str, expected: str
) -> None:
    with LLM() as llm:
        grammar = llm.compile(SamplingParams(json_schema=FORM, whitespace="compact", sources={"text": TEXT}))
        assert grammar is not None
        row = GrammarState(grammar, TokenSpeller(llm.tokenizer, llm.vocabulary))
        for token_id in llm.tokenizer.encode(written, add_special_tokens=False):
            row.accept(token_id)
        guess = quote_guess(row, 12)
        assert row.allowed_start(guess) == guess
        assert llm.vocabulary.join(guess).startswith(expected.encode())


def test_nothing_of_a_source_is_kept_among_the_spellings() -> None:
    """What is forced inside of a quote is a part of the text, and the engine's speller outlives the request."""
    with LLM() as llm:
        speller = TokenSpeller(llm.tokenizer, llm.vocabulary)
        for sources, num_kept in (({"text": "Zyx Qwort"}, 0), (None, 1)):
            schema = {"type": "string", "x-quote": "text"} if sources else {"const": "Zyx Qwort"}
            grammar = llm.compile(SamplingParams(json_schema=schema, whitespace="compact", sources=sources))
            assert grammar is not None
            row = GrammarState(grammar, speller)
            for token_id in llm.tokenizer.encode('"Zyx Qwo', add_special_tokens=False):
                row.accept(token_id)
            assert row.forced_token(50) is not None
            assert row.forced_token(50) is not None
            assert speller.spell.cache_info().currsize == num_kept
