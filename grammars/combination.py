"""`all_of`: several grammars that one text must fit, given as plain data, and the reader of that data.

At most one of the grammars may be of any kind: a JSON Schema, an EBNF grammar, a structural tag. The others are
regular: regexes, choices, and banned substrings. Only banned substrings may be combined with JSON documents: no string
value and no key of a document contains one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, get_args

from .errors import GrammarInputError, LimitExceededError, UnsupportedGrammarError
from .limits import Limits
from .spec import GrammarKind, GrammarSpec
from .watch import paced

BANNED = "banned_substrings"
REGULAR_KINDS: frozenset[GrammarKind] = frozenset({"regex", "choice"})
MAX_BANNED = 10_000

_OPTIONS = ("dialect", "whitespace", "property_order", "resources", "values", "pattern", "objects")
_KINDS: tuple[GrammarKind, ...] = get_args(GrammarKind)

PartReader = Callable[[Mapping[str, Any]], GrammarSpec]


def all_of(*grammars: Any, banned_substrings: Iterable[str] = ()) -> dict[str, list[dict[str, Any]]]:
    """Return the arguments of `compile_grammar` (and `SamplingParams`) for texts that fit several grammars at once.

        both = all_of({"ebnf": grammar}, {"regex": ".{0,200}"}, banned_substrings=["TODO"])
        grammar = compile_grammar(vocabulary, **both)

    Returns plain data that JSON can hold: {"all_of": [...]}. `compile_grammar` checks it. It raises
    UnsupportedGrammarError for two grammars that are not regular, and for a regex or a choice beside JSON documents. It
    also does so if parts of a grammar around documents may spell a banned substring together.

    Args:
        grammars: dicts, each with the arguments that `compile_grammar` takes for that grammar alone. Examples:
            {"regex": ...}, {"json_schema": ..., "whitespace": "compact"}, a ready grammar's arguments, another
            `all_of`. At most one grammar may be other than a regex or a choice. A grammar with JSON documents takes
            only banned substrings beside it.
        banned_substrings: list of strings, default none. Outside JSON documents, the text contains none of them. In a
            document, no string value and no key contains one. Both are compared decoded, so a quotation mark is `"`.

    Raises:
        GrammarInputError: for arguments of other types.
    """
    if isinstance(banned_substrings, str):
        raise GrammarInputError("banned_substrings is a str; give a list of strings")
    parts: list[dict[str, Any]] = []
    for index, grammar in enumerate(grammars):
        if not isinstance(grammar, Mapping):
            kind = type(grammar).__name__
            raise GrammarInputError(f'all_of[{index}] is a {kind}; give a dict such as {{"regex": "..."}}')
        parts.append(dict(grammar))
    banned = list(banned_substrings)
    return {"all_of": [*parts, {BANNED: banned}] if banned else parts}


def read_combination(parts: Any, limits: Limits, read_part: PartReader) -> GrammarSpec:
    """Read the data that `all_of` returns into a `GrammarSpec`.

    Raises GrammarInputError, UnsupportedGrammarError (two grammars that are not regular), and what `read_part` raises.

    Args:
        parts: list of grammars, in the form that `all_of` returns.
        read_part: function that reads the arguments of one grammar.
    """
    specs: list[tuple[str, GrammarSpec]] = []
    banned: dict[str, None] = {}
    for place, part in _flat(parts, "all_of"):
        if BANNED in part:
            if len(part) > 1:
                others = ", ".join(sorted(name for name in part if name != BANNED))
                raise GrammarInputError(f"{place} has {BANNED} beside {others}; give them as grammars of their own")
            banned.update(dict.fromkeys(_banned(part[BANNED], place, limits)))
        else:
            unknown = [name for name in part if name not in _KINDS and name not in _OPTIONS]
            if unknown:
                raise GrammarInputError(f"{place} has {unknown[0]!r}; a grammar has one of {', '.join(_KINDS)}")
            specs.append((place, _read(read_part, part, place)))
    if not specs and not banned:
        raise GrammarInputError("all_of is empty; give grammars, or substrings that are banned")
    _check_regular(specs)
    return GrammarSpec("all_of", "", parts=tuple([spec for _, spec in specs]), banned_substrings=tuple(banned))


def _read(read_part: PartReader, part: Mapping[str, Any], place: str) -> GrammarSpec:
    try:
        return read_part(part)
    except GrammarInputError as error:
        raise GrammarInputError(f"{place}: {error}") from None
    except LimitExceededError as error:
        raise error.located(f"of {place}") from None


def _flat(parts: Any, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each grammar with its place. An `all_of` inside the list is replaced by its own parts."""
    if isinstance(parts, str | Mapping) or not isinstance(parts, Iterable):
        raise GrammarInputError(f"{place} is a {type(parts).__name__}; give a list of grammars")
    for index, part in enumerate(parts):
        here = f"{place}[{index}]"
        if not isinstance(part, Mapping):
            raise GrammarInputError(f'{here} is a {type(part).__name__}; give a dict such as {{"regex": "..."}}')
        if "all_of" in part and len(part) == 1:
            yield from _flat(part["all_of"], f"{here}.all_of")
        else:
            yield here, part


