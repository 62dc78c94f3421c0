"""Values as people write them: names of many countries, things, halls, and numbers and dates of three languages.

A `NaturalMaker` makes the values of one realistic text (`scenes.py`); its language decides how numbers, dates, times,
streets and sums of money are written.
"""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections.abc import Callable
from functools import cache

from . import natural_words as words
from . import pools
from .values import Value, ValueMaker, text_value

NATURAL_SHARE = 0.8  # of the words that stand in a list as they are; the others are invented like those of `ValueMaker`
CURRENCIES = {  # language -> (weight, currency, ways to write an amount)
    "en": [
        (6, "USD", ["${}", "${}", "$ {}", "{} dollars", "{} USD", "USD {}", "US$ {}", "{} bucks"]),
        (6, "EUR", ["€{}", "{} €", "{} euros", "{} EUR", "EUR {}", "{} euro"]),
        (6, "GBP", ["£{}", "£{}", "{} pounds", "{} GBP", "GBP {}", "{} quid"]),
        (2, "CHF", ["CHF {}", "{} francs", "{} Swiss francs", "{} CHF"]),
        (1, "SEK", ["{} SEK", "SEK {}", "{} Swedish kronor"]),
        (1, "NOK", ["{} NOK", "NOK {}"]),
        (1, "DKK", ["{} DKK", "DKK {}"]),
        (1, "PLN", ["{} PLN", "{} zloty", "{} zł"]),
        (1, "CZK", ["{} CZK", "{} Czech crowns", "{} Kč"]),
        (1, "CAD", ["CAD {}", "C${}", "{} Canadian dollars"]),
        (1, "AUD", ["AUD {}", "A${}", "{} Australian dollars"]),
        (1, "INR", ["₹{}", "{} rupees", "INR {}"]),
        (1, "JPY", ["¥{}", "{} yen", "JPY {}"]),
    ],
    "de": [
        (8, "EUR", ["{} €", "{} €", "{} Euro", "{} EUR", "EUR {}", "€ {}"]),
        (2, "CHF", ["CHF {}", "{} Franken", "Fr. {}", "{} CHF"]),
    ],
    "fr": [
        (8, "EUR", ["{} €", "{} €", "{} euros", "{} EUR", "{}€"]),
        (2, "CHF", ["CHF {}", "{} francs", "{} CHF"]),
    ],
}
CURRENCY_NAMES = sorted({currency for styles in CURRENCIES.values() for _, currency, _ in styles})
GROUP_MARKS = {"en": [",", ",", ",", ""], "de": [".", ".", ""], "fr": [" ", " ", ""]}
MONTHS = {
    "en": pools.MONTHS,
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
}
WEEKDAYS = {
    "en": pools.WEEKDAYS,
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
}
SPOKEN_TIMES = {
    "en": "noon|midnight|half past {h}|quarter past {h}|quarter to {h}|{h} o'clock|{h}|{h}",
    "de": "halb {h}|viertel nach {h}|{h} Uhr",
    "fr": "midi|{h} heures",
}
HOURS = {
    "en": "one two three four five six seven eight nine ten eleven".split(),
    "de": "eins zwei drei vier fünf sechs sieben acht neun zehn elf".split(),
    "fr": "deux trois quatre cinq six sept huit neuf dix onze".split(),
}
STREETS = {  # {w}: a word with a capital, {l}: a last name, {n}: a number
    "en": """{n} {w} Street|{n} {w} Road|{n} {w} Lane|{n} {w} Close|{n} {w} Avenue|{n} {w} Drive|{n} {w} Terrace|{n} {l} Way
        Flat {n}, {n} {w} Road|{w} Road {n}|{n} {w} St|{n} {w} Ave|{w} House, {n} {l} Street|{n} {w} Crescent|{n} {l} Court""",
    "de": """{w}straße {n}|{w}weg {n}|{w}gasse {n}|{w}str. {n}|Am {w} {n}|{l}-Straße {n}|{w}platz {n}|{w}allee {n}|An der {w} {n}|{w}ring {n}""",
    "fr": """{n} rue {l}|{n} rue des {w}s|{n}, rue de la {w}|{n} avenue {l}|{n} quai {l}|{n} bis, rue {l}|{n} place {l}|{n} chemin des {w}s""",
    "other": """Via {l} {n}|Calle {w} {n}|Rua {w} {n}|{w}gata {n}|{w}veien {n}|{w}gracht {n}|{w}laan {n}|ul. {w} {n}|{w} utca {n}|{w}straat {n}""",
}

