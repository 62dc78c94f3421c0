"""Stop strings and regexes: the text ends where the first is complete, and nothing of one is ever shown."""

from __future__ import annotations

import random
import re
import time
from typing import Any

import pytest

from guided.grammars.errors import InvalidInputError
from guided.params.sampling_params import SamplingParams
from guided.params.stopping import Stops
from guided.tools.stop_reader import StopReader


def search(**fields: Any) -> StopReader:
    reader, params = StopReader(), SamplingParams(**fields)
    reader.seek(Stops(params), params)
    return reader


def shown(pieces: list[str], **fields: Any) -> tuple[list[str], bool]:
    """What each piece gives, the flush at the end included; whether a stop ended the text."""
    found = search(**fields)
    texts = []
    for piece in pieces:
        texts.append(found.push(piece)[0])
        if found.is_ended:
            return texts, True
    return [*texts, found.finish()[0]], False


@pytest.mark.parametrize(
    ("pieces", "fields", "expected"),
    [
        (["ab", "END", "c"], {"stop": "END"}, ["ab", ""]),
        (["abEN", "Dc"], {"stop": ["END"]}, ["ab", ""]),
        (["abEN", "Ec"], {"stop": "END"}, ["ab", "ENEc", ""]),
        (["abEN"], {"stop": "END"}, ["ab", "EN"]),
        (["aa", "b", "aac"], {"stop": "aac"}, ["", "aab", ""]),
        (["abc"], {"stop": ["c", "bc"]}, ["a"]),
        (["abcd"], {"stop": ["bcd", "c"]}, ["ab"]),
        (["x1", "23", "4"], {"stop_regex": r"\d{3}"}, ["x", ""]),
        (["a", "STOP"], {"stop_regex": "(?i)stop"}, ["a", ""]),
        (["a", "ST", "OP"], {"stop": "STOP", "include_stop_str_in_output": True}, ["a", "ST", "OP"]),
        (["aSTOPb"], {"stop": "STOP", "include_stop_str_in_output": True}, ["aSTOP"]),
        (["日本", "語。"], {"stop": "。"}, ["日本", "語"]),
        (["12, 3", ", 4"], {"stop_regex": "[0-9]+!", "stop": "zz"}, ["12, ", "3, ", "4"]),
    ],
)
def test_what_is_shown(pieces: list[str], fields: dict[str, Any], expected: list[str]) -> None:  # B19
    assert shown(pieces, **fields)[0] == expected


def test_pieces_make_no_difference() -> None:  # B19
    """Against a search in the whole text, for random texts, stops and cuts."""
    rng = random.Random(1)
    for _ in range(2000):
        text = "".join(rng.choices("aab\n", k=rng.randint(0, 12)))
        stops = ["".join(rng.choices("aab\n", k=rng.randint(1, 4))) for _ in range(rng.randint(1, 3))]
        ends = [(text.find(stop) + len(stop), text.find(stop)) for stop in stops if stop in text]
        pieces, place = [], 0
        while place < len(text):
            step = rng.randint(1, 4)
            pieces.append(text[place : place + step])
            place += step
        texts, is_stopped = shown(pieces, stop=stops)
        assert is_stopped is bool(ends)
        assert "".join(texts) == (text[: min(ends)[1]] if ends else text), (text, stops)


def test_nothing_is_held_back_longer_than_needed() -> None:  # B19
    """After each character the longest end of the text that may still become a stop is held back, and no more."""
    rng = random.Random(2)
    for _ in range(500):
        stops = ["".join(rng.choices("ab", k=rng.randint(2, 5))) for _ in range(2)]
        found, text, out = search(stop=stops), "", ""
        for _ in range(20):
            text += rng.choice("ab")
            out += found.push(text[-1])[0]
            if found.is_ended:
                break
            held = max(
                (n for n in range(len(text) + 1) for stop in stops if n < len(stop) and text.endswith(stop[:n])),
                default=0,
            )
            assert out == text[: len(text) - held]


def test_stops_before_the_least_number_of_tokens_are_text() -> None:
    found = search(stop="b")
    assert found.push("abc", may_end=False)[0] == "abc"
    assert found.push("db")[0] == "d"
    assert found.is_ended


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(a", "stop_regex: "),
        (r"(a)\1", "stop_regex: "),
        ("^a", "looks at what stands around"),
        (r"a\b", "looks at what stands around"),
        ("a(?=b)", "looks at what stands around"),
        ("a*", "matches the empty text"),
        (r"[^\s\S]", "matches nothing"),
        ("a*+b", "possessive"),
        ("(?>a|ab)c", "atomic"),
        ("a.{9000}b", "more than 4,096 places"),
    ],
)
def test_regexes_that_are_refused(pattern: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(message)) as refusal:
        Stops(SamplingParams(stop_regex=["ok", pattern]))
    assert "\n" not in str(refusal.value)


def test_a_backtracking_trap_is_read_once() -> None:
    assert shown(["a" * 2000], stop_regex="(a+)+b") == (["", "a" * 2000], False)


def test_a_match_that_goes_on_from_every_place_takes_linear_time() -> None:
    """2,000 matches are open at each character; a character takes some microseconds, not some of each match."""
    found = search(stop_regex="a.{2000}b")
    start_s = time.process_time()
    assert found.push("a" * 20_000)[0] == "a" * (20_000 - 2_001)
    assert time.process_time() - start_s < 2


@pytest.mark.parametrize("seed", range(3))
def test_against_a_search_of_the_whole_text(seed: int) -> None:
    """Regexes and strings together, in random pieces: which match ends the text, and what is shown before it."""
    rng = random.Random(seed)
    for _ in range(60):
        text = "".join(rng.choices('aab\né"😀', k=rng.randint(1, 14)))
        stops = ["".join(rng.choices("ab\né", k=rng.randint(2, 3))) for _ in range(rng.randint(0, 2))]
        regexes = rng.sample(REGEXES, rng.randint(1, 2))
        patterns = [re.compile(one) for one in [*regexes, *map(re.escape, stops)]]
        ends = (
            (end, start)
            for end in range(1, len(text) + 1)
            for start in range(end)
            if any(pattern.fullmatch(text, start, end) for pattern in patterns)
        )
        end, start = next(ends, (len(text), len(text)))
        found, shown_text, place = search(stop=stops, stop_regex=regexes), "", 0
        while place < len(text) and not found.is_ended:
            step = rng.randint(1, 4)
            shown_text += found.push(text[place : place + step])[0]
            place += step
        assert (shown_text + ("" if found.is_ended else found.finish()[0]), found.match) == (
            text[:start],
            text[start:end],
        )


REGEXES = ("a+b", "(?:ab|ba){2,}", "[^a]b.?", "é|😀a", r"(?s)b.{2}\"", r"[^\x00-\x7f]{2}", "(?i)É")


def test_no_stop_no_search() -> None:
    assert Stops(SamplingParams(stop=[], stop_regex=None)).sought is None


def test_long_stop_strings_are_looked_for() -> None:
    """Strings don't count for the bound of regexes."""
    stops = ["ab" * 3_000, "é😀" * 2_000]
    assert shown(["x" + stops[1] + "y"], stop=stops)[0] == ["x"]
