"""`Stated`: the numbers and dates that a text states, in every possible reading.

Points and commas of a number are read in each way ("1.299" is 1.299 and 1299). Only an amount has a single reading:
"EUR 12,480.00" is 12480. A factor that follows is applied ("1,5 million", "12 %"), and number words of the languages in
WORDS count. A value that is missing in `Stated` is not stated by the text. A value that is present may still mean
something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from .stated_dates import stated_dates, stated_times

Number = int | float

MAX_DIGITS = 40  # maximum length of one number
_WORD = re.compile(r"[^\W\d_]+")
_SEPARATORS = ".,'\u2019 \u00a0\u2009\u202f"
_CHAIN = re.compile(rf"\d+(?:[{_SEPARATORS}]\d+)*")
_AMOUNT = re.compile(r"\d{1,3}(?:(?:,\d{3})+\.|(?:\.\d{3})+,|(?:['\u2019]\d{3})+[.,])\d{2}")
_AMOUNT_BEFORE = re.compile(r"(?:[^\W\d_]|[:=€$£¥])[ \u00a0]?$")  # not a comma: "bolts,12,480.00" are two columns
_MINUS_BEFORE = re.compile(r"(?<![^\W_])[-\u2212\u2013(]\s?(?:[^\w\s]|[A-Z]{3})?\s?$")
_MINUS_BEHIND = re.compile(r"-(?!\w)")
_FACTOR = re.compile(r"\s?-?(%|[^\W\d_]+)")
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "1/2": 0.5, "1/4": 0.25, "3/4": 0.75}
_FRACTION = re.compile(r"(?:(?<!\d)(\d{1,9})\s?)?(½|¼|¾|⅓|⅔|(?<!\d)(?:1/2|1/4|3/4)(?!\d))")
_FACTORS = {
    **dict.fromkeys(("%", "percent", "prozent", "procent", "pct"), Decimal("0.01")),
    **dict.fromkeys(("hundred", "hundert"), Decimal(100)),
    **dict.fromkeys(("k", "thousand", "tausend", "tsd", "mille", "mil", "tusen", "duizend", "tys"), Decimal(10**3)),
    **dict.fromkeys(("m", "mn", "mio", "mln", "million", "millions", "millionen", "miljoen"), Decimal(10**6)),
    **dict.fromkeys(("millones", "milioni", "milhões", "miljoner", "millioner"), Decimal(10**6)),
    **dict.fromkeys(("bn", "mrd", "mld", "billion", "billions", "milliard", "milliards"), Decimal(10**9)),
    **dict.fromkeys(("milliarde", "milliarden", "miljard", "miljarder", "milliarder"), Decimal(10**9)),
}
_NUMERALS = """
    no,none,zero,nil null,kein,keine,keinen zéro,aucun,aucune cero,ningún nessun,nessuna geen,nul ingen,inget nenhum
    a,an,one,once,first ein,eine,einen,einem,einer,eins un,une una,uno um,uma een,eerste en,ett,et,én
    two,twice,second,pair,couple zwei,beide deux dos due dois,duas twee två,to
    three,third drei trois tres tre três drie
    four,fourth vier quatre cuatro quattro quatro fyra,fire
    five,fifth fünf cinq cinco cinque vijf fem
    six,sixth sechs seis sei zes sex,seks
    seven,seventh sieben sept siete sette sete zeven sju,syv
    eight,eighth acht huit ocho otto oito åtta,åtte,otte
    nine,ninth neun neuf nueve nove negen nio,ni
    ten,tenth zehn dix diez dieci dez tien tio,ti
    eleven,eleventh elf onze once undici elva,elleve
    twelve,twelfth,dozen zwölf,dutzend douze doce dodici doze twaalf tolv
    thirteen,thirteenth dreizehn treize trece tredici treze dertien tretton,tretten
    fourteen,fourteenth vierzehn quatorze catorce quattordici catorze veertien fjorton,fjorten
    fifteen,fifteenth fünfzehn quinze quince quindici vijftien femton,femten
    sixteen,sixteenth sechzehn seize dieciséis sedici zestien sexton,seksten
    seventeen,seventeenth siebzehn diecisiete diciassette zeventien sjutton,sytten
    eighteen,eighteenth achtzehn dieciocho diciotto achttien arton,atten
    nineteen,nineteenth neunzehn diecinueve diciannove negentien nitton,nitten
    twenty,twentieth zwanzig vingt veinte venti vinte twintig tjugo,tjue,tyve