COMPANY_FORMS = {  # language -> legal forms behind a company's name
    "en": "Ltd|Ltd.|Limited|Inc.|Inc|LLC|LLP|plc|PLC|Corp.|Co.|& Co.|Pty Ltd|Group|Holdings|International|(UK) Ltd|of London",
    "de": "GmbH|GmbH|GmbH & Co. KG|AG|KG|OHG|e.K.|e.V.|UG|eG|mbH|SE|Gruppe|& Partner|GbR|Holding AG",
    "fr": "SA|SARL|SAS|SASU|S.A.|S.à r.l.|SCOP|et Fils|& Cie|EURL|Frères|Groupe|et Associés",
    "other": "S.p.A.|S.r.l.|S.L.|S.A.|Lda.|Ltda.|B.V.|N.V.|AB|A/S|ApS|AS|Oy|Oyj|sp. z o.o.|s.r.o.|a.s.|Kft.|d.o.o.|A.Ş.|EOOD|Pvt. Ltd.|K.K.",
}
COMPANY_SHAPES = """{l} & {l}|{l} and {l}|{l} & Sons|{l} & Daughters|{l} Brothers|Gebr. {l}|{l} et Fils|{l} y Asociados|{l} & Töchter
    Fratelli {l}|Hermanos {l}|{f} {l}|{f} {l} {t}|{l} {t}|{l} {l} {t}|{l}-{l} {t}|{c} {t}|{c} {w} {t}|{w} {t}|{w} & {w}|{w} and {w} {t}|{t} {c}|{f}'s {t}
    The {w} {t} Company|The {w}|{c} & District {t}|{w}{n}|{w} {n}|{w}-{w}|{w}{w}|{b}|{b} {t}|{b} {c}|{w} on {w} Street|First {c} {t}|Old {w} {t}"""
PRODUCT_SHAPES = """{p} {m}|{w} {m}|{w} {m} {p}|{p} "{w}"|{w} {p} {k}|{p} {w} {n}|{w} {n} {p}|{a} {p}|{a} {a} {p}|{p} {k}|{p} {n} cm|{p} {n} mm
    {n}-piece {p}|{p} set|{p} (used)|{p} size {z}|{p} no. {n}|{p} type {z}|{p} for {h}|{w} {w} {n}|The {w} {p}|{p} with {q}|{p} {w}|{p}/{p}"""
EVENT_SHAPES = """{y} {e}|{e} {y}|{o} {e}|{o} {c} {e}|{c} {e}|{c} {e} {y}|{w} {e}|{l} {e}|{e} for beginners|{e} for {t}|{e} at dusk|{e}: {t}|{t} {e}|big {e}|second {e}
    {t} {y}|{t} in {c}|{t} of {c}|The {w} {e}|{w} Days|{w} Week {y}|{c} Week of {t}|{t} from A to Z|All about {t}|{t} or {t}?|{t} without {t}|{n} years of {t}|Talking {t}
    Living with {t}|{t}: a short history|Meet the {w}|Beyond {t}|A night of {t}|{l} Lecture|{l} Memorial Concert|{l} Cup|{l}-{l} wedding|{f}'s {e}"""
CITY_SHAPES = """Bad {c}|New {c}|Nieuw-{c}|St. {f}|Saint-{f}|San {f}|Sankt {f}|{c}-on-Sea|{c} am See|{c}-sur-Mer|{c} Bay|{c} Heights|Upper {c}|Lower {c}|{c} Nord
    {w}ton|{w}ham|{w}wick|{w}bridge|{w}hausen|{w}dorf|{w}heim|{w}ville|{w}stad|{w}sund|{w}ów|{w}ice|Little {w}|{w} Green|Port {l}|Fort {l}|Mount {w}|{c}-{w}"""
