"""Texts as people write them, with the facts that they state: the lines of `en.tsv`, `de.tsv` and `fr.tsv` in `texts.zip`.

A line is a kind of text, a tab, and one text. `¶` begins a new line, `[a|b]` is a choice (choices nest), and these are
its marks:

- `<field:words>` these words, or a value in their place: either way the text states it for the field.
  A list of the words of all such marks for `items` and other lists, `<NOT_field:words>` what is not the answer.
- `{field}` a value of that field, which the text then states; `{customer,name}` states it for both fields.
- `{name@first}`, `{name@last}` a part of the name as the value; `@person`, `@company`, `@one` the kind of value.
- `{price#}` a sum without its currency; `{CUR}` the currency alone.
- `{paid=true}`, `{quantity=12}` nothing to read: the words around it state that value ("a dozen"); `{age=null}` that
  they state none, though they look like it.
- `{NOT_price}` another value of the field, which is not the answer.
- `{OTHER}`, `{OTHERFIRST}`, `{OTHERCO}` somebody else; `{MR}` a title; `{S}` She/He, `{s}`, `{P}` Her/His, `{p}`, `{p0}` her/him.
- `{HELLO}`, `{BYE}` how a mail begins and ends; `{LINES}` the lines of a bill; `{WEEKDAY}`, `{THING}`, `{WORD}`, `{N}`, `{N4}`.

Every 30th line is held out for testing.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from . import natural_words, pools
from .documents import Document
from .filler import FillerWriter
from .natural_values import NaturalMaker, natural_value, plain_number
from .tasks import INTEGERS, NUMBERS
from .templates import LISTS
from .text_lines import read_lines, scene_lines
from .values import Value, text_value

LANGUAGE_SHARES = {"en": 0.78, "de": 0.13, "fr": 0.09}
OWN_WORDS_SHARE = 0.75  # of the marked words: stand as they are in the line
HEADER_SHARE = 0.12  # of the mails: with From, To and Subject
FORWARD_SHARE = 0.05
CHATTER_SHARE = 0.2  # of the texts: with a sentence or two that state nothing
FILLER_SHARE = 0.1  # of the texts: with up to MAX_FILLER characters before the facts
MAX_FILLER = 2200
DROP_SHARE = 0.25  # of the texts: one sentence less, so that facts are missing
LOWER_CASE_SHARE = 0.06
HELLO = {
    "en": "Hi {OTHERFIRST},|Dear {OTHERFIRST},|Hello {OTHERFIRST},|Hi all,|Dear all,|Hello,|Hi,|Good morning,|Dear Sir or Madam,|Hi team,|hey {OTHERFIRST},|Dear {MR} {OTHERLAST},|Good afternoon {OTHERFIRST},",
    "de": "Hallo {OTHERFIRST},|Liebe {OTHERFIRST},|Guten Tag,|Hallo zusammen,|Sehr geehrte Damen und Herren,|Hi {OTHERFIRST},|Moin,|Liebes Team,|Sehr geehrte Frau {OTHERLAST},|Guten Tag Herr {OTHERLAST},|Servus {OTHERFIRST},",
    "fr": "Bonjour,|Bonjour {OTHERFIRST},|Cher {OTHERFIRST},|Chère {OTHERFIRST},|Madame, Monsieur,|Salut {OTHERFIRST},|Bonjour à tous,|Bonsoir,",
}
BYE = {
    "en": "Best,|Regards,|Kind regards,|Best wishes,|Thanks,|Cheers,|Yours sincerely,|Yours,|Many thanks,|All the best,|Thank you!|Take care,|Best regards|- ",
    "de": "Viele Grüße|Liebe Grüße|Mit freundlichen Grüßen|Beste Grüße|Danke!|Gruß|LG|MfG|Herzliche Grüße,|Vielen Dank,",
    "fr": "Cordialement,|Bien à vous,|Merci !|Amicalement,|Bonne journée,|Salutations,|À bientôt,|Bien cordialement,",
}
TITLES = {
    "en": ["Mr", "Mrs", "Ms", "Mr.", "Mrs.", "Ms.", "Dr", "Dr.", "Prof."],
    "de": ["Herr", "Frau", "Herr Dr.", "Frau Dr."],
}
TITLES["fr"] = ["M.", "Mme", "Monsieur", "Madame", "Dr"]
PRONOUN_SLOTS = ["S", "s", "P", "p", "p0"]
PRONOUNS = {  # language -> S, s, P, p, p0, for women and for men
    "en": (["She", "she", "Her", "her", "her"], ["He", "he", "His", "his", "him"]),
    "de": (["Sie", "sie", "Ihre", "ihre", "ihr"], ["Er", "er", "Seine", "seine", "ihm"]),
    "fr": (["Elle", "elle", "Son", "son", "elle"], ["Il", "il", "Son", "son", "lui"]),
}
LINE_SHAPES = [
    "{n} x {t} {m}",
    "{n} {t}  {m}",
    "{t} {m}",
    "{t} .... {m}",
    "{n}x {t}: {m}",
    "{t}\t{m}",
    "- {t}, {m}",
    "{t} | {n} | {m}",
]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([A-Za-z0-9_,]+)(#|@\w+)?(?:=([^{}]*))?\}")
_MARK = re.compile(r"<((?:NOT_)?[a-z_]+):([^<>]*)>")
_PIECES = re.compile(r"(?<=[.!?])\s+(?![^<>]*>)|(?=¶)")  # not within a mark


@dataclass
class SceneDocument(Document):
    """A document of which `unclear` holds the fields that it mentions without stating them, `lures` those of them that
    a hasty reader would find in it."""

    unclear: set[str] = field(default_factory=set)
    lures: set[str] = field(default_factory=set)


def make_scene(rng: random.Random, *, held_out: bool = False) -> SceneDocument:
    """A random realistic text. held_out: of lines and words that training does not use."""
    while True:
        language = rng.choices(list(LANGUAGE_SHARES), list(LANGUAGE_SHARES.values()))[0]
        kind = rng.choice(list(read_lines(language)))
        line = rng.choice(scene_lines(language, kind, held_out))
        document = SceneWriter(rng, language, held_out).write(line, kind)
        if document.facts:  # a choice may have left nothing that is stated
            return document


class SceneWriter:
    """Writes one text from a line."""

    def __init__(self, rng: random.Random, language: str, held_out: bool) -> None:
        self.rng = rng
        self.language = language
        self.held_out = held_out
        self.maker = NaturalMaker(rng, held_out, language)
        self.filler = FillerWriter(rng, language, held_out)
        self.values: dict[str, Value] = {}
        self.facts: dict[str, str] = {}
        self.unclear: set[str] = set()
        self.lures: set[str] = set()

    def write(self, line: str, kind: str) -> SceneDocument:
        """The text of a line and what it states."""
        text = self.written(self._headed(self._shortened(self._expand(line))))
        lures = self.lures - self.facts.keys()
        return SceneDocument(kind, self._filled(text), self.facts, (self.unclear | lures) - self.facts.keys(), lures)

    def written(self, pattern: str) -> str:
        """A pattern without choices as a text; `facts`, `unclear` and `lures` then have what it says."""
        if self.rng.random() < LOWER_CASE_SHARE:
            pattern = _lower_case(pattern)
        pattern = self._read_marks(pattern)
        for names, how, value in _SLOT.findall(pattern):
            first = names.split(",")[0]
            if not value and first.islower() and first not in PRONOUN_SLOTS:
                self.values.setdefault(first, self._value(first, how))
        text = _SLOT.sub(self._slot, pattern).replace("¶", "\n")
        return re.sub(r" {2,}(?=[^\d])", " ", re.sub(r" +([\n.,])", r"\1", text)).strip()

    def _read_marks(self, pattern: str) -> str:
        """The pattern with the words of its marks, or with a slot in their place."""
        lists: dict[str, list[str]] = {}

        def read(mark: re.Match[str]) -> str:
            name, words = mark[1], mark[2]
            if name in LISTS:
                lists.setdefault(name, []).append(words)
                return words
            if self.rng.random() >= OWN_WORDS_SHARE:
                return f"{{{name}}}"
            if name.startswith("NOT_"):
                self.unclear.add(name.removeprefix("NOT_"))
                return words
            self.values[name] = text_value(words)
            return f"{{{name}}}"

        pattern = _MARK.sub(read, pattern)
        for name, members in lists.items():
            self.facts[name] = json.dumps(members, ensure_ascii=False, separators=(",", ":"))
        return pattern

    def _expand(self, pattern: str) -> str:
        """The pattern with its choices made and its greetings and lines of a bill in place."""
        pattern = self._choose(pattern)
        for name, options in (("{HELLO}", HELLO), ("{BYE}", BYE)):
            while name in pattern:
                pattern = pattern.replace(name, self.rng.choice(options[self.language].split("|")), 1)
        return pattern

    def _choose(self, pattern: str) -> str:
        while _CHOICE.search(pattern):
            pattern = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), pattern)
        return pattern

    def _shortened(self, pattern: str) -> str:
        """Now and then one sentence or line less, never the first."""
        pieces = _PIECES.split(pattern)
        if len(pieces) < 4 or self.rng.random() >= DROP_SHARE:
            return pattern
        dropped = self.rng.randrange(1, len(pieces))
        if pieces[dropped].startswith("¶") and not _SLOT.search(pieces[dropped]):
            return pattern
        kept = pieces[:dropped] + pieces[dropped + 1 :]
        return kept[0] + "".join(piece if piece.startswith("¶") else " " + piece for piece in kept[1:])

    def _headed(self, pattern: str) -> str:
        """Now and then with the head of a mail, or of a mail that was passed on."""
        fields = {name for names, _, _ in _SLOT.findall(pattern) for name in names.split(",")}
        last = pattern.rsplit("¶", 1)[-1]
        is_own_mail = "{name}" in last or "{customer,name@person}" in last
        subject = {"en": "Subject", "de": "Betreff", "fr": "Objet"}[self.language]
        sender, to = {"en": ("From", "To"), "de": ("Von", "An"), "fr": ("De", "À")}[self.language]
        if self.rng.random() < HEADER_SHARE and not pattern.startswith(("Subject", "INVOICE")):
            own = "{customer,name@person}" if "{customer,name@person}" in last else "{name}"
            writer = f"{own} <{{email}}>" if is_own_mail else "{OTHER} <{NOT_email}>"
            head = f"{sender}: {writer}¶{to}: {{MAILBOX}}¶"
            head += self.rng.choice(["", f"{subject}: {{THING}}¶", f"{subject}: Re: {{WORD}} {{N}}¶"])
            return f"{head}¶{pattern}"
        if self.rng.random() < FORWARD_SHARE and "email" in fields:
            line = self.rng.choice(
                ["---------- Forwarded message ---------", "-----Original Message-----", "FYI, see below."]
            )
            return f"{line}¶{sender}: {{OTHER}}¶¶{pattern}"
        return pattern

    def _filled(self, text: str) -> str:
        """Now and then with sentences that state nothing, around the text or long before it."""
        if self.rng.random() < FILLER_SHARE:
            before = self.filler.paragraphs(int(MAX_FILLER ** self.rng.uniform(0.7, 1.0)))
            text = f"{before}\n\n{text}"
            return f"{text}\n\n{self.filler.paragraphs(self.rng.randint(50, 300))}" if self.rng.random() < 0.3 else text
        if self.rng.random() < CHATTER_SHARE:
            chatter = " ".join(self.filler.sentence() for _ in range(self.rng.choice([1, 1, 2])))
            joint = self.rng.choice([" ", "\n"])
            return f"{text}{joint}{chatter}" if self.rng.random() < 0.5 else f"{chatter}{joint}{text}"
        return text

    def _slot(self, match: re.Match[str]) -> str:
        names, how, stated = match[1].split(","), match[2] or "", match[3]
        if stated == "null":
            self.lures.add(names[0])
            return ""
        if stated is not None:
            is_text = names[0] not in INTEGERS | NUMBERS and stated not in ("true", "false")
            self.facts[names[0]] = json.dumps(stated, ensure_ascii=False) if is_text else stated
            return ""
        if names[0].startswith("NOT_"):
            return self._other_value(names[0].removeprefix("NOT_"))
        if names[0] in PRONOUN_SLOTS or not names[0].islower():
            return self._word(names[0])
        return self._state(names, how)

    def _state(self, names: list[str], how: str) -> str:
        value = self.values[names[0]]
        for name in names:
            self.facts[name] = value.json_text
            self.values.setdefault(name, value)
        if "name" in names and not how and value.surface == f"{self.maker.first_name} {self.maker.last_name}":
            self.facts["first_name"] = text_value(self.maker.first_name).json_text
            self.facts["last_name"] = text_value(self.maker.last_name).json_text
        if how == "#":
            return plain_number(value, self.maker)
        if value.currency:
            self.facts["currency"] = json.dumps(value.currency)
        return value.surface

    def _value(self, name: str, how: str) -> Value:
        maker = self.maker
        if how == "@first":
            return text_value(maker.first_name)
        if how == "@last":
            return text_value(maker.last_name)
        if how in ("@person", "@one"):
            value = text_value(maker.name())
            return value if how == "@person" else Value(value.surface, json.dumps([value.surface], ensure_ascii=False))
        if how == "@company" or name == "company":
            return text_value(maker.company())
        if name == "customer":
            return text_value(maker.name() if self.rng.random() < 0.7 else maker.company())
        value = natural_value(maker, name)
        while value.surface in {other.surface for other in self.values.values()}:
            value = natural_value(maker, name)
        return value

    def _other_value(self, name: str) -> str:
        """A value of the field as somebody else's."""
        self.unclear.add(name)
        other = NaturalMaker(self.rng, self.held_out, self.language)
        for attribute in ("currency", "money_style", "group_mark", "decimal_mark", "has_cents", "date_style"):
            setattr(other, attribute, getattr(self.maker, attribute))
        value = natural_value(other, name)
        while name in self.values and value.json_text == self.values[name].json_text:
            value = natural_value(other, name)
        return value.surface

    def _word(self, name: str) -> str:
        rng, maker = self.rng, self.maker
        women, men = PRONOUNS[self.language]
        pronouns = dict(zip(PRONOUN_SLOTS, women if maker.is_female else men, strict=True))
        if name in pronouns:
            return pronouns[name]
        if name.startswith("OTHER"):
            self.unclear |= {"name", "company"} if name == "OTHERCO" else {"name"}
        if name == "THING":
            self.unclear.add("product")
        if name == "CUR":
            self.facts["currency"] = json.dumps(maker.currency)
            return maker.currency
        if name == "LINES":
            return self._lines()
        makers: dict[str, Callable[[], str]] = {
            "OTHER": maker.person,
            "OTHERFIRST": lambda: maker.person().split(" ")[0],
            "OTHERLAST": maker._last_name,
            "OTHERCO": maker.company,
            "MAILBOX": lambda: f"{rng.choice(['office', 'info', 'team', 'kontakt', 'mail'])}@{maker._host()}",
            "MR": lambda: rng.choice(TITLES[self.language]),
            "WEEKDAY": maker.weekday,
            "THING": lambda: pools.pick(rng, natural_words.COMMON_WORDS, self.held_out),
            "WORD": lambda: maker._word(),
            "N": lambda: str(rng.randint(2, 60)),
            "N4": lambda: str(rng.randint(1994, 2025)),
        }
        return makers[name]()

    def _lines(self) -> str:
        """Two to four lines of a bill; only the things on it count as stated, as items."""
        self.unclear |= {"product", "quantity", "price", "event"}
        shape = self.rng.choice(LINE_SHAPES)
        things: list[str] = []
        lines = []
        for _ in range(self.rng.randint(2, 4)):
            thing = self.maker.product()
            if thing in things:
                continue
            things.append(thing)
            money = plain_number(self.maker.money(1, 300), self.maker)
            lines.append(shape.replace("{n}", str(self.rng.randint(1, 12))).replace("{t}", thing).replace("{m}", money))
        self.facts["items"] = json.dumps(things, ensure_ascii=False, separators=(",", ":"))
        return "\n".join(lines)


def _lower_case(pattern: str) -> str:
    """The pattern without capitals, the names in its marks as they are."""
    parts = re.split(r"(\{[^{}]*\}|<NOT_)", pattern)
    return "".join(part if part.startswith(("{", "<NOT_")) else part.lower() for part in parts)
