"""Forced bytes in the tokenizer's tokens: a plug-in's masks leave the same tokens as our engine takes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from guided.embedded import model_path
from guided.grammar_state import forced_bytes
from guided.grammar_state.forced_bytes import UNKNOWN
from guided.grammar_state.speller import TokenSpeller
from guided.grammar_state.state import GrammarState
from guided.grammars import Vocabulary, allocate_bitmask, allowed_token_ids, compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.protocol import CompiledGrammar
from guided.integrations.common.ends import Ends
from guided.integrations.common.text_state import TextState
from tests.real.schemas import SCHEMAS

AMPLE = 10_000


@pytest.fixture(scope="module")
def speller() -> TokenSpeller:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(model_path()))
    return TokenSpeller(tokenizer, Vocabulary.from_tokenizer(tokenizer))


def scores(seed: int, place: int, size: int) -> Any:
    return np.random.default_rng([seed, place]).random(size)


def by_engine(grammar: CompiledGrammar, speller: TokenSpeller, seed: int, budget: int) -> list[int]:
    """A text as our engine writes it, with its end token if the budget has room for it."""
    row, found = GrammarState(grammar, speller), list[int]()
    bitmask = allocate_bitmask(1, grammar.vocabulary.size)
    while not row.matcher.is_terminated() and len(found) < budget:
        token_id = row.forced_token(budget - len(found))
        if token_id is None:
            row.matcher.fill_bitmask(bitmask)
            row.restrict(bitmask, 0, budget - len(found))
            token_id = best(bitmask[0], seed, len(found), grammar.vocabulary.size)
        row.accept(token_id)
        found.append(token_id)
    return found


def best(mask: Any, seed: int, place: int, size: int) -> int:
    allowed = allowed_token_ids(mask, size)
    return int(allowed[np.argmax(scores(seed, place, size)[allowed])])


def by_plugin(
    grammar: CompiledGrammar, speller: TokenSpeller, seed: int, budget: int, drafts: random.Random | None = None
) -> list[int]:
    """A text as a plug-in's masks leave it. drafts: tokens are taken and taken back before each step."""
    state, found = TextState(grammar, speller, closes=True), list[int]()
    bitmask = allocate_bitmask(1, grammar.vocabulary.size)
    while not state.is_ended and len(found) < budget:
        if drafts is not None:
            num_drafts = wander(state, drafts, len(found), budget)
            state.rollback(num_drafts)
        state.fill(bitmask, 0, len(found), budget - len(found))
        assert state.error is None
        found.append(best(bitmask[0], seed, len(found), grammar.vocabulary.size))
        state.take(found[-1])
    return found


def wander(state: TextState, rng: random.Random, position: int, budget: int) -> int:
    """Take a few allowed tokens, as drafts. Returns their number."""
    bitmask, count = allocate_bitmask(1, state.grammar.vocabulary.size), 0
    while count < rng.randrange(6) and not state.is_ended and position + count < budget:
        if rng.random() < 0.7:
            state.fill(bitmask, 0, position + count, budget - position - count)
        else:  # an engine's drafts may leave the spelling
            state.matcher.fill_bitmask(bitmask)
        state.take(int(rng.choice(allowed_token_ids(bitmask[0], state.grammar.vocabulary.size).tolist())))
        count += 1
    return count


GRAMMARS: list[dict[str, Any]] = [
    *({"json_schema": schema, "values": "canonical"} for schema in SCHEMAS),
    {"regex": "the and (12|in the)+ and so on"},
    {"ebnf": 'root ::= "the é😀 " item ("," item)* " end"\nitem ::= "in" | "and" [0-9]'},
    {"choice": ["the and in", "the and the 12", "in"]},
]


@pytest.fixture(params=GRAMMARS, ids=lambda one: str(one)[:50])
def grammar(request: pytest.FixtureRequest, speller: TokenSpeller) -> CompiledGrammar:
    return compile_grammar(speller._vocabulary, **request.param)


def test_masks_leave_the_tokens_of_our_engine(grammar: CompiledGrammar, speller: TokenSpeller) -> None:
    for seed in range(3):
        ours = by_engine(grammar, speller, seed, AMPLE)
        assert by_plugin(grammar, speller, seed, AMPLE) == ours
        assert by_plugin(grammar, speller, seed, AMPLE, random.Random(seed)) == ours, "with drafts taken back"


def test_texts_are_completed_in_their_budget(grammar: CompiledGrammar, speller: TokenSpeller) -> None:
    for budget in range(grammar.min_tokens, grammar.min_tokens + 4):
        for drafts in (None, random.Random(budget)):
            matcher = grammar.matcher()
            assert all(map(matcher.accept_token, by_plugin(grammar, speller, budget, budget, drafts)))
            assert matcher.is_terminated() or matcher.is_accepting()


def test_a_spelling_that_would_end_the_text_is_left_to_the_model(speller: TokenSpeller) -> None:
    grammar = compile_grammar(speller._vocabulary, regex="the and the")
    first = speller.spell(b"the and the").token_ids[0]
    state = TextState(grammar, speller)
    assert state.forced_token(None) == first
    state.ends = Ends(grammar.vocabulary, {first})
    assert state.forced_token(None) is None
    bitmask = allocate_bitmask(1, grammar.vocabulary.size)
    state.fill(bitmask, 0, 0, None)
    assert first not in allowed_token_ids(bitmask[0], grammar.vocabulary.size)
    state.ends = Ends(grammar.vocabulary, ())
    state.leave_spelling_to_model()
    state.fill(bitmask, 0, 0, None)
    assert len(allowed_token_ids(bitmask[0], grammar.vocabulary.size)) > 1


