"""Several kinds of grammar in one: `python -m tests.fuzz.combinations --seconds 3600 --seed 1`.

Objects with conditions, trees of `$dynamicRef` beside `unevaluated*`, numbers between exact fractions and quotes with
patterns and lengths, alone, in tags beside free text, and in `all_of` with banned substrings; nested brackets in
`all_of` with regexes, too. Along random walks of tokens of one of three vocabularies each token must be allowed exactly
where its bytes, one by one, are. What is written must be valid for oracles that know nothing of masks, and texts that
they call valid must be taken.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import (
    InvalidSchemaError,
    LimitExceededError,
    NoCompletionError,
    UnsatisfiableError,
    UnsupportedGrammarError,
    UnsupportedSchemaError,
)
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.json_schema.token_walk import Unclear, read_document

from . import budgets, masks, objects, quotes
from .command import Case, main
from .oracles import Oracles
from .walks import LIMITS, VOCABULARY, allowed, takes, try_piece

TEXT = "Ada ab, abba 12 b. ab a"
PATTERNS = ("^[ab ]+$", "a$", "^.{2,5}$", "b", "^(?!.*,)", "^[A-Za-z]+$")
REGEXES = (r"[^1]*", r"(?s).{0,40}", r"[^b]*b?[^b]*", r"\S+", r".*[)2]", r"(?:[^(]*\([^(]*\()*[^(]*")
BANNED = ("ab", "12", ",,", '""', "0", "a>", "}}", "l", "a", "x <", " ", "\u00e9")
BRACKETS = 'root ::= item*\nitem ::= [ab12] | "(" root ")"'
TAG_TOKENS = (b"<f", b"<f=a>", b"</f>", b"}</f>", b" <f=", b"ab<", b"<f=b>{", b'"</f>', b"1</f> a", b"</f><f=a>")
BRINGS_ON = frozenset((*TAG_TOKENS, b"<", b'"', b"{", b"}", b"f"))
NUM_WALKS = 3
NUM_TOKENS = 14
NUM_TRIED = 120
_END = 256

IsValid = Callable[[str], bool]


class Content(NamedTuple):
    """A schema with its oracle. is_valid: whether a JSON text is surely no wrong one. valid: texts that surely are."""

    schema: Any
    is_valid: IsValid
    valid: list[str]

    @property
    def scalars(self) -> list[str]:
        """The valid texts in which no order of keys matters."""
        return [text for text in self.valid if "{" not in text]


class Grammar(NamedTuple):
    """What `compile_grammar` takes, the oracle of whole texts, and texts that must be taken."""

    options: dict[str, Any]
    is_valid: IsValid
    valid: list[str]


@cache
def vocabularies() -> tuple[Vocabulary, ...]:
    """Bytes; bytes with long tokens of all kinds of grammar; the embedded model's."""
    longer = {token for one in (masks.VOCABULARY, quotes.VOCABULARY) for token in one.tokens[257:] if token}
    bytes_and_end = [*[bytes([byte]) for byte in range(256)], None]
    return VOCABULARY, Vocabulary([*bytes_and_end, *sorted(longer | set(TAG_TOKENS))], [_END]), budgets.tokenizer()[1]


# --- contents


def _object(rng: random.Random) -> Content:
    return _by_oracles(objects.make(rng), objects.documents(rng))


def _tree(rng: random.Random) -> Content:
    """A tree whose nodes are narrowed or widened by who refers to them."""
    key = rng.choice(["v", "w"])
    more = {"properties": {key: rng.choice([{"type": "null"}, {"enum": [1, "a"]}, {}])}}
    kids = rng.choice([{"type": "array", "items": {"$dynamicRef": "#node"}, "maxItems": 2}, {"$dynamicRef": "#node"}])
    base = {"$id": "base", "$dynamicAnchor": "node", "type": "object", "properties": {"k": kids, "n": {"type": "null"}}}
    closed: dict[str, Any] = {"unevaluatedProperties": rng.choice([False, {"type": "null"}, {"const": 2}])}
    condition = rng.choice(
        [
            more,
            {"anyOf": [more, {"required": ["n"]}]},
            {"if": {"required": ["k"]}, "then": more},
            {"dependentSchemas": {"n": more}},
            {"oneOf": [more, {"required": [key]}]},
        ]
    )
    schema = {"$id": "https://e/root", "$dynamicAnchor": "node", "$ref": "base", **condition, **closed}
    schema["$defs"] = {"base": base | (closed if rng.random() < 0.2 else {})}
    if rng.random() < 0.3:
        schema |= rng.choice([{"minProperties": 1}, {"maxProperties": 2}, {"required": ["k"]}])
    leaves: list[Any] = [{}, {"n": None}, {key: 1}, {key: None}, {"n": None, key: "a"}, {"x": 2}, {"k": 2}]
    values = [*leaves, *[leaf | {"k": rng.choice([[leaf], leaf, [leaf, {}]])} for leaf in leaves for _ in range(3)]]
    return _by_oracles(schema, values)


