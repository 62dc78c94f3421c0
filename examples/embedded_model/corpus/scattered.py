"""Texts that tell of several things of one kind, far apart among talk that states nothing: orders in a long report.

An entry is a line of `entries.tsv` in `texts.zip`: its kind, a tab, and a sentence with the marks of `scenes.py`.
Between entries stand lines of `talk.txt`. Every 6th line of both is held out for testing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from .filler import FillerWriter
from .scenes import SceneWriter
from .template_lines import HELD_OUT_EVERY, HELD_OUT_OFFSET
from .text_lines import read_table

MAX_CHARACTERS = 2300
DENSE_SHARE = 0.35  # of the texts: hardly any talk between the entries
NUMBERS_OF_ENTRIES = [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6]  # most pieces of a long text have none of what is asked for
OTHER_KIND_SHARE = 0.35  # of the texts: with things of another kind, which nobody asks for


@dataclass(frozen=True)
class EntryKind:
    """names: what a list of such entries is called; fields: what each has."""

    names: Sequence[str]
    fields: Sequence[str]


def _kind(names: str, fields: str) -> EntryKind:
    return EntryKind(names.split("|"), fields.split())


KINDS = {
    "orders": _kind("orders|requests|order_list", "customer product quantity city"),
    "purchases": _kind("purchases|items|bought", "product quantity price"),
    "staff": _kind("staff|people|employees", "name job_title company"),
    "people": _kind("people|persons|profiles", "name age city"),
    "appointments": _kind("appointments|meetings|calendar", "name date time"),
    "payments": _kind("payments|transfers|receipts", "customer amount date"),
    "complaints": _kind("complaints|cases|tickets", "customer product order_id"),
    "deliveries": _kind("deliveries|shipments", "product city delivery_date"),
    "vacancies": _kind("vacancies|jobs|positions", "job_title company salary"),
    "events": _kind("events|calendar|programme", "event venue date"),
    "contacts": _kind("contacts|phone_list|people", "name department phone"),
    "rentals": _kind("rentals|flats|homes", "address city price"),
    "parcels": _kind("parcels|shipments|orders", "order_id city status"),
    "offers": _kind("offers|products|articles", "product color price"),
    "visitors": _kind("visitors|guests", "name company time"),
    "bills": _kind("bills|invoices", "invoice_number vendor amount"),
    "members": _kind("members|people|registrations", "name email birth_date"),
    "repairs": _kind("repairs|jobs", "product customer price"),
    "speakers": _kind("talks|sessions|speakers", "name event time"),
    "finds": _kind("finds|objects|exhibits", "product material city"),
}


def unlike(kind: str) -> list[str]:
    """The kinds that share one field with it at most."""
    own = set(KINDS[kind].fields)
    return [other for other, entry in KINDS.items() if len(own & set(entry.fields)) <= 1]


def _kept(lines: list[str], held_out: bool) -> list[str]:
    return [line for i, line in enumerate(lines) if (i % HELD_OUT_EVERY == HELD_OUT_OFFSET) == held_out]


@cache
def entry_lines(kind: str, held_out: bool) -> list[str]:
    """The sentences of a kind that training uses, or those held out."""
    lines = read_table("entries.tsv").splitlines()
    return _kept([text for own, text in (line.split("\t") for line in lines) if own == kind], held_out)


@cache
def talk_lines(held_out: bool) -> list[str]:
    """The sentences that state nothing, those of training or those held out."""
    return _kept(read_table("talk.txt").splitlines(), held_out)


class ScatteredWriter:
    """Writes one text. held_out: of lines and words that training does not use."""

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        self.rng = rng
        self.held_out = held_out
        self.filler = FillerWriter(rng, "en", held_out)

    def write(self, kind: str) -> tuple[str, list[dict[str, str]]]:
        """A text, and for each entry the JSON text of each field of the kind, "null" for what it does not say."""
        entries = [self._entry(kind) for _ in range(self.rng.choice(NUMBERS_OF_ENTRIES))]
        told = [text for text, _ in entries]
        if self.rng.random() < OTHER_KIND_SHARE:
            for _ in range(self.rng.choice([1, 1, 2])):
                told.insert(self.rng.randint(0, len(told)), self._entry(self.rng.choice(unlike(kind)))[0])
        most = 1 if self.rng.random() < DENSE_SHARE else 12
        left = MAX_CHARACTERS - sum(map(len, told))
        parts = self._talk(left // (len(told) + 1), self.rng.randint(0 if told else 1, most))
        for text in told:
            parts += [text, *self._talk(left // (len(told) + 1), self.rng.randint(0, most))]
        joints = self.rng.choice([[" "], [" ", " ", "\n"], [" ", "\n\n"], ["\n"], [" ", " ", " ", "\n\n"]])
        return "".join(part + self.rng.choice(joints) for part in parts).strip(), [facts for _, facts in entries]

    def _entry(self, kind: str) -> tuple[str, dict[str, str]]:
        writer = SceneWriter(self.rng, "en", self.held_out)
        text = writer.written(self.rng.choice(entry_lines(kind, self.held_out)))
        return text, {name: writer.facts.get(name, json.dumps(None)) for name in KINDS[kind].fields}

    def _talk(self, max_characters: int, num_sentences: int) -> list[str]:
        """So many sentences, or as many as fit."""
        sentences: list[str] = []
        for _ in range(num_sentences):
            is_line = self.rng.random() < 0.7
            sentence = self.rng.choice(talk_lines(self.held_out)) if is_line else self.filler.sentence()
            max_characters -= len(sentence) + 1
            if max_characters < 0:
                break
            sentences.append(sentence)
        return sentences
