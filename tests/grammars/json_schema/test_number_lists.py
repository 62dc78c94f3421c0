"""Lists of numbers are what the union of their numbers is, and cost as little as lists of strings."""

import random
import time
from decimal import Decimal

import pytest

import guided
from guided.grammars.json_schema import numbers
from guided.grammars.regex import algebra as lang
from tests.grammars.vocabularies import byte_vocabulary, mask_of, matches

VALUES = [
    "0", "1", "-1", "10", "12", "120", "12.5", "12.05", "-12.5", "0.5", "0.05", "1e16", "1.5e20", "-2.5e-7", "1e308",
    "3e-308", "1e-320", "1e320", "5e500", "1.00000000000000001", "1.0000000000000000001", "99", "100", "1000",
]  # fmt: skip
GRIDS = [
    (None, None),
    (Decimal("0.5"), None),
    (Decimal(3), None),
    (None, "value"),
    (None, "text"),
    (Decimal(2), "text"),
]


def spelled(rng, value):
    """A spelling of a number, right or nearly."""
    number = Decimal(value)
    mantissa, _, power = f"{number:e}".partition("e")
    zeros = rng.choice(["", "", "0", "00", "0" * 14])
    if rng.random() < 0.5:
        text = f"{number:f}"
        return text + ("" if "." in text else rng.choice(["", ".", ".0"])) + zeros
    mantissa += ("" if "." in mantissa else rng.choice(["", ".", ".0"])) + zeros
    power = str(int(power) + rng.choice([0, 0, 0, 0, 1]))
    sign = "-" if power.startswith("-") else rng.choice(["", "+"])
    return f"{mantissa}{rng.choice('eE')}{sign}{power.lstrip('-').zfill(rng.randint(1, 4))}"


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_a_list_is_the_union_of_its_numbers(grid):
    rng = random.Random(str(grid))
    for _ in range(12):
        chosen = rng.sample(VALUES, rng.randint(2, 9))
        bounds = [numbers.bounded(minimum=Decimal(one), maximum=Decimal(one), multiple_of=grid[0], integer=grid[1])
                  for one in chosen]  # fmt: skip
        union, listed = lang.union(*bounds), numbers.one_of(map(Decimal, chosen), *grid)
        for text in ("0", "-0", "-0.0", "0e1", "1", *[spelled(rng, rng.choice(VALUES)) for _ in range(100)]):
            assert lang.matches(listed, text) == lang.matches(union, text), (chosen, text)
            assert lang.matches(numbers.within(numbers.PLAIN, listed), text) == (
                lang.matches(union, text) and "e" not in text.lower()
            )


def test_equal_lists_are_one_language():
    assert numbers.one_of(map(Decimal, range(9))) is numbers.one_of(map(Decimal, reversed(range(9))))


SCHEMAS = [
    lambda values: {"enum": values},
    lambda values: {"type": "integer", "enum": values},
    lambda values: {"anyOf": [{"const": value} for value in values]},
    lambda values: {"enum": values, "minimum": 10, "not": {"const": 77}},
    lambda values: {"enum": [*values, *map(str, values), None]},
    lambda values: {"items": {"enum": values}, "type": "array", "uniqueItems": True, "minItems": 1},
]


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_list_of_numbers_costs_what_a_list_of_strings_does(schema):
    values = [2 * number + 1 for number in range(20_000)]
    vocabulary = byte_vocabulary()
    start = time.process_time()
    matcher = guided.compile_grammar(vocabulary, json_schema=schema(values)).matcher()
    mask_of(matcher, vocabulary)
    assert time.process_time() - start < 2
    text = "[39999]" if "items" in schema([]) else "39999"
    for byte in text.encode():
        start = time.process_time()
        assert byte in mask_of(matcher, vocabulary)
        assert matcher.accept_token(byte)
        assert time.process_time() - start < 0.25
    assert matcher.is_accepting()
    assert not any(matches(matcher, text.replace("39999", other)) for other in ("39998", "40001"))


def test_masks_of_many_long_numbers():
    """Numbers that share few digits: 0.25 s, and 2.4 s if each digit of each number is a position of an expression."""
    rng = random.Random(1)
    ids = [rng.randrange(10**17, 10**18) for _ in range(20_000)]
    vocabulary = byte_vocabulary()
    matcher = guided.compile_grammar(vocabulary, json_schema={"type": "array", "items": {"enum": ids}}).matcher()
    start = time.process_time()
    for byte in f"[{ids[7]},{ids[-1]}]".encode():
        assert byte in mask_of(matcher, vocabulary)
        assert matcher.accept_token(byte)
    assert time.process_time() - start < 1
    assert matcher.is_accepting()


def test_what_is_none_of_a_list():
    vocabulary = byte_vocabulary()
    matcher = guided.compile_grammar(
        vocabulary, json_schema={"type": "integer", "not": {"enum": list(range(0, 4000, 2))}}
    ).matcher()
    start = time.process_time()
    assert all(matches(matcher, other) for other in ("1999", "-2", "4000"))
    assert not any(matches(matcher, listed) for listed in ("1998", "0", "1998.0"))
    assert time.process_time() - start < 5


@pytest.mark.parametrize("magnitude", ["12345678901234567890123456789012345", "0.12345678901234567890123456789012345"])
def test_all_digits_of_a_number_are_kept(magnitude):
    """Also those past the 28 digits to which arithmetic of decimals rounds."""
    value = Decimal(f"-{magnitude}")
    for language in (numbers.one_of([value]), numbers.one_of([value, Decimal(7)])):
        assert value in numbers.values_in(language)
        assert lang.matches(numbers.within(numbers.CANONICAL, language, is_written=True), str(value))