LONGER_SHARE = 0.2  # of the words of the fields below: with more words around them
LONGER = {  # field -> shapes; {k}: a word of its list, {w}: a word with a capital, {l}: a last name, {n}: a number
    "color": """light {k}|dark {k}|pale {k}|deep {k}|bright {k}|soft {k}|dusty {k}|matt {k}|glossy {k}|metallic {k}|{k} metallic|{k}/{k}|{k}-{k}|{w} {k}
        {k} matt|{k} no. {n}|{k} with {k} stripes|{k} with a {k} lid|{k} striped|{k} checked|washed {k}|antique {k}|neon {k}|almost {k}|{k} melange""",
    "material": """recycled {k}|solid {k}|brushed {k}|polished {k}|untreated {k}|oiled {k}|{k} blend|{k} veneer|{k} mesh|{w} {k}|{k}/{k}|coated {k}
        {k} on {k}|hand-woven {k}|{l} {k}|old {k}|soft {k}|{k} with {k} lining|imitation {k}""",
    "department": """{k} {n}|{w} {k}|{k} team|{k} unit|{k} office|{k} section|{k} {w}|{l} {k}|{k} North|{k} South|global {k}|{k} support|group {k}|{k} & {k}""",
    "job_title": """senior {k}|junior {k}|deputy {k}|trainee {k}|assistant {k}|freelance {k}|part-time {k}|{k} in training|chief {k}|{w} {k}|lead {k}|{k} (m/f)
        second {k}|night-shift {k}|mobile {k}|{k} for {w}|travelling {k}|self-employed {k}|{k} level {n}|certified {k}|visiting {k}""",
    "venue": """{k} {n}|{w} {k}|{l} {k}|{k} of the {w}|old {k}|new {k}|upper {k}|lower {k}|{k} on {w} Street|{k} {w}|{k} by the {k}|{k} no. {n}|big {k}|little {k}
        {l}'s {k}|{k} {l}|{w} & {w}|Chez {l}|{w} {n}|{k} in the {k}|{k} at {w} House|{k} (floor {n})|former {k}|{w}{k}""",
}
ORDINALS = (
    "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th 20th 21st 30th 50th 100th annual first second third".split()
)
SIZES = "XS S M L XL XXL 36 38 40 42 44 46 A B C D".split()
PACKS = "2-pack|pair|5 kg|10 kg|25 kg|500 g|250 ml|1 l|5 l|2 m|6 pcs|12-pack|box of 10|20 W|230 V|A4|A3|XL|mini|left|right".split(
    "|"
)


@cache
def _options(source: str) -> tuple[str, ...]:
    return tuple([option.strip() for option in source.replace("\n", "|").split("|") if option.strip()])


