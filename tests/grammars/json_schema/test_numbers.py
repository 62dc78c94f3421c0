import random
import re
from decimal import Decimal, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_schema import numbers
from guided.grammars.json_schema.numbers import bounded, spellings
from guided.grammars.regex import algebra as lang
from tests.examples import examples


def at_least(bound):
    return bounded(minimum=bound)


def greater_than(bound):
    return bounded(exclusive_minimum=bound)


def at_most(bound):
    return bounded(maximum=bound)


def less_than(bound):
    return bounded(exclusive_maximum=bound)


def multiple_of(multiple):
    return bounded(multiple_of=multiple)


def integer(zero_fraction):
    return bounded(integer="value" if zero_fraction else "text")


def canonical_text(value):
    return spellings(value)[0]


PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
EXPONENT = re.compile(r"-?[1-9](\.\d{1,16})?[eE]([+]?\d{1,3}|-\d{1,3})", re.ASCII)
NOT_CANONICAL = [
    "", "-", "01", "1.", ".5", "+1", "1e0020", "10e+20", "1e+309", "1.8e308", "4.9e-324", "1e-324", "1e", "1e-", "0e5",
    "1e-0", "44e27967", "1.00000000000000000e5", "1.e5",
]  # fmt: skip
EXPONENTS = [
    "e5",
    "E5",
    "e+5",
    "e-5",
    "e-05",
    "e-7",
    "e+16",
    "e16",
    "E+016",
    "e0",
    "e+307",
    "e-307",
    "e-323",
    "e-324",
    "e1",
    "e2",
]
BOUNDS = ["0", "1", "-1", "7", "9.99", "-12.5", "100", "20", "0.07", "1e16", "1.5e20", "1e-5", "-1e-7"]


def is_canonical(text):
    if PLAIN.fullmatch(text):
        return True
    is_double = EXPONENT.fullmatch(text) and numbers.SMALLEST <= abs(Decimal(text)) <= numbers.LARGEST
    return bool(is_double) and not re.search("[eE]-0+$", text)


def decimals():
    small = st.decimals(-1000, 1000, places=2).map(Decimal.normalize)
    any_size = st.builds(
        lambda digits, power: Decimal((0, (1,), power)) * digits, st.integers(-9999, 9999), st.integers(-25, 25)
    )
    special = st.sampled_from(["0", "-0", "1e16", "1e-5", "9.99e15", "1e400", "-1e-400", "0.1", "99.9990", "65535"])
    return small | any_size | special.map(Decimal)


def texts(seed):
    """Up to 20 texts of numbers, canonical or nearly so. Drawn here, as hypothesis takes 1 ms for each."""
    rng = random.Random(seed)
    return [rng.choice([_plain, _exponent])(rng) for _ in range(rng.randint(0, 20))]


def _plain(rng):
    fraction = rng.choice(["", f".{rng.randrange(10 ** rng.randint(1, 4))}", f".{rng.randrange(10**4):04}"])
    return f"{rng.choice(['', '-'])}{rng.randint(0, rng.choice([30, 10**6]))}{fraction}"


def _exponent(rng):
    fraction = rng.choice(["", f".{rng.randrange(1000):03}", f".{rng.randrange(10)}"])
    power = f"{rng.choice(['', '+', '-', '-0'])}{rng.randrange(10 ** rng.randint(1, 3))}"
    return f"{rng.choice(['', '-'])}{rng.randint(1, 9)}{fraction}{rng.choice('eE')}{power}"


def spelled_about(bound):
    """Texts whose values are at a bound and next to it."""
    text = format(bound, "f")
    dotted = text if "." in text else text + ".0"
    short = f"{bound:e}" if bound else "0"
    return [
        *spellings(bound),
        short,
        short.replace("e+", "e"),
        short.replace("e", "E"),
        text,
        dotted,
        dotted + "0",
        dotted + "01",
        "-" + text,
    ]


