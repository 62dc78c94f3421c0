"""Values of documents, as they stand in the text and in the answer."""

from __future__ import annotations

import datetime as dt
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from examples.embedded_model.corpus import natural_words, pools
from examples.embedded_model.corpus.natural_values import CURRENCIES, GROUP_MARKS, MONTHS, NaturalMaker

LANGUAGES = ("en", "de", "fr", "es")
SPANISH_MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split()
MONTH_NAMES = {**MONTHS, "es": SPANISH_MONTHS}
AND = {"en": "and", "de": "und", "fr": "et", "es": "y"}
YES_NO = {"en": ["yes|no", "Y|N", "true|false", "x|-"], "de": ["ja|nein", "J|N"], "fr": ["oui|non"], "es": ["sí|no"]}
FLAGS = ["low|normal|high", "L||H", "low||high", "-||+", "↓||↑", "below|within|above", "L|N|H"]
POSTAL_CODES = ["#####", "#####", "####", "### ##", "## ###", "#### KD", "WN# #RT", "D# #QX"]  # "#": a digit
WRITERS: dict[str, Callable[[NaturalMaker], str]] = {
    "person": NaturalMaker.person,
    "first": NaturalMaker._first_name,
    "company": NaturalMaker.company,
    "city": NaturalMaker.city,
    "street": NaturalMaker.street,
    "product": NaturalMaker.product,
    "brand": NaturalMaker.brand,
    "venue": NaturalMaker.venue,
    "event": NaturalMaker.event,
    "email": NaturalMaker.email,
    "phone": NaturalMaker.phone,
    "country": lambda maker: maker.rng.choice(pools.COUNTRIES),
    "job": lambda maker: maker.rng.choice(natural_words.JOBS + pools.JOBS),
    "code": lambda maker: maker.code(["No", "A", "REF", "K"]),
    "postal": lambda maker: _digits(maker.rng, maker.rng.choice(POSTAL_CODES)),
    "url": lambda maker: maker.rng.choice(["www.", "https://", "https://www.", ""]) + maker.email().partition("@")[2],
}


@dataclass(frozen=True)
class Value:
    """text: as the document writes it; data: in the answer. A missing one has None."""

    text: str
    data: Any


def ways(source: str, language: str) -> list[str]:
    """The ways to say something in a language: languages stand between " / ", ways between bars."""
    parts = source.split(" / ")
    return parts[min(LANGUAGES.index(language), len(parts) - 1)].split("|")


