"""DFA states as sets of positions, made by kernels, against those made from derivatives: the same, byte by byte."""

from __future__ import annotations

import random

import pytest

from guided.grammars.errors import LimitExceededError
from guided.grammars.json_schema import format_hosts
from guided.grammars.machine import layout as at
from guided.grammars.machine.lexemes import lazy_dfas
from guided.grammars.machine.lexemes.lazy_dfas import Kind, LazyDfas
from guided.grammars.machine.lexemes.trie_kernels import BYTE_CLASSES, ODD, WIDE
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma
from guided.grammars.regex.algebra import Language
from guided.grammars.regex.charset import ALL, complement, from_chars

CHARSETS = (
    from_chars("a"),
    from_chars("ab"),
    from_chars("0123456789"),
    from_chars('"\\\n\x01\x1f'),
    complement(from_chars('"\\')),
    complement(from_chars("a\n\x02")),
    ALL,
    from_chars("aéß€日本😀"),
    complement(from_chars("é\n\u2028\u2029")),
    ((0x30, 0x39), (0x370, 0x3FF), (0x4E00, 0x9FFF), (0x1F600, 0x1F64F)),
)
WORDS = ("", "a", "ab", "ba", "abc", '"', "\\", "\n", "\x1f", "0", "12", "é", "a日", "😀b")
ASCII = [charset for charset in CHARSETS if charset[-1][1] < 0x80]


class _FromDerivatives(LazyDfas):
    """All states are tuples of Languages: the reference."""

    def _first_set(self, languages: tuple[Language, ...], kind: Kind) -> int | None:
        return None


def _language(rng: random.Random, depth: int, is_number: bool) -> Language:
    """A random Language without product and complement."""
    shape = rng.randrange(6) if depth else rng.randrange(2)
    if shape == 0:
        return lang.chars(rng.choice(ASCII if is_number else CHARSETS))
    if shape == 1:
        return lang.words(rng.sample(WORDS, rng.randrange(1, 4)))
    if shape == 2:
        low = rng.randrange(4)
        high = rng.choice([None, low + rng.randrange(1, 6)])
        return lang.repeat(_language(rng, depth - 1, is_number), low, high)
    parts = [_language(rng, depth - 1, is_number) for _ in range(rng.randrange(2, 4))]
    return lang.union(*parts) if shape == 3 else lang.concat(*parts)


def _row(lexemes: LazyDfas, state: int) -> list[int]:
    return [int(entry) for entry in lexemes.text_row(state)]


def _follow(lexemes: LazyDfas, state: int, text: bytes) -> int:
    for byte in text:
        state = _row(lexemes, state)[byte]
    return state


def _compare(languages: tuple[Language, ...], kind: Kind, most: int = 300) -> int:
    """Walk both automata in step from the start; how many pairs of states were met."""
    sets, reference = LazyDfas(), _FromDerivatives()
    start = sets.state(languages, kind), reference.state(languages, kind)
    assert sets.dfa.set_of[start[0]].count, "it should be a set"
    seen, waiting = {start}, [start]
    while waiting and len(seen) < most:
        ours, theirs = waiting.pop()
        state, other = sets.dfa.states[ours], reference.dfa.states[theirs]
        assert (state.accepts, state.is_between) == (other.accepts, other.is_between)
        rows = _row(sets, ours), _row(reference, theirs)
        if kind != "number" and sets.is_between(ours):
            _check_loops(sets, ours, rows[0])
        for byte, pair in enumerate(zip(*rows, strict=True)):
            if min(pair) < 0:
                assert pair[0] == pair[1], (languages, byte, pair)
            elif pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return len(seen)


def _check_loops(lexemes: LazyDfas, state: int, row: list[int]) -> None:
    """Kinds of ASCII bytes are loops where all of their bytes lead back; kinds of others only where all others do."""
    for kind in {int(kind) for kind in BYTE_CLASSES}:
        stays = all(row[byte] == state for byte in range(128) if BYTE_CLASSES[byte] == kind)
        assert bool(lexemes.dfa.loops.data[state] & kind) == stays
    assert not lexemes.dfa.loops.data[state] & ODD or lexemes.dfa.loops.data[state] & WIDE
    for char in "\u00c0\u167f\u16c0\u1fff\u2080\u2fff\u3040\ud7ff\ufebf\uff00\uffff\U00010000\U0010ffff":
        assert not lexemes.dfa.loops.data[state] & WIDE or _follow(lexemes, state, char.encode()) == state, hex(
            ord(char)
        )
    for char in "\x80\xbf\u1680\u2028\u3000\ufeff":
        assert not lexemes.dfa.loops.data[state] & ODD or _follow(lexemes, state, char.encode()) == state
    assert not lexemes.dfa.loops.data[state] & WIDE or row[0xC2] != at.DEAD