"""
_TENS = "thirty forty fifty sixty seventy eighty ninety"
WORDS = {word: n for n, line in enumerate(_NUMERALS.split("\n")[1:-1]) for word in re.split(r"[,\s]+", line.strip())}
WORDS |= {word: 10 * n for n, word in enumerate(_TENS.split(), start=3)} | {"once": 1}


@dataclass(frozen=True)
class Stated:
    """numbers: all readings of all numbers. is_exact: no number has more digits than a float keeps.

    dates, times: patterns of all stated dates and times in ISO format; the pattern of dates begins with "^". None if
        the text states none.
    """

    numbers: frozenset[Number]
    is_exact: bool
    dates: str | None
    times: str | None


def stated_in(text: str) -> Stated:
    """The numbers, dates and times that a text states."""
    words = [word.lower() for word in _WORD.findall(text)]
    named = {WORDS[word] for word in words if word in WORDS}
    read: set[Decimal] = set()
    for chain in _CHAIN.finditer(text):
        read |= _numbers_of(chain, text)
    numbers = frozenset({*named, *_composed(words), *_fractions(text), *map(_number, read)})
    is_exact = all(Decimal(repr(_number(one))) == one for one in read)
    return Stated(numbers, is_exact, stated_dates(text, named), stated_times(text))


def begins_with(pattern: str, value: str) -> bool:
    """True if a text begins with a match of one of the patterns of `Stated`."""
    return re.match(pattern, value) is not None


def _numbers_of(chain: re.Match[str], text: str) -> set[Decimal]:
    """All readings of a chain of digits and separators, such as "1 254,40"."""
    parts, separators = re.split(rf"[{_SEPARATORS}]", chain[0]), re.sub(r"\d", "", chain[0])
    factor = _FACTORS.get(found[1].lower()) if (found := _FACTOR.match(text, chain.end())) else None
    before = text[max(0, chain.start() - 6) : chain.start()]
    is_negative = _MINUS_BEFORE.search(before) or _MINUS_BEHIND.match(text, chain.end())
    numbers: set[Decimal] = set()
    is_amount = _AMOUNT.fullmatch(chain[0]) is not None and _AMOUNT_BEFORE.search(before) is not None
    for first in range(1 if is_amount else len(parts)):
        for last, reading in _readings(parts, separators, first):
            if is_amount and last < len(parts) - 1:
                continue
            given = [reading] if factor is None or last < len(parts) - 1 else [reading, reading * factor]
            numbers.update(given)
            if is_negative:
                numbers.update([-one for one in given])
    return numbers


def _readings(parts: list[str], separators: str, first: int) -> Iterator[tuple[int, Decimal]]:
    """The numbers that begin with part `first`, each with the index of its last part: plain, grouped in thousands, with
    decimals.
    """
    whole = parts[first]
    if len(whole) > MAX_DIGITS:
        return
    yield first, Decimal(whole)
    for last in range(first + 1, len(parts)):
        separator, part = separators[last - 1], parts[last]
        grouping = set(separators[first : last - 1])
        is_grouped = separator == "," and separators[last : last + 1] == "."  # "12,480.00" is not 12.48
        if separator in ".," and separator not in grouping and not is_grouped and len(part) <= MAX_DIGITS:
            yield last, Decimal(f"{whole}.{part}")
        if len(part) != 3 or len(parts[first]) > 3 or grouping - {separator} or len(whole) > MAX_DIGITS:
            return
        whole += part
        yield last, Decimal(whole)


def _composed(words: list[str]) -> Iterator[Number]:
    """Numbers of two words: "forty two", "three hundred"."""
    for before, word in pairwise(words):
        value, more = WORDS.get(before), WORDS.get(word)
        if value is not None and value >= 20 and value % 10 == 0 and more is not None and 0 < more < 10:
            yield value + more
        if value is not None and len(word) > 1 and word in _FACTORS:
            yield _number(value * _FACTORS[word])


def _fractions(text: str) -> Iterator[float]:
    for whole, fraction in _FRACTION.findall(text):
        yield _FRACTIONS[fraction]
        if whole:
            yield int(whole) + _FRACTIONS[fraction]


def _number(value: Decimal) -> Number:
    """The number as in JSON: whole numbers are integers."""
    return int(value) if value == value.to_integral_value() else float(value)