class NaturalMaker(ValueMaker):
    """The values of one realistic text in `language` ("en", "de", "fr")."""

    def __init__(self, rng: random.Random, held_out: bool, language: str = "en") -> None:
        self.language = language
        super().__init__(rng, held_out)
        weights = [weight for weight, _, _ in CURRENCIES[language]]
        _, self.currency, styles = rng.choices(CURRENCIES[language], weights)[0]
        self.money_style = "{}" if rng.random() < 0.04 else rng.choice(styles)
        self.group_mark = rng.choice(GROUP_MARKS[language])
        self.has_cents = self.currency != "JPY" and rng.random() < 0.6
        is_continental = language != "en" or (self.currency in ("EUR", "CHF", "PLN", "SEK") and rng.random() < 0.25)
        self.decimal_mark = "," if is_continental else "."
        if is_continental and self.group_mark == ",":
            self.group_mark = "."
        self.date_style = rng.randrange(6)

    def _pick(self, words: list[str]) -> str:
        if self.held_out or self.rng.random() < NATURAL_SHARE:
            return pools.pick(self.rng, words, self.held_out)
        return super()._pick(words)

    def _first_name(self) -> str:
        if self._chance(0.12):
            return pools.syllables(self.rng, 1, 3)
        if self.rng.random() < 0.04:
            return f"{self._pick(words.FIRST_NAMES)}-{self._pick(words.FIRST_NAMES)}"
        return self._pick(self.rng.choice([*2 * [words.FIRST_NAMES], pools.FEMALE_NAMES + pools.MALE_NAMES]))

    def _last_name(self) -> str:
        if self._chance(0.2):
            return self.rng.choice(["", "", "", "Mc", "O'", "van ", "de ", "El "]) + pools.syllables(self.rng, 1, 3)
        if self.rng.random() < 0.05:
            return f"{self._pick(words.LAST_NAMES)}{self.rng.choice('- ')}{self._pick(words.LAST_NAMES)}"
        return self._pick(self.rng.choice([*2 * [words.LAST_NAMES], pools.LAST_NAMES]))

    def person(self) -> str:
        return f"{self._first_name()} {self._last_name()}"

    def name(self) -> str:
        if self.rng.random() < 0.05:
            return f"{self.first_name[0]}. {self.last_name}"
        return super().name()

    def city(self) -> str:
        if self._chance(0.2):
            return super().city()
        return self._composed(CITY_SHAPES) if self.rng.random() < 0.08 else self._pick(words.CITIES)

    def _composed(self, shapes: str) -> str:
        """One of the shapes, filled with names, words and numbers."""
        rng = self.rng
        makers: dict[str, Callable[[], str]] = {
            "a": lambda: self._pick(words.ADJECTIVES),
            "b": self.brand,
            "c": lambda: self._pick(words.CITIES),
            "e": lambda: self._pick(words.EVENTS),
            "f": self._first_name,
            "h": lambda: rng.choice(["children", "two", "beginners", "the garden", "outdoors", "left-handers"]),
            "k": lambda: rng.choice(PACKS),
            "l": self._last_name,
            "m": lambda: f"{self._code_part()}{rng.choice(['', '-', ' '])}{rng.randint(1, 990)}",
            "n": lambda: str(rng.randint(2, 99)),
            "o": lambda: rng.choice(ORDINALS),
            "p": lambda: self._pick(words.PRODUCTS),
            "q": lambda: rng.choice(["lid", "case", "charger", "drawer", "stand", "handle", "wheels", "cover"]),
            "t": lambda: self._pick(words.TRADES if shapes == COMPANY_SHAPES else words.TITLES),
            "w": self._word,
            "y": lambda: str(rng.randint(2019, 2027)),
            "z": lambda: rng.choice(SIZES),
        }
        return self._shaped(shapes, makers)

    def brand(self) -> str:
        return self._pick(words.BRANDS) if self.rng.random() < 0.6 else self._word()

    def company(self) -> str:
        rng = self.rng
        if rng.random() < 0.45:
            forms = COMPANY_FORMS["other" if rng.random() < 0.25 else self.language]
            return self._composed(COMPANY_SHAPES) + rng.choice(["", f" {rng.choice(_options(forms))}"])
        roll = rng.random()
        if roll < 0.3:
            return super().company()
        if roll < 0.5:
            return f"{self._pick(words.SHOPS)} {rng.choice([self._last_name(), self._word(), self._first_name()])}"
        if roll < 0.75:
            head = rng.choice([self._last_name(), self.city(), self._word(), self._word()])
            return f"{head} {self._pick(words.TRADES)}" + rng.choice(
                ["", "", "", " Ltd", " GmbH", " AG", " B.V.", " Oy", " SARL"]
            )
        if roll < 0.9:
            return (
                f"{self._word()}{rng.choice(['werk', 'bau', 'soft', 'tek', 'lab', 'mart', 'hof', 'line', 'plan'])}"
                + rng.choice(["", "", " AG", " GmbH", " AB", " A/S", " S.A.", " Inc."])
            )
        return rng.choice(
            [f"{self._last_name()} & {self._last_name()}", f"{self._last_name()} & Sons", f"Gebr. {self._last_name()}"]
        )

    def _word(self) -> str:
        """A word with a capital, as in the name of a street, a hall or a firm."""
        roll = self.rng.random()
        if roll < 0.3 and not self.held_out:
            return pools.syllables(self.rng, 1, 3)
        if roll < 0.6:
            return self._pick(words.MODEL_WORDS)
        return self._pick(words.COMMON_WORDS + pools.STREETS).capitalize()

    def street(self) -> str:
        language = "other" if self.rng.random() < 0.2 else self.language
        if self.rng.random() < 0.35:
            return self._known_street(language)
        source = STREETS[language]
        shape = self.rng.choice(_options(source))
        number = str(self.rng.randint(1, 220)) + self.rng.choice(["", "", "", "", "a", "B"])
        return shape.replace("{w}", self._word()).replace("{l}", self._last_name()).replace("{n}", number)

    def _known_street(self, language: str) -> str:
        """A street that exists, with a number where the language writes it."""
        names = {"en": words.STREETS_EN, "de": words.STREETS_DE, "fr": words.STREETS_FR, "other": words.STREETS_OTHER}
        name, number = self._pick(names[language]), self.rng.randint(1, 180)
        if language in ("de", "other"):
            return f"{name} {number}{self.rng.choice(['', '', '', 'a', 'c', '/2'])}"
        return f"{number}{', ' if language == 'fr' and self.rng.random() < 0.4 else ' '}{name}"

    def email(self) -> str:
        first, last = (_ascii(part) or "info" for part in (self.first_name, self.last_name))
        users = [f"{first}.{last}", f"{first[0]}.{last}", f"{first}", f"{last}", f"{first[0]}{last}", f"{first}_{last}"]
        users += [f"{first}.{last[0]}", f"{first}{self.rng.randint(1, 99)}", f"{last}.{first}"]
        if self.rng.random() < 0.2:
            users = ["info", "office", "kontakt", "contact", "bookings", "jobs", "hello", "tickets", "service", "shop"]
        return f"{self.rng.choice(users)}@{self._host()}"

    def _host(self) -> str:
        if self.rng.random() < 0.4:
            return super()._host()
        first = _ascii(self._word()) or "mail"
        joint = self.rng.choice(["", "-"])
        second = self.rng.choice(["", _ascii(self._word()), _ascii(self._pick(words.TRADES).split(" ")[-1])])
        end = self.rng.choice(
            ["com", "de", "fr", "co.uk", "org", "net", "example", "example", "ch", "at", "nl", "se", "eu"]
        )
        return f"{first}{joint if second else ''}{second}.{end}"

    def phone(self) -> str:
        if self.rng.random() < 0.3:
            return super().phone()
        mark = self.rng.choice([" ", " ", " ", "-", ".", "/"])
        groups = [self.digits(self.rng.choice([2, 2, 3, 3, 4])) for _ in range(self.rng.randint(2, 4))]
        head = self.rng.choice(["0", "0", "0", "", f"+{self.rng.randint(1, 420)} ", f"00{self.rng.randint(30, 49)} "])
        area = self.digits(self.rng.randint(1, 4)) if head else self.digits(3)
        return f"{head}{area}{' ' if mark == '/' else mark}{(' ' if mark == '/' else mark).join(groups)}"

    def code(self, prefixes: list[str]) -> str:
        if self.rng.random() < 0.4:
            return super().code(prefixes)
        parts = [self._code_part() for _ in range(self.rng.choice([1, 2, 2, 2, 3]))]
        if not any(c.isdigit() for c in "".join(parts)):
            parts.append(self.digits(3))
        return self.rng.choice(["-", "-", "-", "/", "."]).join(parts)

    def _code_part(self) -> str:
        letters = "".join(self.rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(self.rng.randint(1, 3)))
        return self.rng.choice(
            [self.digits(self.rng.randint(2, 6)), self.digits(4), letters, f"{self.rng.randint(1, 9)}{letters[0]}"]
        )

    def product(self) -> str:
        rng = self.rng
        if rng.random() < 0.35:
            return self._composed(PRODUCT_SHAPES)
        noun = self._pick(words.PRODUCTS) if rng.random() < 0.75 else self._pick(pools.PRODUCT_NOUNS)
        roll = rng.random()
        if roll < 0.4:
            return noun
        if roll < 0.6:
            return f"{self._pick(rng.choice([words.ADJECTIVES, pools.ADJECTIVES, words.MATERIALS]))} {noun}"
        if roll < 0.75:
            code = rng.choice(
                [self._word(), f"{self._word()} {rng.randint(2, 900)}", f"{self._code_part()}{rng.randint(1, 99)}"]
            )
            return f"{noun} {code}"
        if roll < 0.88:
            return f"{self._word()} {noun}"
        return rng.choice([f"{self._word()} {self._word()}", self._word(), f"{self._word()} {rng.randint(2, 990)}"])

    def event(self) -> str:
        rng = self.rng
        if rng.random() < 0.3:
            return self._composed(EVENT_SHAPES)
        roll = rng.random()
        if roll < 0.2:
            return super().event()
        if roll < 0.55:
            return self._pick(words.EVENTS)
        if roll < 0.65:
            return f"{rng.choice(['annual', '3rd', '25th', self._word(), self.city()])} {self._pick(words.EVENTS)}"
        title, other = self._pick(words.TITLES), self._pick(words.TITLES)
        noun = self._pick(words.COMMON_WORDS)
        return rng.choice(
            [
                f"{title} and {other}",
                f"{title} for {other}",
                f"The {noun.title()} of {title}",
                f"{title}: {other.lower()} and {noun}",
            ]
            + [
                f"Why {title.lower()} need a {noun}",
                f"How to draw a {noun}",
                f"{self._word()} {self._pick(words.EVENTS).title()}",
            ]
            + [
                f"{self._pick(words.EVENTS)} with {self.person()}",
                f"{title} in the {noun.title()}",
                f"Who owns the {noun}?",
            ]
        )

    def venue(self) -> str:
        rng = self.rng
        roll = rng.random()
        if roll < 0.15:
            return super().venue()
        if roll < 0.45:
            return self.one_of("venue", words.VENUES).removeprefix("the ")
        if roll < 0.65:
            return f"{self._pick(words.VENUE_HEADS)} {rng.choice([self._word(), self._last_name(), self._pick(words.VENUE_TAILS)])}"
        if roll < 0.85:
            return f"{rng.choice([self._word(), self.city(), self._last_name()])} {self._pick(words.VENUE_TAILS + pools.VENUE_KINDS)}"
        return rng.choice(
            [f"room {rng.randint(1, 420)}", f"hall {rng.choice('ABCDEF')}", f"{self._pick(words.SHOPS)} {self._word()}"]
        )

    def color(self) -> str:
        return super().color() if self.rng.random() < 0.4 else self.one_of("color", words.COLORS)

    def one_of(self, field: str, phrases: list[str]) -> str:
        """One of the phrases, now and then with other words around it."""
        if self.rng.random() >= LONGER_SHARE:
            return self._pick(phrases)
        makers: dict[str, Callable[[], str]] = {
            "k": lambda: self._pick(phrases).removeprefix("the "),
            "l": self._last_name,
            "n": lambda: str(self.rng.randint(2, 40)),
            "w": self._word,
        }
        return self._shaped(LONGER[field], makers)

    def _shaped(self, shapes: str, makers: dict[str, Callable[[], str]]) -> str:
        """One of the shapes with its slots filled."""
        return re.sub(r"\{(\w)\}", lambda match: makers[match[1]](), self.rng.choice(_options(shapes)))

    def date(self, first_year: int = 2019, last_year: int = 2027) -> str:
        rng = self.rng
        day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(first_year, last_year)
        name, has_year = MONTHS[self.language][month - 1], first_year < 2019 or rng.random() < 0.5
        numeric = [
            f"{day:02}.{month:02}.{year}",
            f"{year}-{month:02}-{day:02}",
            f"{day:02}/{month:02}/{year}",
            f"{day}.{month}.{year}",
        ]
        if self.date_style == 0:
            return rng.choice(numeric)
        if self.language == "de":
            return f"{day}. {name}" + (f" {year}" if has_year else "")
        if self.language == "fr":
            return f"{'1er' if day == 1 else day} {name}" + (f" {year}" if has_year else "")
        if self.date_style < 4:
            short = name[:3] if self.date_style == 1 and rng.random() < 0.3 else name
            return f"{day} {short}" + (f" {year}" if has_year else "")
        return f"{name} {day}" + (f", {year}" if has_year else "")

    def time(self) -> str:
        rng = self.rng
        hour, minute = rng.randint(7, 22), rng.choice([0, 0, 15, 30, 30, 45, rng.randint(0, 59)])
        if rng.random() < 0.12:
            return rng.choice(_options(SPOKEN_TIMES[self.language])).replace("{h}", rng.choice(HOURS[self.language]))
        if self.language == "de":
            return rng.choice(
                [f"{hour}:{minute:02} Uhr", f"{hour} Uhr", f"{hour}.{minute:02} Uhr", f"{hour:02}:{minute:02}"]
            )
        if self.language == "fr":
            return rng.choice(
                [f"{hour}h{minute:02}", f"{hour} h {minute:02}", f"{hour}h", f"{hour} h", f"{hour}:{minute:02}"]
            )
        return super().time() if rng.random() < 0.85 else f"{hour}.{minute:02}"

    def weekday(self) -> str:
        """A day of the week; it is no part of a date."""
        return self.rng.choice(WEEKDAYS[self.language])

    def money(self, least: float, most: float) -> Value:
        amount = least * (most / least) ** self.rng.random()
        digits = f"{amount:.2f}" if self.has_cents and amount < 20_000 else str(max(1, self._rounded(amount)))
        if "." in digits and self.rng.random() < 0.5:
            digits = digits[:-3] + self.rng.choice([".50", ".99", ".00", ".95", ".90", ".80", ".25"])
        currency = self.currency if self.money_style != "{}" else None
        return Value(self.money_style.format(self.written(digits)), digits, currency)

    def _rounded(self, amount: float) -> int:
        """A whole sum, mostly a round one."""
        step = 1 if amount < 30 or self.rng.random() < 0.3 else 5 if amount < 200 else 10 if amount < 1000 else 100
        return max(step, int(amount / step) * step)

    def written(self, digits: str) -> str:
        """A number such as "1234.50" as this text writes it."""
        whole, _, cents = digits.partition(".")
        grouped = f"{int(whole):,}".replace(",", self.group_mark) if len(whole) > 3 else whole
        return f"{grouped}{self.decimal_mark}{cents}" if cents else grouped

    def integer(self, least: int, most: int, words: bool = False) -> Value:
        value = super().integer(least, most, words and self.language == "en")
        if value.surface[0].isdigit():
            return Value(self.written(value.json_text) if most > 999 else value.json_text, value.json_text)
        return value

    def decimal(self, least: float, most: float, decimals: int = 1) -> Value:
        value = super().decimal(least, most, decimals)
        while not float(value.json_text):
            value = super().decimal(least, most, decimals)
        return Value(value.surface.replace(".", self.decimal_mark), value.json_text)