@pytest.mark.parametrize(
    ("pattern", "text", "kinds"),
    [
        ("^.*$", "", WIDE),  # all but U+2028 and U+2029, of these characters
        (r"^\S*$", "a", WIDE),
        (r"^(?:\S+\s+){0,9}\S+$", "ab cd", WIDE),
        (r"^\s*$", "", 0),
        (r"^[^\x80-\xbf]*$", "", 0),  # a token of the byte C2 alone must not come
        (r"^[^\x81-\xbf]*$", "", WIDE),
        (r"^[^\n]*$", "", WIDE | ODD),
        (r"^(?!.*xyz)\S*$", "a", WIDE),  # a product
        (r"^(?!.*[ぁ-ん]y)\S*$", "a", 0),  # a product that tells some of them apart
    ],
)
@pytest.mark.parametrize("kind", ["string", "text"])
@pytest.mark.parametrize("automaton", [LazyDfas, _FromDerivatives])
def test_usual_characters_are_loops(automaton: type[LazyDfas], kind: Kind, pattern: str, text: str, kinds: int) -> None:
    """Where the characters that Unicode's spaces are among lead elsewhere, all others may still lead back."""
    lexemes = automaton()
    state = _follow(lexemes, lexemes.state((ecma.search(pattern),), kind), text.encode())
    row = _row(lexemes, state)
    assert lexemes.dfa.loops.data[state] & (WIDE | ODD) == kinds
    _check_loops(lexemes, state, row)


@pytest.mark.parametrize("seed", range(60))
def test_random_languages(seed: int) -> None:
    rng = random.Random(seed)
    kind: Kind = rng.choice(["text", "string", "number"])
    language = _language(rng, 3, kind == "number")
    if language is not lang.NOTHING:
        _compare((language,), kind)


@pytest.mark.parametrize("kind", ["string", "number"])
def test_several_languages(kind: Kind) -> None:
    """Where a text may end, the entry or the field names its language."""
    languages = (lang.words(["1", "12"]), lang.repeat(lang.chars(from_chars("03")), 2, 5), lang.text("4"))
    assert _compare(languages, kind) > 8


@pytest.mark.parametrize(
    "strings", [["<a>"], ["aab", "ab"], ["abab", "ba"], ["a"], ["aaa"], ["<f=", "</f>", "<<"], ["abcd", "bc", "c\n"]]
)
def test_texts_without_strings(strings: list[str]) -> None:
    free = lang.complement(lang.concat(lang.ANYTHING, lang.words(strings), lang.ANYTHING))
    _compare((free,), "text")
    _compare((lang.concat(free, lang.text(strings[0])),), "text")
    _compare((lang.concat(lang.text("a"), free, lang.words(["b", "<x"])),), "string")


@pytest.mark.parametrize("seed", range(60))
def test_random_combinations(seed: int) -> None:
    """Intersections, differences and complements, also in the middle of others."""
    rng = random.Random(seed)
    parts = [_language(rng, 2, is_number=False) for _ in range(3)]
    join = rng.choice([lang.intersect, lang.difference, lang.union])
    combined = lang.intersect(join(parts[0], lang.complement(parts[1])), lang.complement(parts[2]))
    around = rng.choice(
        [combined, lang.complement(combined), lang.concat(lang.text("<"), combined, lang.words(["a", "2"]))]
    )
    if not lang.is_empty(around):
        _compare((around,), rng.choice(["text", "string"]), 150)


def test_combinations_of_several_languages() -> None:
    """As of keys that two patterns tell apart."""
    words = lang.repeat(lang.chars(from_chars("abc012")), 1)
    digits = lang.concat(lang.ANYTHING, lang.chars(from_chars("0123456789")), lang.ANYTHING)
    cells = (lang.intersect(words, digits), lang.difference(words, digits), lang.difference(digits, words))
    assert _compare(cells, "string") > 8