def _by_oracles(schema: Any, values: Iterable[Any]) -> Content:
    """values: of which the valid ones must be taken."""
    oracles = Oracles(schema)

    def is_valid(text: str) -> bool:
        try:
            return not oracles.contradict(read_document(text.encode()), True)
        except Unclear:
            return True

    valid = [json.dumps(one, separators=(",", ":")) for one in values if oracles.contradict(one, False)]
    return Content(schema, is_valid, valid)


def _number(rng: random.Random) -> Content:
    """A number with bounds and a step that no double is; what holds of it is computed without rounding."""
    low = round(Decimal(rng.randint(-300, 300)) / rng.choice([1, 3, 7, 40]), rng.randint(0, 6))
    high = low + Decimal(rng.choice(["0.3", "1", "0.07", "12.25"]))
    exclusive = rng.choice(["", "exclusive"])
    said = {
        _keyword(exclusive, "minimum"): low,
        _keyword(exclusive, "maximum"): high,
        "multipleOf": Decimal(rng.choice(["0.1", "0.07", "2.5", "3"])),
    }
    said = {name: value for name, value in said.items() if rng.random() < 0.7}
    is_whole = rng.random() < 0.3

    def is_valid(text: str) -> bool:
        value, exact = Fraction(Decimal(text)), {name: Fraction(one) for name, one in said.items()}
        checks: dict[str, Callable[[Fraction], bool]] = {
            "minimum": lambda one: value >= one,
            "exclusiveMinimum": lambda one: value > one,
            "maximum": lambda one: value <= one,
            "exclusiveMaximum": lambda one: value < one,
            "multipleOf": lambda one: (value / one).denominator == 1,
        }
        is_right = all(checks[name](one) for name, one in exact.items())
        return is_right and (not is_whole or value.denominator == 1)

    schema = {name: float(value) for name, value in said.items()}
    step = said.get("multipleOf", Decimal("0.5"))
    near = [
        low,
        high,
        low + Decimal("0.001"),
        *[(low / step).to_integral_value() * step + one * step for one in (0, 1, 2)],
    ]
    texts = [f"{value.normalize():f}" for value in near]
    return Content({"type": "integer" if is_whole else "number", **schema}, is_valid, [*filter(is_valid, texts)])


def _keyword(prefix: str, name: str) -> str:
    return prefix + name.capitalize() if prefix else name


def _quote(rng: random.Random) -> Content:
    """A quote of TEXT beside a pattern and lengths."""
    schema: dict[str, Any] = {
        "type": "string",
        "x-quote": {"source": "text", "boundaries": rng.choice(["any", "words"])},
    }
    if rng.random() < 0.7:
        schema["pattern"] = rng.choice(PATTERNS)
    schema |= {"minLength": rng.randint(0, 3)} if rng.random() < 0.4 else {}
    schema |= {"maxLength": rng.randint(3, 9)} if rng.random() < 0.4 else {}

    def is_valid(text: str) -> bool:
        value = json.loads(text)
        fits = schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(TEXT))
        return value in TEXT and value != "" and fits and re.search(schema.get("pattern", ""), value) is not None

    words = [TEXT[start:end] for start in range(len(TEXT)) for end in range(start + 1, min(start + 9, len(TEXT)) + 1)]
    if schema["x-quote"]["boundaries"] == "words":
        words = ["Ada ab", "Ada", "12", "ab", "abba", "abba 12", "b", "ab, abba"]
    return Content(schema, is_valid, [*filter(is_valid, map(json.dumps, words))])


CONTENTS = (_object, _tree, _number, _quote)


# --- grammars


def make(rng: random.Random) -> Grammar:
    """A random grammar."""
    if rng.random() < 0.1:
        return _brackets(rng)
    content = rng.choice(CONTENTS)(rng)
    grammar = rng.choice([_alone, _tagged, _tagged, _triggered, _triggered])(content, rng)
    if rng.random() < 0.35:
        grammar = _narrowed(grammar, rng)
    if "x-quote" in json.dumps(grammar.options):
        grammar.options["sources"] = {"text": TEXT}
    return grammar


def _alone(content: Content, rng: random.Random) -> Grammar:
    options = {"whitespace": rng.choice(["compact", "flexible"]), "property_order": rng.choice(["schema", "any"])}
    valid = content.valid if options["property_order"] == "any" else content.scalars
    return Grammar({"json_schema": content.schema, **options}, content.is_valid, valid)


def _part(content: Content) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": content.schema}