@given(
    st.tuples(*[st.none() | decimals()] * 4),
    st.none() | st.sampled_from(["0.01", "2.5", "7", "1000000", "0.3", "12.5", "1e-3"]).map(Decimal),
    st.sampled_from([None, "value", "text"]),
    st.integers(0, 2**32).map(texts),
)
@settings(deadline=None, max_examples=examples(120))
def test_bounded_holds_exactly_the_texts_whose_value_fits(bounds, multiple, integer, some):
    language = bounded(*bounds, multiple, integer)
    about = [
        text for bound in bounds if bound is not None and abs(bound.adjusted()) < 50 for text in spelled_about(bound)
    ]
    for text in [*some, *about, *NOT_CANONICAL]:
        assert lang.matches(language, text) == fits(text, bounds, multiple, integer), text


def fits(text, bounds, multiple, integer):
    if not is_canonical(text):
        return False
    with localcontext() as context:
        context.prec = 1000
        value = Decimal(text)
        minimum, above, maximum, below = bounds
        return (
            (minimum is None or value >= minimum)
            and (above is None or value > above)
            and (maximum is None or value <= maximum)
            and (below is None or value < below)
            and (multiple is None or ("e" not in text.lower() and value % multiple == 0))
            and (integer != "value" or ("e" not in text.lower() and value % 1 == 0))
            and (integer != "text" or text.lstrip("-").isdigit())
        )


@given(
    st.tuples(*[st.none() | st.sampled_from(BOUNDS).map(Decimal)] * 4),
    st.none() | st.sampled_from(["0.01", "2.5", "7", "30"]).map(Decimal),
    st.sampled_from([None, "value", "text"]),
)
@settings(deadline=None, max_examples=examples(40))
def test_every_state_leads_to_a_number(bounds, multiple, integer):
    language = bounded(*bounds, multiple, integer)
    seen, todo = {language}, [language]
    while todo and len(seen) < 150:
        state = todo.pop()
        assert state is lang.NOTHING or not lang.is_empty(state)
        new = {target for _, target in state.transitions()} - seen
        seen |= new
        todo += new


@pytest.mark.parametrize(
    ("arguments", "empty"),
    [
        ({"minimum": 1, "maximum": 6, "multiple_of": 7}, True),
        ({"minimum": 1, "maximum": 7, "multiple_of": 7}, False),
        ({"exclusive_minimum": 7, "exclusive_maximum": 14, "multiple_of": 7}, True),
        ({"minimum": "1.1", "maximum": "1.9", "integer": "value"}, True),
        ({"exclusive_minimum": 0, "exclusive_maximum": 1, "integer": "value"}, True),
        ({"exclusive_minimum": 0, "exclusive_maximum": 1}, False),
        ({"minimum": 0, "exclusive_maximum": 0}, True),
        ({"minimum": "-0", "maximum": 0}, False),
        ({"minimum": 1, "maximum": 10**9, "multiple_of": 10**9 + 7}, True),
        ({"minimum": 1, "maximum": 10**12, "multiple_of": 10**9 + 7}, False),
        ({"multiple_of": "2.5", "integer": "value", "minimum": 1, "maximum": 4}, True),
        ({"minimum": 5, "exclusive_maximum": 5}, True),
        ({"minimum": 10**3999 + 1, "maximum": 10**3999}, True),
    ],
)
def test_emptiness_needs_no_search(arguments, empty):
    numbers_ = {key: value if key == "integer" else Decimal(value) for key, value in arguments.items()}
    assert (bounded(**numbers_) is lang.NOTHING) == empty


def test_bounds_of_thousands_of_digits():
    bound = 10**3999 + 12345
    language = at_least(Decimal(bound))
    digits = "1" + "0" * 3994 + "12345"
    assert lang.matches(language, digits)
    assert lang.matches(language, digits + ".5")
    assert not lang.matches(language, digits[:-1] + "4")
    assert not lang.matches(language, digits[:-1])
    assert lang.matches(less_than(Decimal("1e-400")), "0." + "0" * 400 + "9")
    assert not lang.matches(less_than(Decimal("1e-400")), "0." + "0" * 399 + "1")