def test_combinations_of_many_states_are_made_where_a_text_gets() -> None:
    """The texts that hold some words and do not end with others: thousands of states, of which a text meets a few."""
    holding = [lang.concat(lang.ANYTHING, lang.text(word), lang.ANYTHING) for word in ("admin", "maker", "operator")]
    others = [
        lang.complement(lang.concat(lang.ANYTHING, lang.text(word))) for word in ("abcdefgh", "cdefghij", "ghijkl")
    ]
    lexemes = LazyDfas()
    state = lexemes.state((lang.intersect(*holding, *others),), "string")
    for byte in b"administrator":
        state = _row(lexemes, state)[byte]
    assert lexemes.dfa.set_of[state].count
    assert lexemes.num_states < 400


def test_combinations_without_a_text() -> None:
    """Alone, beside others, and where others stand before them."""
    words = lang.repeat(lang.words(["ab", "cd"]), 1)
    nothing = lang.intersect(words, lang.concat(lang.ANYTHING, lang.text("ac"), lang.ANYTHING))
    assert lang.is_empty(nothing)
    lexemes = LazyDfas()
    state = lexemes.state((lang.union(lang.concat(lang.text("x"), nothing), lang.text("y")),), "text")
    row = _row(lexemes, state)
    assert [byte for byte in range(256) if row[byte] != at.DEAD] == [ord("y")]
    state = lexemes.state((lang.text("z"), nothing), "string")
    row = _row(lexemes, state)
    assert [byte for byte in range(256) if row[byte] != at.DEAD] == [ord("z")]


def test_how_many_characters_come_before_the_end() -> None:
    """Of strings whose characters are counted."""
    lexemes = LazyDfas()
    language = ecma.search("^é{2,5}(日.|😀)(ab|c)$")
    state = lexemes.counted_state(language)
    assert lexemes.dfa.set_of[state].count
    assert lexemes.shortest(state) == 4
    for char, expected in (("é", 3), ("é", 2), ("é", 2), ("日", 2), ("é", 1), ("a", 1), ("b", 0)):
        state = _follow(lexemes, state, char.encode())
        assert lexemes.shortest(state) == expected


def test_counted_repeats_share_their_ends() -> None:
    """A bound of 50 takes 50 states, not 50 for each configuration that it is met at."""
    lexemes = LazyDfas()
    digits = lang.repeat(lang.chars(from_chars("0123456789")), 0, 50)
    for start in ("x", "y", "zz"):
        state = lexemes.state((lang.concat(lang.text(start), digits),), "text")
        for byte in start.encode() + b"1" * 50:
            state = _row(lexemes, state)[byte]
        assert state == lexemes.state((lang.EMPTY_TEXT,), "text")
    assert lexemes.num_states < 70


def test_rooms_grow() -> None:
    """Far more states and sets than there is room for at first."""
    lexemes = LazyDfas()
    language = lang.concat(lang.repeat(lang.chars(ALL), 0, 900), lang.text("b"))
    state = lexemes.state((language,), "text")
    for _ in range(900):
        state = _row(lexemes, state)[ord("a")]
    assert _row(lexemes, state)[ord("a")] == at.DEAD
    assert lexemes.may_end(_row(lexemes, state)[ord("b")])
    assert lexemes.num_states > 1700