METHODS: dict[str, Callable[[NaturalMaker], str]] = {  # field -> what makes its text, where it is not that of `MAKERS`
    "email": NaturalMaker.email,
    "phone": NaturalMaker.phone,
    "city": NaturalMaker.city,
    "address": NaturalMaker.street,
    "company": NaturalMaker.company,
    "vendor": NaturalMaker.company,
    "product": NaturalMaker.product,
    "event": NaturalMaker.event,
    "venue": NaturalMaker.venue,
    "color": NaturalMaker.color,
    "brand": NaturalMaker.brand,
    "birth_date": lambda maker: maker.date(1935, 2008),
    **dict.fromkeys(("date", "order_date", "delivery_date", "due_date"), NaturalMaker.date),
    **dict.fromkeys(("time", "end_time"), NaturalMaker.time),
}


def natural_value(maker: NaturalMaker, field: str) -> Value:
    """A value of `field`; for the fields whose words are everyday ones, of those too."""
    if field in METHODS:
        return text_value(METHODS[field](maker))
    more = {"job_title": words.JOBS, "department": words.DEPARTMENTS, "material": words.MATERIALS}
    lists = {"hobbies": words.HOBBIES + pools.HOBBIES, "languages": words.LANGUAGES + pools.LANGUAGES}
    lists |= {"skills": words.SKILLS + pools.SKILLS, "items": words.PRODUCTS}
    if field in more and maker.rng.random() < 0.6:
        return text_value(maker.one_of(field, more[field]))
    if field in lists and maker.rng.random() < 0.6:
        return maker.word_list(lists[field])
    if field == "speakers":
        return maker.listing([maker.person() for _ in range(maker.rng.randint(1, 3))])
    if field in ("quantity", "attendees"):
        return maker.integer(2, 60 if field == "quantity" else 400, words=True)
    return maker.make(field)


def plain_number(value: Value, maker: NaturalMaker) -> str:
    """A sum of money without its currency, as in a table."""
    return maker.written(json.dumps(json.loads(value.json_text)) if "." not in value.json_text else value.json_text)


def _ascii(word: str) -> str:
    """The word's letters a to z, without accents."""
    plain = unicodedata.normalize("NFKD", word.replace("ø", "o").replace("ß", "ss").replace("ł", "l").lower())
    return re.sub(r"[^a-z]", "", plain)
