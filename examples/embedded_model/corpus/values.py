"""Values of the fields: for each field one random value, as it is written in a text and as it stands in JSON."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from . import pools, text_lines, training_words
from .template_lines import load_templates, load_training_templates
from .templates import SMALL_TALK, TEMPLATES
from .training_templates import TRAINING_TEMPLATES

CURRENCY_STYLES = {  # currency -> ways to write an amount of it
    "USD": ["${}", "${}", "{} USD", "{} dollars", "USD {}", "US${}"],
    "EUR": ["€{}", "{} €", "{} EUR", "{} euros", "EUR {}"],
    "GBP": ["£{}", "£{}", "{} GBP", "{} pounds", "GBP {}"],
    "CHF": ["CHF {}", "{} CHF", "{} Swiss francs"],
    "JPY": ["¥{}", "{} yen", "JPY {}"],
}

INVENTED_SHARE = 0.5  # of the words that training takes from a pool
FOREIGN_SHARE = 0.35  # of these: words of ordinary language that have nothing to do with the pool
SPLICED_SHARE = 0.25  # of the words of ordinary language: two of them, joined
MADE_UP_SHARE = 0.2  # of these: words of random syllables
LONGER_SHARE = 0.2  # of training's words in lists and products: with another word or two behind them
PHRASE_SHARE = 0.12  # of training's words in lists: phrases of ordinary or made-up words
SHADE_SHARE = 0.06  # of training's colors: with a word like "dark" before them
OTHER_SHAPE_SHARE = 0.25  # of training's events and venues: of any words, without a word that says what they are
_ARTICLE = re.compile(r"\b([Aa]) ([aeio])")


@dataclass(frozen=True)
class Value:
    """One value. surface: as the text writes it; json_text: as JSON; currency: named by the surface, or None."""

    surface: str
    json_text: str
    currency: str | None = None


def text_value(surface: str, value: str | None = None) -> Value:
    """A string, copied as written unless `value` says otherwise."""
    return Value(surface, json.dumps(surface if value is None else value, ensure_ascii=False))


@cache
def _ordinary_words() -> list[str]:
    """The words of the training sentences and texts, at least four letters each."""
    sources = [source for pair in TEMPLATES.values() for source in pair] + [SMALL_TALK]
    templates = [template for source in sources for template in load_templates(source, held_out=False)]
    for source in (source for pair in TRAINING_TEMPLATES.values() for source in pair):
        templates += load_training_templates(source)
    patterns = [template.pattern for template in templates]
    found = {word.lower() for pattern in patterns for word in re.findall(r"(?<![{\w])[A-Za-z]{4,}(?![}\w])", pattern)}
    found |= set(training_words.WORDS) | text_lines.training_words()
    return sorted(found - pools.held_out_words() - set(training_words.JUDGEMENTS))


def foreign_phrase(rng: random.Random, like: str) -> str:
    """Ordinary words instead of a phrase, as many and written in the same case; so every word has to be copied."""
    return _in_case([_ordinary_word(rng) for _ in like.split(" ")], like)


def _ordinary_word(rng: random.Random) -> str:
    """A word of ordinary language, or the beginning of one and the end of another: their place must tell values."""
    word, other = rng.choice(_ordinary_words()), rng.choice(_ordinary_words())
    return pools.splice(rng, word, other) if rng.random() < SPLICED_SHARE else word


def made_up_phrase(rng: random.Random, like: str) -> str:
    """Words of random syllables instead of a phrase, as many and written in the same case."""
    return _in_case([pools.syllables(rng, 1, 3).lower() for _ in like.split(" ")], like)


def with_articles(text: str) -> str:
    """The text with "an" for "a" before a vowel."""
    return _ARTICLE.sub(r"\1n \2", text)


def _in_case(words: list[str], like: str) -> str:
    return " ".join(
        word.capitalize() if old[:1].isupper() else word for word, old in zip(words, like.split(" "), strict=True)
    )


class ValueMaker:
    """Makes the values of one document; money in it has one currency and one way of writing.

    held_out: take words from the held-out parts of the pools.
    """

    def __init__(self, rng: random.Random, held_out: bool) -> None:
        self.rng = rng
        self.held_out = held_out
        self.is_female = rng.random() < 0.5
        self.first_name = self._first_name()
        self.last_name = self._last_name()
        self.currency = rng.choice(list(CURRENCY_STYLES))
        self.money_style = rng.choice(CURRENCY_STYLES[self.currency])
        if rng.random() < 0.08:
            self.money_style = "{}"

    def make(self, field: str) -> Value:
        """A random value of `field`."""
        return MAKERS[field](self)

    def _pick(self, words: list[str]) -> str:
        """A word of a pool; in training often one that does not exist, so that no pool can be learned by heart."""
        if not self.held_out and self.rng.random() < INVENTED_SHARE:
            roll = self.rng.random()
            if roll < FOREIGN_SHARE:
                return foreign_phrase(self.rng, self.rng.choice(words))
            if roll < FOREIGN_SHARE + MADE_UP_SHARE:
                return made_up_phrase(self.rng, self.rng.choice(words))
            return pools.invent(self.rng, words)
        return pools.pick(self.rng, words, self.held_out)

    def _sample(self, words: list[str], count: int) -> list[str]:
        """`count` different words, picked like one."""
        chosen: list[str] = []
        while len(chosen) < count:
            word = self._phrase() if self._chance(PHRASE_SHARE) else self._pick_longer(words)
            if word not in chosen:
                chosen.append(word)
        return chosen

    def _pick_longer(self, words: list[str]) -> str:
        """A word picked, in training now and then with others behind it, as in "paint" and "paint brushes"."""
        picked = self._pick(words)
        while not self.held_out and len(picked.split(" ")) < 3 and self.rng.random() < LONGER_SHARE:
            picked += f" {self._pick(words).split(' ')[-1]}"
        return picked

    def _chance(self, share: float) -> bool:
        """True for that share of the calls in training, never for held-out values."""
        return not self.held_out and self.rng.random() < share

    def _phrase(self) -> str:
        """Two to four words of any kind, as in "collecting old coins"."""
        return self._filled(self.rng.choice(training_words.PHRASES), "word")

    def _filled(self, shape: str, like: str) -> str:
        """The shape with a number for {n}, and ordinary or made-up words in the case of `like` for {}."""
        make = made_up_phrase if self.rng.random() < 0.35 else foreign_phrase
        words = [make(self.rng, like) for _ in range(shape.count("{}"))]
        filled = shape.format(*words, n=self.rng.choice([self.rng.randint(1, 30), self.rng.choice("ABCD")]))
        return with_articles(filled)  # as it will be in the text

    def color(self) -> str:
        shade = f"{self.rng.choice(training_words.SHADES)} " if self._chance(SHADE_SHARE) else ""
        return shade + self._pick(pools.COLORS)

    def _first_name(self) -> str:
        if self.rng.random() < 0.35:
            return pools.syllables(self.rng, 1, 3)
        return self._pick(pools.FEMALE_NAMES if self.is_female else pools.MALE_NAMES)

    def _last_name(self) -> str:
        roll = self.rng.random()
        if roll < 0.45:
            name = pools.syllables(self.rng, 1, 3)
            return self.rng.choice(["", "", "", "", "Mc", "O'", "van ", "de ", "van der "]) + name
        if roll < 0.5:
            return self._pick(pools.LAST_NAMES) + "-" + self._pick(pools.LAST_NAMES)
        return self._pick(pools.LAST_NAMES)

    def person(self) -> str:
        """The full name of somebody other than the document's main person."""
        return f"{self._pick(pools.FEMALE_NAMES + pools.MALE_NAMES)} {self._last_name()}"

    def name(self) -> str:
        middle = f" {self.rng.choice('ABCDEFGHJKLMNPRST')}." if self.rng.random() < 0.06 else ""
        return f"{self.first_name}{middle} {self.last_name}"

    def company(self) -> str:
        roll = self.rng.random()
        if roll < 0.35:
            head = self._pick(pools.COMPANY_HEADS) + self.rng.choice([" ", " ", ""])
            tail = self._pick(pools.COMPANY_TAILS)
            base = head + (tail if head.endswith(" ") else tail.lower())
        elif roll < 0.6:
            base = f"{pools.syllables(self.rng, 1, 3)} {self._pick(pools.COMPANY_TAILS)}"
        elif roll < 0.8:
            base = pools.syllables(self.rng, 2, 3)
        else:
            others = ["& Sons", "Brothers", "and Partners", f"& {self._last_name()}"]
            base = f"{self._last_name()} {self.rng.choice(others)}"
        return base + self.rng.choice(pools.COMPANY_FORMS)

    def city(self) -> str:
        if self.rng.random() < 0.4:
            ending = self.rng.choice(["", "", "ville", "ton", "burg", "ford", " Falls", " Bay", "field"])
            return pools.syllables(self.rng, 1, 2) + ending
        return self._pick(pools.CITIES)

    def street(self) -> str:
        if self.rng.random() < 0.25:
            kind = self.rng.choice(["straße", "weg", "strasse", "gasse"])
            return f"{pools.syllables(self.rng, 2, 3)}{kind} {self.rng.randint(1, 199)}"
        name = pools.syllables(self.rng, 2, 3) if self.rng.random() < 0.4 else self._pick(pools.STREETS)
        number = f"{self.rng.randint(1, 999)}{self.rng.choice(['', '', '', 'A', 'B'])}"
        return f"{number} {name} {self.rng.choice(pools.STREET_KINDS)}"

    def email(self) -> str:
        first, last = (re.sub(r"[^a-z]", "", part.lower()) or "info" for part in (self.first_name, self.last_name))
        user = self.rng.choice(
            [f"{first}.{last}", f"{first}{last}", f"{first[0]}.{last}", f"{first}_{last}", first, last]
            + [f"{first}{self.rng.randint(1, 99)}", f"{last}{self.rng.randint(70, 99)}", f"{first[0]}{last}"]
            + [self.rng.choice(["info", "office", "sales", "hello", "support", "contact", "team", "orders", "billing"])]
            + [pools.syllables(self.rng, 2, 3).lower()]
        )
        return f"{user}@{self._host()}"

    def _host(self) -> str:
        if self.rng.random() < 0.4:
            return self.rng.choice(pools.MAIL_HOSTS)
        joint = self.rng.choice(["", "", "-", "."])
        second = self.rng.choice(["", pools.syllables(self.rng, 1, 1).lower(), self._pick(pools.COMPANY_TAILS).lower()])
        name = f"{pools.syllables(self.rng, 1, 3).lower()}{joint if second else ''}{second}"
        return f"{name}.{self.rng.choice(pools.TOP_LEVELS)}"

    def website(self) -> str:
        return self.rng.choice(["www.", "https://", "https://www.", "http://", ""]) + self._host()

    def _letter(self) -> str:
        return self.rng.choice("ABCEGHKLMNPRSTW")

    def digits(self, count: int) -> str:
        return "".join(self.rng.choice("0123456789") for _ in range(count))

    def phone(self) -> str:
        d, rng = self.digits, self.rng
        return rng.choice(
            [f"+1 {d(3)} 555 0{d(3)}", f"({d(3)}) 555-0{d(3)}", f"{d(3)}-555-0{d(3)}", f"020 7946 0{d(3)}"]
            + [
                f"+49 {d(2)} {d(7)}",
                f"0{d(3)}-{d(7)}",
                f"+44 {d(4)} {d(6)}",
                f"555-0{d(3)}",
                f"+41 {d(2)} {d(3)} {d(2)} {d(2)}",
            ]
            + [
                f"{d(3)}.{d(3)}.{d(4)}",
                f"+33 {d(1)} {d(2)} {d(2)} {d(2)} {d(2)}",
                f"+{rng.randint(30, 99)} {d(9)}",
                d(10),
            ]
        )

    def postal_code(self) -> str:
        d, letter = self.digits, self._letter
        return self.rng.choice(
            [
                d(5),
                d(5),
                d(4),
                f"{letter()}{letter()}{d(1)} {d(1)}{letter()}{letter()}",
                f"{d(4)} {letter()}{letter()}",
                f"{d(5)}-{d(4)}",
            ]
        )

    def date(self, first_year: int = 2019, last_year: int = 2027) -> str:
        rng = self.rng
        day, month_number, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(first_year, last_year)
        month = pools.MONTHS[month_number - 1]
        suffix = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        return rng.choice(
            [f"{month} {day}, {year}", f"{day} {month} {year}", f"{year}-{month_number:02}-{day:02}", f"{month} {day}"]
            + [f"{month_number:02}/{day:02}/{year}", f"{day:02}.{month_number:02}.{year}", f"{month} {day}{suffix}"]
            + [f"{day} {month}", f"{month[:3]} {day}, {year}", f"{rng.choice(pools.WEEKDAYS)}, {month} {day}"]
            + [f"{month} {day}, {year}", f"{day} {month[:3]} {year}", f"{month} {day}{suffix}, {year}"]
        )

    def time(self) -> str:
        rng, hour, minute = (
            self.rng,
            self.rng.randint(7, 22),
            self.rng.choice([0, 0, 15, 30, 30, 45, self.rng.randint(0, 59)]),
        )
        half = "am" if hour < 12 else "pm"
        twelve = (hour - 1) % 12 + 1
        dotted = "a.m." if half == "am" else "p.m."
        return rng.choice(
            [f"{hour:02}:{minute:02}", f"{hour}:{minute:02}", f"{twelve}:{minute:02} {half}", f"{twelve} {half}"]
            + [
                f"{twelve}:{minute:02} {half.upper()}",
                f"{twelve} {dotted}",
                f"{twelve}{half}",
                f"{twelve}:{minute:02} {dotted}",
            ]
        )

    def code(self, prefixes: list[str]) -> str:
        rng, d = self.rng, self.digits
        letters = "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(rng.randint(1, 3)))
        return rng.choice(
            [f"{rng.choice(prefixes)}-{d(rng.randint(3, 6))}", f"{letters}{d(rng.randint(3, 6))}", d(rng.randint(4, 8))]
            + [
                f"{letters}-{d(rng.randint(2, 5))}",
                f"{rng.choice(prefixes)}-{rng.randint(2019, 2027)}-{d(rng.randint(2, 4))}",
            ]
            + [
                f"{d(rng.randint(2, 4))}-{letters}",
                f"{rng.choice(prefixes)}{d(rng.randint(3, 6))}",
                f"{letters}-{d(3)}-{d(2)}",
            ]
        )

    def product(self) -> str:
        noun = self._pick_longer(pools.PRODUCT_NOUNS)
        if self.rng.random() < 0.3 and noun[-1] not in "se":
            noun += "s"
        roll = self.rng.random()
        if roll < 0.35:
            return f"{self._pick(pools.ADJECTIVES)} {noun}"
        if roll < 0.6:
            title = f"{pools.syllables(self.rng, 1, 3)} {noun.title()}"
            return title + self.rng.choice(
                ["", "", " Pro", " Mini", f" {self.rng.randint(2, 900)}", " Plus", f" X{self.rng.randint(1, 9)}"]
            )
        if roll < 0.7:
            return f"{self._pick(pools.ADJECTIVES).title()} {noun.title()}"
        return noun

    def event(self) -> str:
        if self._chance(OTHER_SHAPE_SHARE):
            return self._filled(self.rng.choice(training_words.EVENT_SHAPES), "Word")
        theme = pools.syllables(self.rng, 2, 3) if self.rng.random() < 0.3 else self._pick(pools.EVENT_THEMES)
        title = f"{theme} {self._pick(pools.EVENT_KINDS)}"
        roll = self.rng.random()
        if roll < 0.15:
            return f"{title} {self.rng.randint(2019, 2027)}"
        if roll < 0.25:
            return f"{self.city()} {title}"
        return f"Annual {title}" if roll < 0.3 else title

    def venue(self) -> str:
        if self._chance(OTHER_SHAPE_SHARE):
            return self._filled(self.rng.choice(training_words.VENUE_SHAPES), "Word")
        head = self.rng.choice(
            [self._pick(pools.COMPANY_HEADS), pools.syllables(self.rng, 2, 3), self._last_name(), self.city()]
        )
        return f"{head} {self._pick(pools.VENUE_KINDS)}"

    def money(self, least: float, most: float) -> Value:
        """A positive amount between the two, log-uniform, written with the document's currency."""
        amount = least * (most / least) ** self.rng.random()
        decimals = 0 if self.currency == "JPY" or self.rng.random() < 0.35 else 2
        digits = f"{amount:.{decimals}f}"
        if self.rng.random() < 0.2 and decimals == 2:
            digits = digits[:-3] + self.rng.choice([".50", ".99", ".00", ".95", ".25"])
        grouped = f"{int(digits.split('.')[0]):,}" + (digits[digits.index(".") :] if "." in digits else "")
        surface = grouped if self.rng.random() < 0.75 else digits
        currency = self.currency if self.money_style != "{}" else None
        return Value(self.money_style.format(surface), digits, currency)

    def integer(self, least: int, most: int, words: bool = False) -> Value:
        number = int(least * ((most + 1) / least) ** self.rng.random()) if least > 0 else self.rng.randint(least, most)
        if words and number < len(pools.NUMBER_WORDS) and self.rng.random() < 0.4:
            return Value(pools.NUMBER_WORDS[number], str(number))
        surface = f"{number:,}" if self.rng.random() < 0.7 else str(number)
        return Value(surface, str(number))

    def decimal(self, least: float, most: float, decimals: int = 1) -> Value:
        digits = f"{self.rng.uniform(least, most):.{self.rng.randint(0 if decimals > 1 else decimals, decimals)}f}"
        return Value(digits, digits)

    def word_list(self, words: list[str], most: int = 4) -> Value:
        return self.listing(self._sample(words, self.rng.randint(1, most)))

    def listing(self, words: list[str]) -> Value:
        last = self.rng.choice([" and ", " and ", ", and ", ", ", " & "])
        surface = words[0] if len(words) == 1 else ", ".join(words[:-1]) + last + words[-1]
        return Value(surface, json.dumps(words, ensure_ascii=False, separators=(",", ":")))

    def choice(self, *options: str) -> Value:
        return text_value(self.rng.choice(options))

    def boolean(self) -> Value:
        is_true = self.rng.random() < 0.5
        return Value("yes" if is_true else "no", "true" if is_true else "false")