def read_strings(texts: Any, name: str) -> list[str]:
    """Return the strings of a list. name: what error messages call the list. Raises GrammarInputError."""
    if isinstance(texts, str) or not isinstance(texts, Iterable):
        raise GrammarInputError(f"{name} is a {type(texts).__name__}; give a list of strings")
    found = list(texts)
    for index, text in enumerate(paced(found)):
        if not isinstance(text, str):
            raise GrammarInputError(f"{name}[{index}] is a {type(text).__name__}; give strings")
    return found


def _banned(texts: Any, place: str, limits: Limits) -> list[str]:
    found = read_strings(texts, f"{place}: {BANNED}")
    if "" in found:
        index = found.index("")
        raise GrammarInputError(f"{place}: {BANNED}[{index}] is empty, and every text holds the empty one")
    if len(found) > MAX_BANNED:
        raise GrammarInputError(f"{place}: {BANNED} has {len(found)} strings; give at most {MAX_BANNED}")
    if sum([len(text.encode("utf-8", "surrogatepass")) for text in found]) > limits.max_regex_bytes:
        raise LimitExceededError("max_regex_bytes", limits.max_regex_bytes, "bytes", f"of {BANNED}")
    return found


def _check_regular(specs: list[tuple[str, GrammarSpec]]) -> None:
    """Raise UnsupportedGrammarError when two of the grammars are not regular."""
    general = [(place, spec) for place, spec in specs if spec.kind not in REGULAR_KINDS]
    if len(general) > 1:
        named = " and ".join([f"{place} ({spec.kind})" for place, spec in general])
        raise UnsupportedGrammarError(
            f"all_of takes one grammar that is not regular, and these are {len(general)}: {named}; join schemas with "
            "allOf, embed a schema in a grammar with %json or a structural tag, or write one of them as a regex"
        )


def refuse_beside_documents(spec: GrammarSpec) -> None:
    """Raise UnsupportedGrammarError if a combination that contains JSON documents has regexes or choices."""
    found = sorted({part.kind for part in spec.parts if part.kind in REGULAR_KINDS})
    if found:
        raise UnsupportedGrammarError(
            f"all_of can't combine JSON documents with {' and '.join(found)}: put pattern, not or allOf into the "
            "schema, or ban substrings"
        )


def general_part(spec: GrammarSpec) -> GrammarSpec | None:
    """Return the part of a combination that is not regular; None if all parts are regular."""
    return next((part for part in spec.parts if part.kind not in REGULAR_KINDS), None)


def regular_parts(spec: GrammarSpec) -> GrammarSpec:
    """Return the combination without the part that is not regular."""
    return replace(spec, parts=tuple([part for part in spec.parts if part.kind in REGULAR_KINDS]))