class Values:
    """Makes the values of one document. All its dates, numbers and flags are written alike."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self.rng = rng
        self.language = language
        self.maker = NaturalMaker(rng, False, "fr" if language == "es" else language)
        self.comma = language != "en" if rng.random() < 0.85 else language == "en"
        self.group_mark = rng.choice(["", ".", " "] if self.comma else GROUP_MARKS["en"])
        _, self.currency, styles = rng.choice(CURRENCIES[self.maker.language])
        self.money_style = rng.choice(styles)
        self.date_style = rng.randrange(8)
        self.yes_no = rng.choice(YES_NO[language]).split("|")
        self.flags = rng.choice(FLAGS).split("|")
        self.clock_style = rng.choice(["{:02}:{:02}", "{}:{:02}", "{:02}.{:02}" if language == "de" else "{:02}:{:02}"])

    def make(self, spec: dict[str, Any], row: dict[str, Value], *, is_bare: bool = False) -> Value:
        """A value of a field. row: the values before it in its row; is_bare: sums of money without the currency."""
        kind, *args = spec["is"].split(":")
        if kind in WRITERS:
            text = " ".join(WRITERS[kind](self.maker).split())
            return Value(text, text)
        if kind == "word":
            return Value(text := self.rng.choice(args[0].split("|")), text)
        made: Value = getattr(self, f"_{kind}")(spec, args, row)
        if kind == "money" and not is_bare:
            return Value(self.money_style.format(made.text), made.data)
        return made

    def _written(self, number: str) -> str:
        whole, _, decimals = number.partition(".")
        if len(whole) > 3:
            whole = f"{int(whole):,}".replace(",", self.group_mark)
        return f"{whole}{',' if self.comma else '.'}{decimals}" if decimals else whole

    def _money(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        least, most = max(float(args[0]), 0.5), float(args[1])
        amount = least * (most / least) ** self.rng.random()
        number = f"{amount:.2f}" if self.maker.has_cents else str(max(1, round(amount)))
        return Value(self._written(number), _plain(number))

    def _number(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        number = f"{self.rng.uniform(float(args[0]), float(args[1])):.{self.rng.randint(0, int(args[2]))}f}"
        return Value(self._written(number), _plain(number))

    def _int(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        number = self.rng.randint(int(args[0]), int(args[1]))
        return Value(str(number), number)

    def _reading(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        number = f"{10 ** self.rng.uniform(-1, 2.5):.{self.rng.randint(0, 2)}f}"
        return Value(self._written(number), _plain(number))

    def _range(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        """A range in which the row's result lies, or above or below it."""
        result = float(next(value.data for value in row.values() if isinstance(value.data, int | float)))
        factors = self.rng.choice([(0.6, 1.7), (0.5, 1.3), (0.8, 1.4), (1.2, 2.5), (0.3, 0.8)])
        ends = [_plain(f"{max(result, 0.1) * factor:.2g}") for factor in factors]
        low, high = (self._written(json.dumps(end)) for end in ends)
        text = self.rng.choice([f"{low} - {high}", f"{low}-{high}", f"{low} .. {high}"])
        return Value(text, text)

    def _flag(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        low, high = (float(part.replace(",", ".")) for part in re.split(r" ?(?:-|\.\.) ?", row["range"].text))
        result = float(row["result"].data)
        place = 0 if result < low else 2 if result > high else 1
        return Value(self.flags[place], ("low", "normal", "high")[place])

    def _date(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        first, last = int(args[0]), int(args[1])
        date = dt.date(self.rng.randint(first, last), self.rng.randint(1, 12), self.rng.randint(1, 28))
        return Value(self._written_date(date), date.isoformat())

    def _written_date(self, date: dt.date) -> str:
        name = MONTH_NAMES[self.language][date.month - 1]
        if self.date_style == 0:
            return date.isoformat()
        if self.language == "de":
            numeric = f"{date:%d.%m.%Y}" if self.date_style < 3 else f"{date.day}.{date.month}.{date.year}"
            return numeric if self.date_style < 4 else f"{date.day}. {name} {date.year}"
        if self.date_style < 3 and (self.language != "en" or date.day > 12):
            return f"{date:%d/%m/%Y}" if self.date_style == 1 or self.language != "en" else f"{date:%m/%d/%Y}"
        if self.language == "fr":
            return f"{'1er' if date.day == 1 else date.day} {name} {date.year}"
        if self.language == "es":
            return f"{date.day} de {name} de {date.year}"
        short = name[:3] if self.date_style == 7 else name
        return f"{name} {date.day}, {date.year}" if self.date_style < 5 else f"{date.day} {short} {date.year}"

    def _time(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        hour, minute = self.rng.randint(7, 22), self.rng.choice([0, 0, 15, 30, 45, 10, 50])
        text = self.clock_style.format(hour, minute)
        return Value(text, text)

    def _bool(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        is_true = self.rng.random() < 0.5
        return Value(self.yes_no[0 if is_true else 1], is_true)

    def _enum(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        name = self.rng.choice([*spec["options"]])
        return Value(self.rng.choice(ways(spec["options"][name], self.language)), name)

    def _currency(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        return Value("", self.currency)

    def _people(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        return self._list([self.maker.person() for _ in range(self.rng.choice([1, 2, 2, 3, 3, 4, 5]))])

    def _words(self, spec: dict[str, Any], args: list[str], row: dict[str, Value]) -> Value:
        options = args[0].split("|")
        return self._list(self.rng.sample(options, self.rng.randint(1, min(6, len(options)))))

    def _list(self, words: Sequence[str]) -> Value:
        joint = self.rng.choice([", ", ", ", "; ", " / "])
        last = f" {AND[self.language]} " if joint == ", " and self.rng.random() < 0.5 else joint
        text = words[0] if len(words) == 1 else joint.join(words[:-1]) + last + words[-1]
        return Value(text, list(words))


def _digits(rng: random.Random, shape: str) -> str:
    """The shape with digits for its "#"; the first one is not 0."""
    first = shape.replace("#", str(rng.randint(1, 9)), 1)
    return re.sub("#", lambda _: str(rng.randint(0, 9)), first)


def _plain(number: str) -> int | float:
    """A written number as JSON has it: 12 for "12.00"."""
    value = float(number)
    return int(value) if value == int(value) else value