def _text(make: Callable[[ValueMaker], str]) -> Callable[[ValueMaker], Value]:
    return lambda maker: text_value(make(maker))


MAKERS: dict[str, Callable[[ValueMaker], Value]] = {
    "name": _text(ValueMaker.name),
    "first_name": lambda m: text_value(m.first_name),
    "last_name": lambda m: text_value(m.last_name),
    "age": lambda m: Value(age := str(m.rng.randint(18, 92)), age),
    "email": _text(ValueMaker.email),
    "phone": _text(ValueMaker.phone),
    "city": _text(ValueMaker.city),
    "country": lambda m: text_value(m._pick(pools.COUNTRIES)),
    "address": _text(ValueMaker.street),
    "postal_code": _text(ValueMaker.postal_code),
    "company": _text(ValueMaker.company),
    "job_title": lambda m: text_value(m.rng.choice(pools.JOB_LEVELS) + m._pick(pools.JOBS)),
    "department": lambda m: text_value(m._pick(pools.DEPARTMENTS)),
    "birth_date": lambda m: text_value(m.date(1940, 2006)),
    "website": _text(ValueMaker.website),
    "years_experience": lambda m: m.integer(2, 35, words=True),
    "salary": lambda m: m.money(20_000, 180_000),
    "skills": lambda m: m.word_list(pools.SKILLS),
    "languages": lambda m: m.word_list(pools.LANGUAGES, 3),
    "hobbies": lambda m: m.word_list(pools.HOBBIES, 3),
    "married": ValueMaker.boolean,
    "order_id": lambda m: text_value(m.code(["ORD", "PO", "SO", "A", "WEB"])),
    "customer": lambda m: text_value(m.name() if m.rng.random() < 0.6 else m.company()),
    "product": _text(ValueMaker.product),
    "quantity": lambda m: m.integer(2, 500, words=True),
    "price": lambda m: m.money(2, 2_000),
    "amount": lambda m: m.money(10, 90_000),
    "shipping_cost": lambda m: m.money(2, 80),
    "discount": lambda m: m.integer(5, 60),
    "status": lambda m: m.choice("pending", "shipped", "delivered", "cancelled"),
    "payment_method": lambda m: m.choice("card", "cash", "transfer", "paypal"),
    "order_date": _text(ValueMaker.date),
    "delivery_date": _text(ValueMaker.date),
    "gift": ValueMaker.boolean,
    "items": lambda m: m.word_list(pools.ITEMS),
    "priority": lambda m: m.choice("low", "medium", "high"),
    "invoice_number": lambda m: text_value(m.code(["INV", "RE", "F", "I", "BILL"])),
    "vendor": _text(ValueMaker.company),
    "tax": lambda m: m.money(2, 5_000),
    "date": _text(ValueMaker.date),
    "due_date": _text(ValueMaker.date),
    "paid": ValueMaker.boolean,
    "event": _text(ValueMaker.event),
    "time": _text(ValueMaker.time),
    "end_time": _text(ValueMaker.time),
    "venue": _text(ValueMaker.venue),
    "organizer": lambda m: text_value(m.company() if m.rng.random() < 0.5 else m.name()),
    "speakers": lambda m: m.listing([m.person() for _ in range(m.rng.randint(1, 3))]),
    "attendees": lambda m: m.integer(5, 20_000),
    "category": lambda m: m.choice("conference", "concert", "workshop", "meeting", "party"),
    "online": ValueMaker.boolean,
    "brand": lambda m: text_value(
        m.rng.choice([pools.syllables(m.rng, 1, 3), m.company().split()[0], m._pick(pools.COMPANY_HEADS)])
    ),
    "color": _text(ValueMaker.color),
    "material": lambda m: text_value(m._pick(pools.MATERIALS)),
    "weight_kg": lambda m: m.decimal(0.1, 40, 2),
    "rating": lambda m: m.decimal(1, 5, 1),
    "in_stock": ValueMaker.boolean,
    "sku": lambda m: text_value(m.code(["SKU", "ART", "P", "MX"])),
    "warranty_years": lambda m: m.integer(1, 10, words=True),
}