def test_complements_within_the_domain():
    not_whole = lang.difference(numbers.PLAIN, integer(zero_fraction=True))
    some = ("1", "1.0", "1.5", "1e+20", "1e-07", "x")
    assert [text for text in some if lang.matches(not_whole, text)] == ["1.5"]
    not_seven = lang.difference(numbers.PLAIN, multiple_of(Decimal(7)))
    assert [text for text in ("7", "14.0", "8", "7.5", "1e+20") if lang.matches(not_seven, text)] == ["8", "7.5"]


def test_conjunctions_by_intersection():
    from_one, sevens = at_least(Decimal(1)), multiple_of(Decimal(7))
    some = lang.intersect(from_one, at_most(Decimal(100000)), sevens, integer(True))
    assert lang.find_word(some) == "7"
    assert lang.is_empty(lang.intersect(from_one, at_most(Decimal(6)), sevens))


@pytest.mark.parametrize(
    "text", ["0", "-0", "12", "-0.50", "1e5", "1E+05", "1.50e-7", "0e0", "5e-324", "1.5e-310", "-9E-323"]
)
def test_json_numbers(text):
    assert lang.matches(numbers.JSON_NUMBER, text)


@pytest.mark.parametrize(
    "text", ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "Infinity", "NaN", "1_0", "0x1", "4e-324", "1e-325"]
)
def test_no_json_numbers(text):
    assert not lang.matches(numbers.JSON_NUMBER, text)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, ("1", "1.0")),
        (1.0, ("1", "1.0")),
        (-1, ("-1", "-1.0")),
        (0, ("0", "0.0", "-0.0")),
        (-0.0, ("0", "0.0", "-0.0")),
        (1.5, ("1.5",)),
        (Decimal("1.50"), ("1.5",)),
        (0.0001, ("0.0001",)),
        (1e-7, ("1e-07", "0.0000001")),
        (-1.25e-5, ("-1.25e-05", "-0.0000125")),
        (1e20, ("100000000000000000000", "100000000000000000000.0", "1e+20")),
        (10**16, ("10000000000000000", "10000000000000000.0", "1e+16")),
        (1234567890123456789, ("1234567890123456789", "1234567890123456789.0")),
    ],
)
def test_spellings(value, expected):
    assert spellings(value) == expected
    assert canonical_text(value) == expected[0]
    equal = numbers.one_of([Decimal(repr(value)) if isinstance(value, float) else Decimal(value)])
    assert all(lang.matches(equal, text) for text in expected)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
@settings(deadline=None)
def test_spellings_read_back_as_the_value(value):
    assert all(float(text) == value for text in spellings(value))
    assert all(is_canonical(text) for text in spellings(value))


def test_spellings_of_huge_integers_are_not_limited():
    assert canonical_text(10**5000) == "1" + "0" * 5000


@pytest.mark.parametrize(
    "arguments",
    [
        {"minimum": "Infinity"},
        {"exclusive_maximum": "NaN"},
        {"multiple_of": "0"},
        {"multiple_of": "-1"},
        {"multiple_of": "1e20000"},
    ],
)
def test_what_can_not_be_a_bound(arguments):
    with pytest.raises(InvalidInputError):
        bounded(**{key: Decimal(value) for key, value in arguments.items()})


@pytest.mark.parametrize(
    "predicate",
    [
        integer(zero_fraction=True),
        integer(zero_fraction=False),
        at_least(Decimal("-1.5")),
        at_most(Decimal(-7)),
        numbers.bounded(minimum=Decimal(0), maximum=Decimal(23), integer="value"),
        numbers.bounded(minimum=Decimal("1e20"), integer="text"),
        greater_than(Decimal("1e300")),
        multiple_of(Decimal("0.25")),
        numbers.one_of([Decimal("1e-9")]),
        lang.text("12"),
    ],
)
def test_within_a_domain(predicate: lang.Language) -> None:
    """All three domains in one test, as they share most states."""
    kept = []
    for domain in (numbers.PLAIN, numbers.CANONICAL, numbers.JSON_NUMBER):
        found, expected = numbers.within(domain, predicate), lang.intersect(domain, predicate)
        kept += [lang.difference(found, expected), lang.difference(expected, found)]
        assert all(map(lang.is_empty, kept[-2:])), domain