LONG = "the and in 12, é the " * 600


def by_engine_alone(row: GrammarState) -> list[int]:
    found = list[int]()
    while (token_id := row.forced_token(AMPLE)) is not None:
        assert row.accept(token_id)
        found.append(token_id)
    return found


def test_a_long_constant_is_looked_at_and_spelled_piece_by_piece(
    speller: TokenSpeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whole, it held up the engine. At the end of a piece, nothing is left to the model."""
    grammar = compile_grammar(speller._vocabulary, choice=[LONG])
    matcher_type = type(grammar.matcher())
    find, lengths = matcher_type.find_jump_forward_bytes, list[int]()

    def noting(self: Any, max_bytes: int | None = None) -> bytes:
        forced = find(self, max_bytes)
        lengths.append(len(forced))
        return forced

    monkeypatch.setattr(matcher_type, "find_jump_forward_bytes", noting)
    whole = list(speller.spell_once(LONG.encode()))
    assert by_engine_alone(GrammarState(grammar, speller)) == whole
    assert by_plugin(grammar, speller, 0, AMPLE, random.Random(0))[: len(whole)] == whole
    assert max(lengths) <= forced_bytes.MAX_SPELLED_BYTES + speller._vocabulary.longest_token


def test_off_the_spelling_a_long_constant_is_not_spelled_again_at_each_token(
    speller: TokenSpeller, monkeypatch: pytest.MonkeyPatch
) -> None:
    spelled = list[bytes]()
    spell = speller._spell_anew
    monkeypatch.setattr(speller, "spell", lambda forced: spelled.append(forced) or spell(forced))
    state = TextState(compile_grammar(speller._vocabulary, choice=[LONG]), speller)
    data = LONG.encode()
    for byte in data:
        state.forced_token(None)
        state.take(speller._vocabulary.byte_ids[bytes([byte])])
    assert state.is_ended or state.matcher.is_accepting()
    assert len(spelled) <= len(data) // forced_bytes.MAX_SPELLED_BYTES + 1


@pytest.mark.parametrize("tokens_at_once", [0, 1])
def test_a_limit_at_forced_bytes_leaves_them_to_the_model(
    speller: TokenSpeller, monkeypatch: pytest.MonkeyPatch, tokens_at_once: int
) -> None:
    def fail(*_: Any) -> bytes:
        raise LimitExceededError("max_mask_seconds", 5, "seconds")

    state = TextState(compile_grammar(speller._vocabulary, regex="the and (12|in)"), speller)
    monkeypatch.setattr(state.matcher, "find_jump_forward_bytes", fail)
    for byte in b"the"[:tokens_at_once]:
        state.take(speller._vocabulary.byte_ids[bytes([byte])])
    bitmask = allocate_bitmask(1, state.grammar.vocabulary.size)
    state.fill(bitmask, 0, 0, None)
    assert state.error is None
    assert len(allowed_token_ids(bitmask[0], state.grammar.vocabulary.size)) > 1


def test_forced_keys_are_the_tokenizers_own_tokens(speller: TokenSpeller) -> None:
    schema = {"type": "object", "properties": {"the": {"type": "boolean"}}, "required": ["the"]}
    grammar = compile_grammar(speller._vocabulary, json_schema=schema, whitespace="compact")
    key = speller._tokenizer.encode('{"the":', add_special_tokens=False)
    for write in (by_engine, by_plugin):
        assert write(grammar, speller, 0, AMPLE)[: len(key) - 1] == key[:-1]  # a longer token may begin with the last


def test_the_spelling_of_a_source_is_not_kept(speller: TokenSpeller) -> None:
    """As in our engine, the text of a request must not outlive it."""
    schema = {"type": "object", "properties": {"the": {"type": "string", "x-quote": "text"}}, "required": ["the"]}
    sources = {"text": "the"}
    grammar = compile_grammar(
        speller._vocabulary, json_schema=schema, sources=sources, whitespace="compact", cache=None
    )
    before = speller.spell.cache_info()
    state = TextState(grammar, speller)
    assert state.forced_token(None) is not None
    assert speller.spell.cache_info() == before
    copy = state.fork()
    assert copy.speller is state.speller is not speller
    assert copy.given_speller is state.given_speller is speller, "for texts of other requests"


def test_only_places_inside_of_forced_bytes_are_kept(speller: TokenSpeller) -> None:
    text = b"121the and 12the"
    state = TextState(compile_grammar(speller._vocabulary, regex="[12]+the and [12]+the"), speller)
    for byte in text:
        state.forced_token(None)
        state.take(speller._vocabulary.byte_ids[bytes([byte])])
    assert [place is not UNKNOWN for place in state._places] == [place.is_inside for place in state._places]
    assert {False, True} == {place.is_inside for place in state._places}
    state.rollback(10)
    assert state.num_taken == len(text) - 10
