"""No text of the measurements is in the texts of training: five words in a row that both have are looked for.

The texts of the measurements are the realistic ones and the documents of docs/quality.md. Values in training texts,
such as names, are not compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examples.embedded_model.corpus import filler, scenes, templates, text_lines, training_templates
from examples.embedded_model.corpus.nested_shapes import LISTINGS
from examples.extraction_adapter import layouts
from examples.extraction_adapter.documents import kinds
from examples.extraction_adapter.frames import frames
from examples.extraction_adapter.parties import TITLES as PARTY_TITLES
from examples.extraction_adapter.parties import parties
from examples.extraction_adapter.tables import REMARKS, TOTALS, themes
from examples.extraction_adapter.values import LANGUAGES, ways
from examples.quality.cases import read_cases

CASES = Path(__file__).parents[1] / "cases"
WORDS_IN_A_ROW = 5
SHARED = CASES / "shared_words.txt"  # the known runs that the corpus shares with the texts of the measurements
PIECE = re.compile(r"(?P<mark>[\[|\]])|(?P<value>\{[^{}]*\})|<\w+:|>|(?P<letters>[^\W\d_]+)|[\W\d_]")

Run = tuple[str, ...]


def runs_of(text: str) -> set[Run]:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return {tuple(words[i : i + WORDS_IN_A_ROW]) for i in range(len(words) - WORDS_IN_A_ROW + 1)}


def measured_runs() -> set[Run]:
    names = ["realistic_texts.jsonl", "realistic_texts_2.jsonl"]
    lines = [line for name in names for line in (CASES / name).read_text(encoding="utf-8").splitlines()]
    texts = [json.loads(line)["text"] for line in lines]
    texts += [case.task.document.text for case in read_cases("documents")]
    return set().union(*map(runs_of, texts))


class RunFinder:
    """Finds known runs in all texts that a line with choices can become: an Aho-Corasick automaton of words.

    A state is the words that may begin a known run, and the letters of the word that is being read. A value ends a run.
    """

    def __init__(self, known: set[Run]) -> None:
        self._known = known
        self._beginnings = {run[:length] for run in known for length in range(1, WORDS_IN_A_ROW)}
        self.found: set[Run] = set()

    def read(self, line: str) -> None:
        """Add the known runs of a line such as "[Hi|Hello] {name}, <item:this> [|one] is for you" to `found`."""
        start: set[tuple[Run, str]] = {((), "")}
        states, choices = start, []
        for piece in PIECE.finditer(line.lower()):
            if piece["mark"] == "[":
                choices.append((states, set()))
            elif piece["mark"] == "|" and choices:
                choices[-1][1].update(states)
                states = choices[-1][0]
            elif piece["mark"] == "]" and choices:
                states = states | choices.pop()[1]
            elif piece["letters"]:
                states = {(words, begun + piece["letters"]) for words, begun in states}
            elif piece["value"] or not piece[0].startswith(("<", ">")):
                states = {(self._with_word(*state), "") for state in states}
                states = start if piece["value"] else states
        for state in states:
            self._with_word(*state)

    def _with_word(self, words: Run, word: str) -> Run:
        """The state after a word has ended, "" for none."""
        words = (*words, word) if word else words
        if words in self._known:
            self.found.add(words)
        while words and words not in self._beginnings:
            words = words[1:]
        return words


def corpus_lines() -> Iterator[str]:
    """The lines with choices from which the embedded model's corpus makes its texts."""
    for name in ("en.tsv", "de.tsv", "fr.tsv", "entries.tsv"):
        yield from (line.split("\t")[1] for line in text_lines.read_table(name).splitlines())
    yield text_lines.read_table("talk.txt")
    yield from (listing.intros for listing in LISTINGS)
    for pattern in filler.PATTERNS.values():
        yield re.sub(r"\[[na]\]", "{word}", pattern)
    yield from (f"[{options}]" for options in (*scenes.HELLO.values(), *scenes.BYE.values()))
    for blocks in (templates.TEMPLATES, training_templates.TRAINING_TEMPLATES):
        yield from (block for pair in blocks.values() for block in pair)
    yield from (templates.SMALL_TALK, training_templates.SMALL_TALK)


def texts_of_kinds() -> Iterator[str]:
    """All that a document of the adapter says beside its values."""

    def strings(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for inner in part.values():
                yield from strings(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from strings(inner)
        elif isinstance(part, str):
            yield from (way for language in LANGUAGES for way in ways(part, language))

    yield from strings(kinds())
    yield from strings(kinds(held_out=True))
    yield from strings(themes())
    for frame in frames():
        yield from re.split(r"\{(?:\w+|rows:[^?]*?)\}|\{\w+\?|[|}]", frame["text"])
    yield from strings([*parties()["texts"], parties()["details"]])
    for source in (
        PARTY_TITLES,
        REMARKS,
        TOTALS,
        layouts.GREETINGS,
        layouts.ENDINGS,
        layouts.LINES,
        "|".join(layouts.SPANISH),
    ):
        yield from strings(source)


def test_a_finder_reads_all_choices() -> None:
    finder = RunFinder(runs_of("we know that you are here") | runs_of("it is all the same"))
    finder.read("so [they|we [|] know] that [he is|<who:you> are] ther[e|here]")
    assert finder.found == {("we", "know", "that", "you", "are")}
    finder.read("It {WORD} is all the same, it is; all the {N} same")
    assert len(finder.found) == 1
    finder.read("[un|]known that you a[re|m] [t|]here - it is all the same")
    assert finder.found == {("we", "know", "that", "you", "are"), ("it", "is", "all", "the", "same")}


def test_documents_of_the_adapter_share_nothing() -> None:
    known = measured_runs()
    for text in texts_of_kinds():
        assert not runs_of(text) & known, text


def test_the_corpus_of_the_embedded_model_shares_known_runs_only() -> None:
    """`shared_words.txt` has them. A new line with another one fails here."""
    finder = RunFinder(measured_runs())
    for lines in corpus_lines():
        for line in lines.splitlines():
            finder.read(line)
    assert sorted(map(" ".join, finder.found)) == SHARED.read_text(encoding="utf-8").splitlines()