def _tagged(content: Content, rng: random.Random) -> Grammar:
    """One tag between free texts, which may hold nothing that begins it."""
    tag = {"type": "tag", "begin": "<f=a>", "content": _part(content), "end": "</f>"}
    free = {"type": "any_text", "excludes": ["<f"]} | ({"max_chars": rng.randint(0, 6)} if rng.random() < 0.5 else {})
    elements = [free, tag, free] if rng.random() < 0.7 else [{"type": "optional", "content": tag}, free]
    limit = free.get("max_chars")

    def is_valid(text: str) -> bool:
        found = list(_regions(text, {"<f=a>": content.is_valid}))
        lengths = [len(one) for one in found if isinstance(one, str)]
        is_right = all(one is not False for one in found) and sum(one is True for one in found) <= 1
        return is_right and (limit is None or all(length <= limit for length in lengths))

    valid = [f"<f=a>{text}</f>" for text in content.scalars]
    return Grammar({"structural_tag": {"format": {"type": "sequence", "elements": elements}}}, is_valid, valid)


def _triggered(content: Content, rng: random.Random) -> Grammar:
    """Two kinds of tags in free text."""
    other = rng.choice(CONTENTS)(rng)
    contents = {"<f=a>": content, "<f=b>": other}
    tags = [{"type": "tag", "begin": begin, "content": _part(one), "end": "</f>"} for begin, one in contents.items()]
    options = {name: True for name in ("at_least_one", "stop_after_first") if rng.random() < 0.25}
    oracles = {begin: one.is_valid for begin, one in contents.items()}

    def is_valid(text: str) -> bool:
        found = list(_regions(text, oracles))
        num_tags = sum(one is True for one in found)
        begins = "at_least_one" not in options or (num_tags > 0 and found[0] == "")
        is_right = begins and all(one is not False for one in found)
        ends_there = "stop_after_first" not in options or num_tags == 0 or (num_tags == 1 and found[-1] in (True, ""))
        return is_right and ends_there

    form = {"type": "triggered_tags", "triggers": ["<f"], "tags": tags, **options}
    free = "" if "at_least_one" in options else "a <"
    valid = [f"{free}{begin}{text}</f>" for begin, one in contents.items() for text in one.scalars]
    return Grammar({"structural_tag": {"format": form}}, is_valid, valid)


def _regions(text: str, oracles: dict[str, IsValid]) -> Iterator[str | bool]:
    """Free texts, and for each tag whether it is as its oracle asks."""
    decoder = json.JSONDecoder()
    while "<f" in text:
        free, found, rest = text.partition("<f")
        yield free
        begin = next((one for one in oracles if (found + rest).startswith(one)), None)
        if begin is None:
            yield False
            return
        rest = (found + rest)[len(begin) :]
        start = len(rest) - len(rest.lstrip(" \n\t"))
        try:
            _, end = decoder.raw_decode(rest, start)
        except ValueError:
            yield False
            return
        after = rest[end:].lstrip(" \n\t")
        yield after.startswith("</f>") and oracles[begin](rest[start:end])
        text = after.removeprefix("</f>")
    yield text


def _narrowed(grammar: Grammar, rng: random.Random) -> Grammar:
    """The same beside banned substrings: in strings and keys of documents, and in the texts between these."""
    banned = rng.sample(BANNED, rng.randint(1, 2))
    has_tags = "structural_tag" in grammar.options

    def is_valid(text: str) -> bool:
        texts = _texts_around(text) if has_tags else _texts_in(json.loads(text))
        return grammar.is_valid(text) and not any(one in part for part in texts for one in banned)

    parts = [grammar.options, {"banned_substrings": banned}]
    return Grammar({"all_of": parts}, is_valid, [*filter(is_valid, grammar.valid)])