def test_there_are_never_more_states_than_other_tables_have_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels add states by themselves, hundreds in a row; `LexemeEnds` has tables for MAX_STATES."""
    monkeypatch.setattr("guided.grammars.machine.lexemes.lazy_dfas.MAX_STATES", 1024)
    lexemes = LazyDfas()
    state = lexemes.state((lang.concat(lang.repeat(lang.chars(ALL), 0, 900), lang.text("b")),), "text")
    with pytest.raises(LimitExceededError, match="shared_automaton_states = 1024"):
        _follow(lexemes, state, b"a" * 900)
    assert 800 < lexemes.num_states <= 1024


@pytest.mark.parametrize(
    "language",
    [
        lang.repeat(lang.text("abc"), 0, 30_000),
        lang.words([f"word {number}" for number in range(200)]),
    ],
)
def test_the_others_are_made_from_derivatives(language: Language) -> None:
    lexemes = LazyDfas()
    assert not lexemes.dfa.set_of[lexemes.state((language,), "text")].count


@pytest.mark.parametrize("language", [format_hosts.hostname(), format_hosts.email()])
def test_host_names_are_not_made_from_derivatives(language: Language) -> None:
    lexemes = LazyDfas()
    assert lexemes.dfa.set_of[lexemes.state((language,), "string")].count


def test_many_words_in_others() -> None:
    words = lang.words([f"{first}-{second}" for first in "abcdefghijkl" for second in "0123456789é日"])
    _compare((lang.concat(lang.repeat(words, 1), lang.text("!")),), "string")
    _compare((lang.difference(lang.repeat(words, 0), lang.concat(words, words)),), "text")


@pytest.mark.parametrize("kind", ["string", "text"])
@pytest.mark.parametrize("automaton", [LazyDfas, _FromDerivatives])
def test_characters_are_spelled_in_utf8(automaton: type[LazyDfas], kind: Kind) -> None:
    """Each character leads to its own language, and none to that of others."""
    languages = [lang.concat(lang.chars(charset), lang.text(str(n))) for n, charset in enumerate(CHARSETS[-3:])]
    lexemes, language = automaton(), lang.union(*languages)
    state = lexemes.state((language,), kind)
    ends = "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"
    for char in [*ends, *"aéß€日本😀\u036f\u0370\u03ff\u0400\u4dff\u4e00\u9fff\ua000\U0001f5ff\U0001f600\U0001f64f"]:
        found = set()
        for digit in "012":
            here = state
            for byte in (char + digit).encode():
                here = _row(lexemes, here)[byte] if here >= 0 else at.DEAD
            found |= {digit} if here >= 0 else set()
        assert found == {
            str(n) for n, charset in enumerate(CHARSETS[-3:]) if any(low <= ord(char) <= high for low, high in charset)
        }


def test_more_languages_than_a_set_has_ends() -> None:
    """Of a string's languages: the entry of the quote has the number of the one that ends there."""
    lexemes = LazyDfas()
    state = lexemes.state(tuple([lang.text(f"é{number}") for number in range(40)]), "string")
    for number in (0, 15, 16, 39):
        assert _row(lexemes, _follow(lexemes, state, f"é{number}".encode()))[0x22] == at.FIRST_END - number


def test_a_language_without_texts_whose_emptiness_is_unknown() -> None:
    language = lang.intersect(lang.repeat(lang.words(["ab", "cd"]), 1, 3), lang.repeat(lang.words(["xy"]), 1, 3))
    assert language is not lang.NOTHING
    for kind in ("string", "text"):
        for automaton in (LazyDfas, _FromDerivatives):
            lexemes = automaton()
            assert set(_row(lexemes, lexemes.state((language,), kind))) == {at.DEAD}


@pytest.mark.parametrize(("num_characters", "num_words"), [(3000, 3), (9000, 1)])
def test_states_behind_characters_are_made_when_a_text_gets_there(num_characters: int, num_words: int) -> None:
    """Words with too many positions, which begin with thousands of characters."""
    words = [
        chr(0x4E00 + first) + f"{first * num_words + second:05}" + "x" * 8
        for first in range(num_characters)
        for second in range(num_words)
    ]
    lexemes = LazyDfas()
    state = lexemes.state((lang.words(words),), "text")
    lexemes.text_row(state)
    assert lexemes.num_states < 10
    assert lexemes.may_end(_follow(lexemes, state, words[-1].encode()))
    assert lexemes.num_states < 300


def test_a_row_that_another_thread_makes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the checkpoint before a row, the lock may go to a thread that makes the same row."""
    dfas = _FromDerivatives()
    dfas.text_row(dfas.state((ecma.full("(é|日)x"),), "text"))
    state = next(iter(dfas._unmade_inner_states))
    monkeypatch.setattr(lazy_dfas, "checkpoint", lambda: monkeypatch.undo() or dfas.build_row(state))
    row = dfas.text_row(state)
    num_states = dfas.num_states
    dfas.build_row(state)
    assert row.min() >= at.DEAD
    assert dfas.num_states == num_states
