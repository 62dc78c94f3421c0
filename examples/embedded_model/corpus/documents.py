"""Short texts composed from templates, with the facts that they state."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from functools import cache

from . import pools
from .template_lines import SLOT, Template, load_templates, load_training_templates
from .templates import ASIDES, JOINTS, KIND_FIELDS, LABELS, LEAD_INS, SMALL_TALK, TEMPLATES
from .training_templates import SMALL_TALK as TRAINING_SMALL_TALK
from .training_templates import TRAINING_LABELS, TRAINING_TEMPLATES
from .training_words import JUDGEMENTS
from .values import Value, ValueMaker, foreign_phrase, text_value, with_articles

STYLE_SHARES = {"prose": 0.68, "form": 0.14, "mixed": 0.18}
TRAINING_STYLE_SHARES = {"prose": 0.8, "form": 0.06, "mixed": 0.14}  # forms are learned fast
ROUGH_SHARE = 0.2  # of the training sentences that get a word or two changed
LEAD_IN_SHARE = 0.12  # of the training sentences with facts
ASIDE_SHARE = 0.05
JOIN_SHARE = 0.12  # of the training sentences that become one with the next
NONSENSE_SHARE = 0.04  # of the training sentences on self-evident fields that are made of random words
SLOPPY_SHARE = 0.05  # of the training texts written without capitals
OPEN_END_SHARE = 0.07  # of the training sentences that lose their full stop, so that the next one begins without a mark
CHATTER_SHARE = 0.1  # of the training texts that get a sentence of any words which states nothing
JUDGED_SHARE = 0.05  # of the products in training sentences that get a word like "nice" before them
COLORED_SHARE = 0.05  # of the products in training texts about a product that get its color before them
TITLE_SHARE = 0.06  # of the names in training sentences that get a title
SELF_EVIDENT = {  # fields that a value's form gives away, whatever the words around it
    "person": {"email", "phone", "website", "address", "salary"},
    "order": {"email", "phone", "order_id", "address"},
    "invoice": {"email", "phone", "website", "invoice_number", "address"},
    "event": {"email", "phone", "website", "price", "address"},
    "product": {"email", "phone", "website", "sku"},
}
STARTS = set(
    """The It She He Her His We You They There This In At On By For From With Please Our My Its A If When After
    Until What How Who Where Is Has All Nobody Everything Nothing Payment Tickets Shipping Delivery
    Although Though Because Since As While Once Before After These Those Not Only Just Both Every One No Whoever Anyone
    Everyone Everybody Somebody Someone Without Never Did Do Does Have Can Could Would Which Why That Instead""".split()
)
TITLES = ["Dr.", "Mr.", "Ms.", "Mrs.", "Prof."]
LABEL_WORDS = ["Your", "The", "Our", "Main", "My", "His", "Her", "New"]
KEPT_WORDS = set("from to by until till at on for of before and or not no end ends start starts due each total".split())
UNSTATED = "NOT_"  # before a field's name in a slot: a value of it that the text does not state
LABEL_ENDS = ["*", "(required)", "1", "info", "as given", "on file", "(new)", "today"]
FILLERS = """also now just really already then still soon today here there again quickly simply of course please so very
    kindly certainly perhaps probably apparently usually always finally currently recently mostly indeed well""".split()

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_PARTS = re.compile(r"(\{\w+\})")
_FULL_STOP = re.compile(r"(?<!Inc)(?<!Co)(?<!St)(?<!\.m)\.$")  # not the last character of a value
_ENUM_IN_FORMS = {"transfer": "bank transfer", "card": "credit card", "paypal": "PayPal"}


@dataclass
class Document:
    """A text and what it states. facts: field -> JSON text of its value."""

    kind: str
    text: str
    facts: dict[str, str] = field(default_factory=dict)


def _choices(source: str, training_source: str, held_out: bool) -> tuple[Template, ...]:
    """The held-out part of a block, or its training part with the lines that are for training alone."""
    return load_templates(source, held_out) + (() if held_out else load_training_templates(training_source))


@cache
def _templates_by_field(source: str, training_source: str, held_out: bool) -> dict[str, list[Template]]:
    by_field: dict[str, list[Template]] = {}
    for template in _choices(source, training_source, held_out):
        for name in sorted(template.fields):
            by_field.setdefault(name, []).append(template)
    return by_field


@cache
def _labels(name: str, held_out: bool) -> list[str]:
    labels = LABELS[name].split("|")
    if held_out:
        return labels[-1:]
    return labels[:-1] + [label for label in TRAINING_LABELS.get(name, "").split("|") if label]


@cache
def _lines(source: str) -> list[str]:
    return source.strip().splitlines()


def _without_capital(sentence: str) -> str:
    """The sentence as it goes on after other words; names keep their capitals."""
    if sentence.startswith(("{S}", "{P}")):
        return "{" + sentence[1].lower() + sentence[2:]
    first = sentence.split(" ")[0]
    return sentence[0].lower() + sentence[1:] if first in STARTS else sentence


class DocumentWriter:
    """Writes one document. held_out: use only held-out templates, labels and words."""

    def __init__(self, rng: random.Random, kind: str, held_out_templates: bool, held_out_values: bool) -> None:
        self.rng = rng
        self.kind = kind
        self.held_out = held_out_templates
        self.maker = ValueMaker(rng, held_out_values)
        self.values: dict[str, Value] = {}
        self.facts: dict[str, str] = {}
        self.is_sloppy = not held_out_templates and rng.random() < SLOPPY_SHARE

    def write(self) -> Document:
        style = self._style()
        num_facts = self.rng.choice([self.rng.randint(2, 6), self.rng.randint(4, 14)])
        if style == "form":
            text = self._form(self._unstated_fields()[: max(num_facts, 3)])
        else:
            sentences = self._prose(num_facts if style == "prose" else num_facts // 2)
            joint = self.rng.choice([" ", " ", " ", " ", "\n"])
            text = joint.join(self._with_small_talk(sentences))
            if style == "mixed":
                form = self._form(self._unstated_fields()[: max(2, num_facts // 2)])
                text = f"{text}\n{form}" if self.rng.random() < 0.85 else f"{form}\n{text}"
        return Document(self.kind, text, self.facts)

    def _unstated_fields(self) -> list[str]:
        fields = [name for name in KIND_FIELDS[self.kind] if name not in self.facts and name in LABELS]
        self.rng.shuffle(fields)
        return fields

    def _style(self) -> str:
        shares = STYLE_SHARES if self.held_out else TRAINING_STYLE_SHARES
        return self.rng.choices(list(shares), list(shares.values()))[0]

    def _prose(self, num_facts: int) -> list[str]:
        openings, details = TEMPLATES[self.kind]
        training_openings, training_details = TRAINING_TEMPLATES[self.kind]
        sentences = [self._render(self.rng.choice(_choices(openings, training_openings, self.held_out)).pattern)]
        by_field = _templates_by_field(details, training_details, self.held_out)
        for name in self._unstated_fields():
            if len(self.facts) >= num_facts:
                break
            candidates = [t for t in by_field.get(name, []) if self._fits(t)]
            if name not in self.facts and candidates:
                if self._chance(NONSENSE_SHARE) and name in SELF_EVIDENT[self.kind]:
                    sentences.append(self._render(self._nonsense(name), may_roughen=False))
                else:
                    sentences.append(self._state(self.rng.choice(candidates)))
        return sentences if self.held_out else [self._open_end(sentence) for sentence in self._join(sentences)]

    def _chance(self, share: float) -> bool:
        """True for that share of the calls in training, never in held-out texts."""
        return not self.held_out and self.rng.random() < share

    def _nonsense(self, name: str) -> str:
        """A field's slot among random words."""
        words = [
            self.rng.choice(FILLERS) if self.rng.random() < 0.4 else pools.syllables(self.rng, 1, 2).lower()
            for _ in range(self.rng.randint(1, 7))
        ]
        words[0] = words[0].capitalize()
        words.insert(self.rng.randint(0, len(words)), f"{{{name}}}")
        return " ".join(words) + self.rng.choice([".", ".", ".", "?", "!", ""])

    def _open_end(self, sentence: str) -> str:
        """Now and then without its full stop."""
        return _FULL_STOP.sub("", sentence) if self._chance(OPEN_END_SHARE) else sentence

    def _chatter(self) -> str:
        """A sentence of ordinary words in any order."""
        words = [
            self.rng.choice(FILLERS) if self.rng.random() < 0.3 else foreign_phrase(self.rng, "word")
            for _ in range(self.rng.randint(2, 8))
        ]
        return " ".join([words[0].capitalize(), *words[1:]]) + self.rng.choice([".", ".", ".", "?", "!", ""])

    def _join(self, sentences: list[str]) -> list[str]:
        """Now and then make two neighbours one sentence."""
        joined = sentences[:1]
        for sentence in sentences[1:]:
            if self._chance(JOIN_SHARE) and _FULL_STOP.search(joined[-1]):
                joined[-1] = joined[-1][:-1] + self.rng.choice(JOINTS) + _without_capital(sentence)
            else:
                joined.append(sentence)
        return joined

    def _embed(self, sentence: str) -> str:
        """Now and then put a phrase before the sentence or behind it."""
        if self._chance(LEAD_IN_SHARE):
            sentence = f"{self.rng.choice(_lines(LEAD_INS))} {_without_capital(sentence)}"
        if self._chance(ASIDE_SHARE) and sentence.endswith("."):
            sentence = f"{sentence[:-1]}, {self.rng.choice(_lines(ASIDES))}."
        return sentence

    def _fits(self, template: Template) -> bool:
        """No contradiction with what is stated, and little said twice."""
        if template.condition and template.condition[0] in self.facts:
            return False
        repeated = template.fields & self.facts.keys()
        return not repeated or self.rng.random() < 0.15

    def _state(self, template: Template) -> str:
        if template.condition:
            name, value = template.condition
            self.facts[name] = value if value in ("true", "false") else f'"{value}"'
        return self._render(self._embed(template.pattern), may_roughen=template.condition is None)

    def _with_small_talk(self, sentences: list[str]) -> list[str]:
        for _ in range(self.rng.choice([0, 0, 0, 0, 1, 1, 2])):
            line = self._render(self.rng.choice(_choices(SMALL_TALK, TRAINING_SMALL_TALK, self.held_out)).pattern)
            sentences.insert(self.rng.randint(0, len(sentences)), line)
        if self._chance(CHATTER_SHARE):
            sentences.insert(self.rng.randint(0, len(sentences)), self._chatter())
        return sentences

    def _render(self, pattern: str, *, may_roughen: bool = True) -> str:
        while _CHOICE.search(pattern):
            pattern = _CHOICE.sub(lambda match: self.rng.choice(match[1].split("|")), pattern)
        may_roughen = (
            may_roughen and UNSTATED not in pattern
        )  # a changed word could make the other value the stated one
        if may_roughen and not self.held_out and self.rng.random() < ROUGH_SHARE:
            pattern = self._roughen(pattern)
        if self.is_sloppy:
            pattern = "".join(part if part.startswith("{") else part.lower() for part in _PARTS.split(pattern))
        text = SLOT.sub(lambda match: self._slot(match[1]), pattern)
        return with_articles(text)

    def _roughen(self, pattern: str) -> str:
        """Drop, replace or add a word or two, so that no sentence is known by its exact wording. Prepositions stay."""
        words = pattern.split(" ")
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            i = self.rng.randrange(len(words))
            is_near_slot = any("{" in word for word in words[max(0, i - 1) : i + 2])
            filler = self.rng.choice(FILLERS)
            if not is_near_slot and self.rng.random() < 0.5:
                filler = pools.syllables(self.rng, 1, 2).lower()
            if self.rng.random() < 0.4:
                words.insert(i, filler)
            elif words[i].isalpha() and words[i].lower() not in KEPT_WORDS:
                words[i : i + 1] = [filler] if self.rng.random() < 0.6 else []
            if not words:
                return pattern
        return " ".join(words)

    def _slot(self, name: str) -> str:
        female = self.maker.is_female
        words = {"S": "She" if female else "He", "s": "she" if female else "he", "P": "Her" if female else "His"}
        words |= {"p": "her" if female else "his", "FIRST": self.maker.first_name, "LAST": self.maker.last_name}
        if name in words:
            return words[name]
        if name == "OTHER":
            return self.rng.choice([self.maker.person(), self.maker.person().split()[0]])
        if name == "NUMBER":
            return str(self.rng.randint(2, 400))
        if name.startswith(UNSTATED):
            return self._unstated(name.removeprefix(UNSTATED))
        surface = self._use(name).surface
        if name == "name" and not self.held_out and self.rng.random() < TITLE_SHARE:
            return f"{self.rng.choice(TITLES)} {surface}"
        if name == "product":
            return self._described(surface)
        return surface

    def _described(self, product: str) -> str:
        """The product, in training now and then with its color or a judgement before it."""
        if self.kind == "product" and "color" not in self.values and self._chance(COLORED_SHARE):
            product = f"{self._use('color').surface} {product}"
        return f"{self.rng.choice(JUDGEMENTS)} {product}" if self._chance(JUDGED_SHARE) else product

    def _unstated(self, name: str) -> str:
        """A value of the field as somebody else's, not the document's, money in the document's currency."""
        other = ValueMaker(self.rng, self.maker.held_out)
        other.currency, other.money_style = self.maker.currency, self.maker.money_style
        surface = other.make(name).surface
        return self._unstated(name) if name in self.values and surface == self.values[name].surface else surface

    def _use(self, name: str) -> Value:
        """The document's value of a field, now stated."""
        if name not in self.values:
            self.values[name] = self._consistent_value(name)
        value = self.values[name]
        self.facts[name] = value.json_text
        if name == "name":
            self.facts["first_name"] = text_value(self.maker.first_name).json_text
            self.facts["last_name"] = text_value(self.maker.last_name).json_text
        if value.currency:
            self.facts["currency"] = f'"{value.currency}"'
        return value

    def _consistent_value(self, name: str) -> Value:
        value = self.maker.make(name)
        while name in ("end_time", "delivery_date", "due_date") and value.surface in {
            v.surface for v in self.values.values()
        }:
            value = self.maker.make(name)
        return value

    def _form(self, fields: list[str]) -> str:
        separator = self.rng.choice([": ", ": ", ": ", " - ", " = ", ":\t"])
        joint = self.rng.choice(["\n", "\n", "\n", "; ", ", ", " | "])
        lines = []
        for name in fields:
            value = self._use(name)
            surface = _ENUM_IN_FORMS.get(value.surface, value.surface)
            if name in ("status", "payment_method", "priority", "category") and self.rng.random() < 0.5:
                surface = surface[0].upper() + surface[1:]
            lines.append(f"{self._label(name)}{separator}{surface}")
        return joint.join(lines)

    def _label(self, name: str) -> str:
        label = self.rng.choice(_labels(name, self.held_out))
        if self.held_out:
            return label
        if self.rng.random() < 0.1:
            label = f"{self.rng.choice(LABEL_WORDS)} {label}"
        if self.rng.random() < 0.06:
            label = f"{label} {self.rng.choice(LABEL_ENDS)}"
        return self.rng.choices([label, label.lower(), label.upper(), label.title()], [0.8, 0.1, 0.05, 0.05])[0]


def make_document(
    rng: random.Random, *, held_out_templates: bool = False, held_out_values: bool = False, kind: str | None = None
) -> Document:
    """A random document. held_out_*: compose it only of what training never sees."""
    chosen = kind or rng.choice(list(TEMPLATES))
    return DocumentWriter(rng, chosen, held_out_templates, held_out_values).write()