def _texts_in(value: Any) -> Iterator[str]:
    """The strings and keys of a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts_in(one)


def _texts_around(text: str) -> Iterator[str]:
    """The texts between the documents of tags, with the marks of these, and the strings and keys of the documents."""
    decoder, begun = json.JSONDecoder(), ""
    while (tag := re.search("<f=[ab]>[ \n\r\t]*", text)) is not None:
        yield begun + text[: tag.end()].rstrip(" \n\r\t")
        value, end = decoder.raw_decode(text, tag.end())
        yield from _texts_in(value)
        begun, text = "", text[end:].lstrip(" \n\r\t")
    yield begun + text


def _brackets(rng: random.Random) -> Grammar:
    """Nested brackets beside a regex or two, and banned substrings."""
    regexes = rng.sample(REGEXES, rng.randint(0, 2))
    banned = rng.sample(("ab", "12", "((", "))", "()", ")a"), rng.randint(0 if regexes else 1, 2))

    def is_valid(text: str) -> bool:
        is_narrow = all(re.fullmatch(one, text) for one in regexes) and not any(one in text for one in banned)
        bare = re.sub("[ab12]", "", text)
        while "()" in bare:
            bare = bare.replace("()", "")
        return is_narrow and not bare

    texts = ["", "a", "(a)", "((1)2)", "(())b", "()()", "ba21", "(b(a(2)1)a)", "2" * 9]
    parts = [{"ebnf": BRACKETS}, *[{"regex": one} for one in regexes], *[{"banned_substrings": banned}] * bool(banned)]
    return Grammar({"all_of": parts}, is_valid, [*filter(is_valid, texts)])


# --- what is looked at


def look(case: Case) -> list[str]:
    """What is wrong with a random grammar."""
    rng = case.rng
    grammar = make(rng)
    place = rng.randrange(3)
    try:
        fault = _find(grammar, vocabularies()[place], rng)
    except (UnsatisfiableError, UnsupportedSchemaError, UnsupportedGrammarError, InvalidSchemaError) as error:
        case.counts[type(error).__name__] += 1
        return []
    except LimitExceededError as error:
        case.counts[f"past {error.limit}"] += 1
        return []
    return [f"{fault}, vocabulary {place}: {json.dumps(grammar.options)}"] if fault else []


def _find(grammar: Grammar, vocabulary: Vocabulary, rng: random.Random) -> str | None:
    compiled = compile_grammar(vocabulary, cache=None, limits=LIMITS, **grammar.options)
    by_bytes = compile_grammar(VOCABULARY, cache=None, limits=LIMITS, **grammar.options).matcher()
    refused = [
        one for one in rng.sample(grammar.valid, min(8, len(grammar.valid))) if not takes(by_bytes, one.encode())
    ]
    if refused:
        return f"wrong rejection of {refused}"
    for _ in range(NUM_WALKS):
        matcher, text = compiled.matcher(), b""
        by_bytes.reset()
        for _ in range(rng.randint(1, NUM_TOKENS)):
            mask = set(allowed(matcher, vocabulary))
            wrong = _wrong_bits(mask, by_bytes, vocabulary, rng)
            if wrong:
                return f"wrong mask after {text!r}: {wrong}"
            token_id = _chosen(mask - set(vocabulary.eos_token_ids), vocabulary, rng)
            if token_id is None:
                break
            token = vocabulary.tokens[token_id] or b""
            if not matcher.accept_token(token_id) or not try_piece(by_bytes, token):
                return f"refused after {text!r}: {token!r}"
            text += token
        fault = _ended(matcher, by_bytes, text, vocabulary, grammar.is_valid)
        if fault:
            return fault
    return None


def _wrong_bits(
    mask: set[int], by_bytes: Matcher, vocabulary: Vocabulary, rng: random.Random
) -> list[tuple[bytes | None, bool]]:
    """The tokens whose bits differ from what their bytes do, each with its bit."""
    tried = set(rng.sample(range(vocabulary.size), min(NUM_TRIED, vocabulary.size)))
    tried |= set(rng.sample(sorted(mask), min(NUM_TRIED, len(mask))))
    found = []
    for token_id in sorted(tried):
        token = vocabulary.tokens[token_id]
        if token_id in vocabulary.eos_token_ids:
            is_right = (token_id in mask) == by_bytes.is_accepting()
        elif not token:
            is_right = token_id not in mask
        else:
            is_taken = try_piece(by_bytes, token)
            if is_taken:
                by_bytes.rollback(len(token))
            is_right = (token_id in mask) == is_taken
        if not is_right:
            found.append((token, token_id in mask))
    return found


def _chosen(mask: set[int], vocabulary: Vocabulary, rng: random.Random) -> int | None:
    """A token to go on with: mostly one of ASCII, as those lead to other places."""
    tried = rng.sample(sorted(mask), min(12, len(mask)))
    usual = [one for one in tried if (vocabulary.tokens[one] or b"\xff").isascii()]
    special = [one for one in sorted(mask) if vocabulary.tokens[one] in BRINGS_ON]
    if special and rng.random() < 0.5:
        return rng.choice(special)
    return rng.choice(usual or tried) if tried else None


def _ended(matcher: Matcher, by_bytes: Matcher, text: bytes, vocabulary: Vocabulary, is_valid: IsValid) -> str | None:
    """What is wrong with the shortest way from here to the end."""
    try:
        completion = matcher.find_shortest_completion(thorough=True)
    except NoCompletionError:
        return f"no completion after {text!r}"
    ending = vocabulary.join(completion)
    if not all(matcher.accept_token(one) for one in completion) or not matcher.is_accepting():
        return f"the completion {ending!r} does not complete {text!r}"
    if not try_piece(by_bytes, ending) or not by_bytes.is_accepting():
        return f"by bytes {ending!r} does not complete {text!r}"
    whole = text + ending
    return None if is_valid(whole.decode()) else f"invalid: {whole!r}"


if __name__ == "__main__":
    main(look, __doc__ or "")
