"""How a document is written: a form, a mail, prose, a chat, Markdown, lines of a machine; its list as a table or lines."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from examples.embedded_model.corpus.filler import FillerWriter

from .values import Value, Values, ways

Row = Mapping[str, Value | None]
KINDS = ["form", "form", "mail", "prose", "chat", "markdown", "machine"]
OPEN, CLOSE = "\ue000", "\ue001"  # around values: noise leaves them as they are
NOISE_SHARE = 0.14  # of the texts: read by a machine that takes letters for others
NOISE = {"o": "0", "l": "1", "m": "rn", "i": "l", "e": "c", "s": "5", "B": "8", "I": "l", "O": "0", "g": "q"}
TALK_SHARE = 0.4  # of the texts: with sentences that state nothing
EMPTY = ["-", "n/a", "", "--", "none", "?"]
GREETINGS = (
    "Hello,|Dear all,|Hi there,|Good morning / Guten Tag,|Hallo, / Bonjour,|Madame, Monsieur, / Hola:|Buenos días:"
)
ENDINGS = "Best wishes|Thanks in advance|Regards / Viele Grüße|Mit bestem Gruß / Cordialement|Bien à vous / Saludos|Atentamente"
LINES = """Page 1 of {n}|Printed by {person}|Our office: {city}, phone {phone}|Form {code}, version {n}|Questions? {email}|Account {code}|Scanned at {clock}|Copy for {person}
 / Seite 1 von {n}|Gedruckt von {person}|Büro {city}, Telefon {phone}|Formular {code}|Fragen an {email}|Konto {code}
 / Page 1 sur {n}|Imprimé par {person}|Bureau de {city}, tél. {phone}|Formulaire {code}|Questions : {email}
 / Página 1 de {n}|Impreso por {person}|Oficina de {city}, tel. {phone}|Formulario {code}|Preguntas: {email}"""
SPANISH = """El resto queda como siempre.|Gracias por la paciencia de estas semanas.|La puerta del patio sigue abierta por las tardes.|Nadie ha visto el paraguas verde.
El ascensor hace ruido otra vez.|Los papeles están en la carpeta azul.|Habrá café para todos.|No olviden cerrar las ventanas.|La lluvia no nos ha molestado.""".replace(
    "\n", "|"
).split("|")


class Layout:
    """Writes one document."""

    def __init__(self, rng: random.Random, language: str, values: Values) -> None:
        self.rng = rng
        self.language = language
        self.values = values
        self.filler = FillerWriter(rng, "en" if language == "es" else language, held_out=False)
        self.kind = rng.choice(KINDS)

    def write(self, kind: dict[str, Any], fields: Mapping[str, Value | None], rows: Sequence[Row] | None) -> str:
        """The text of a document of this kind, with these facts."""
        told = [(kind["fields"][name], value) for name, value in fields.items()]
        if self.rng.random() < 0.4:
            self.rng.shuffle(told)
        parts = [self._one_of(kind["titles"])] if self.rng.random() < 0.7 else []
        parts.append(self._fields(told))
        if rows is not None:
            parts.append(self._rows(kind["items"], rows))
        if self._needs_currency(kind, fields, rows):
            parts.append(self._mark(Value(self.values.money_style.format("0").replace("0", ""), None)).strip())
        parts = [*parts, *self._around()]
        if self.kind == "mail":
            parts = [self._one_of(GREETINGS), *parts, self._one_of(ENDINGS)]
        text = self.rng.choice(["\n", "\n\n", "\n\n"]).join(part for part in parts if part.strip())
        if self.rng.random() < NOISE_SHARE:
            text = self._with_noise(text)
        return text.replace(OPEN, "").replace(CLOSE, "").strip()

    def _needs_currency(
        self, kind: dict[str, Any], fields: Mapping[str, Value | None], rows: Sequence[Row] | None
    ) -> bool:
        """Whether the currency is asked for and no sum of money in the text tells it."""
        sums = [name for name, spec in kind["fields"].items() if spec["is"].startswith("money") and fields[name]]
        return "currency" in fields and not sums

    def _around(self) -> list[str]:
        """Words that state nothing asked for: lines of a form, and now and then long paragraphs."""
        rng, found = self.rng, []
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            found.append(self._filled(rng.choice([line for line in ways(LINES, self.language) if line.strip()])))
        if rng.random() < TALK_SHARE:
            length = rng.choice([60, 100, 200, 400]) if rng.random() < 0.9 else rng.randint(1000, 3500)
            found.append(self.talk(length))
        return found

    def talk(self, length: int) -> str:
        """Sentences that state nothing, of about so many characters."""
        if self.language != "es":
            return self.filler.paragraphs(length)
        return " ".join(self.rng.sample(SPANISH, min(len(SPANISH), 1 + length // 60)))

    def _filled(self, line: str) -> str:
        def value(match: re.Match[str]) -> str:
            name = {"clock": "time", "n": "int:2:9"}.get(match[1], match[1])
            return self.values.make({"is": name}, {}).text

        return re.sub(r"\{(\w+)\}", value, line.strip())

    def _one_of(self, source: str) -> str:
        return self.rng.choice(ways(source, self.language)).strip()

    def _mark(self, value: Value | None) -> str:
        return "" if value is None else f"{OPEN}{value.text}{CLOSE}"

    def _fields(self, told: Sequence[tuple[dict[str, Any], Value | None]]) -> str:
        """All fields but the currency, which the sums of money tell."""
        told = [(spec, value) for spec, value in told if spec.get("label")]
        if self.kind in ("prose", "mail", "chat"):
            sentences = [self._sentence(spec, value) for spec, value in told if value is not None]
            return self._chat(sentences) if self.kind == "chat" else self._paragraphs(sentences)
        mark = self.rng.choice([": ", ": ", ":  ", " = ", " - ", "\t", " .... "])
        lines = []
        for spec, value in told:
            if value is None and self.rng.random() < 0.6:
                continue
            label = self._one_of(spec["label"])
            text = self.rng.choice(EMPTY) if value is None else self._mark(value)
            if self.kind == "machine":
                lines.append(f"{re.sub(r'[^A-Z]+', '_', label.upper()).strip('_') or 'F'}={text}")
            elif self.kind == "markdown":
                lines.append(f"- **{label}**: {text}")
            else:
                lines.append(f"{label}{mark}{text}")
        return "\n".join(lines)

    def _sentence(self, spec: dict[str, Any], value: Value) -> str:
        if "yes" in spec and self.rng.random() < 0.8:
            return self._one_of(spec["yes" if value.data else "no"])
        if "says" in spec and value.data != []:
            return self._one_of(spec["says"]).replace("{}", self._mark(value))
        return f"{self._one_of(spec['label'])}: {self._mark(value)}."

    def _paragraphs(self, sentences: Sequence[str]) -> str:
        found = ""
        for sentence in sentences:
            if self.rng.random() < 0.25:
                found += self.talk(40) + " "
            found += sentence + self.rng.choice([" ", " ", " ", "\n", "\n\n"])
        return found

    def _chat(self, sentences: Sequence[str]) -> str:
        """Lines of two people with times or without."""
        names = [self.values.make({"is": "first"}, {}).text for _ in range(2)]
        shape = self.rng.choice(["[{t}] {n}: {s}", "{n}: {s}", "{t} {n}> {s}", "<{n}> {s}", "{n} ({t})\n{s}"])
        minute, lines = self.rng.randint(480, 1200), []
        for sentence in sentences:
            texts = [sentence, *([self.talk(20)] if self.rng.random() < 0.3 else [])]
            for text in texts:
                minute += self.rng.randint(0, 3)
                time = f"{minute // 60}:{minute % 60:02}"
                lines.append(shape.replace("{t}", time).replace("{n}", self.rng.choice(names)).replace("{s}", text))
        return "\n".join(lines)

    def _rows(self, items: dict[str, Any], rows: Sequence[Row]) -> str:
        if not rows:
            return self._one_of(items["none"]) if "none" in items and self.rng.random() < 0.8 else ""
        names = list(rows[0])
        labels = [self._one_of(items["columns"][name]["label"]) for name in names]
        cells = [[self._mark(row[name]) for name in names] for row in rows]
        shape = self.rng.choice(["table", "table", "csv", "csv", "fixed", "lines", "blocks", "sentences"])
        if shape == "table":
            rule = "|" + "|".join(self.rng.choice(["---", ":--", "--:"]) for _ in names) + "|"
            return "\n".join([_bars(labels), rule, *map(_bars, cells)])
        if shape == "csv":
            mark = self.rng.choice([";", "\t", "|"] if self.values.comma else [",", ";", "\t", "|"])
            return "\n".join(mark.join(_quoted(cell, mark) for cell in line) for line in [labels, *cells])
        if shape == "fixed":
            widths = [max(len(line[i]) for line in [labels, *cells]) + 2 for i in range(len(names))]
            labels = [f"{label:{width}}" for label, width in zip(labels, widths, strict=True)]
            lines = [
                "".join(f"{cell:{width + 2}}" for cell, width in zip(line, widths, strict=True)).rstrip()
                for line in cells
            ]
            return "\n".join(["  ".join(labels).rstrip(), *lines])
        told = [[f"{label} {cell}" for label, cell in zip(labels, line, strict=True) if cell] for line in cells]
        if shape == "blocks":
            joint = self.rng.choice(["; ", ", ", "\n  ", " | "])
            return "\n".join(f"{i}) {joint.join(line)}" for i, line in enumerate(told, start=1))
        if shape == "sentences":
            return " ".join(f"{', '.join(line)}." for line in told)
        bullet = self.rng.choice(["- ", "* ", "• ", ""])
        return "\n".join(bullet + ", ".join([line[0].removeprefix(f"{labels[0]} "), *line[1:]]) for line in told)

    def _with_noise(self, text: str) -> str:
        """The text with letters taken for others, outside of values."""
        share = self.rng.choice([0.02, 0.05, 0.1])
        parts = re.split(f"({OPEN}[^{CLOSE}]*{CLOSE})", text)
        return "".join(
            part
            if part.startswith(OPEN)
            else "".join(NOISE[c] if c in NOISE and self.rng.random() < share else c for c in part)
            for part in parts
        )


def _bars(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _quoted(cell: str, mark: str) -> str:
    return f'"{cell}"' if mark in cell else cell
