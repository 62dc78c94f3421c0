"""EBNF grammars in several dialects -> one rule graph: `read_ebnf`.

gbnf         llama.cpp's GBNF                       xgrammar   the EBNF of xgrammar, and of SGLang's `ebnf`
w3c          the notation of the XML specification  lark       Lark's, with llguidance's extensions

All are read as scannerless: a text belongs to a grammar when its rules can spell it, however it would be cut into
terminals. Recursion is for the machine that runs the graph (grammars/rules) to judge.

source.py scanner.py parser.py         the text, its tokens, its tree (by lark's LALR parser)
syntax.py languages.py graph.py        nodes; regular ones as Languages; the graph
syntax_tree.py                         from lexemes to nodes
literals.py                            strings, classes and tokens, as several dialects have them
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import GrammarInputError, InvalidGrammarError, LimitExceededError
from ..limits import Limits
from ..quote_sources import Sources
from ..rules.expressions import RuleGraph
from ..vocabulary import Vocabulary
from ..watch import checkpoint, paced
from .source import GrammarSource

DIALECTS = ("gbnf", "xgrammar", "w3c", "lark")
"""The names that `dialect` can have."""

_BNF_RULE = re.compile(r"^[ \t]*(?:\[[0-9]+[a-z]?\][ \t]+)?[\w.-]+(?:\[[^]\n]*\])?\s*::=", re.MULTILINE)
_LARK_RULE = re.compile(
    r"^[?!]*_*[A-Za-z][\w-]*(?:\{[^}\n]*\})?(?:\.-?[0-9]+)?(?:\[[^]\n]*\])?[ \t]*:(?!:=)", re.MULTILINE
)
_ISO_RULE = re.compile(r"^[ \t]*<?[A-Za-z][\w -]*>?[ \t]*(?:=[^=]|::=)", re.MULTILINE)
_ISO_HINT = (
    "it looks like ISO EBNF or BNF: a rule here is written name ::= ..., without commas, ; and <>, with ( )? for [ ] "
    "and ( )* for { }"
)
_ROOT_RULE = re.compile(r"^[ \t]*root(?:\[[^]\n]*\])?\s*::=", re.MULTILINE)


def read_ebnf(
    source: str,
    dialect: str | None = None,
    limits: Limits | None = None,
    vocabulary: Vocabulary | None = None,
    sources: Sources | None = None,
) -> RuleGraph:
    """The rule graph of an EBNF grammar.

    dialect: one of DIALECTS; None: the one that the text is written in. limits: None is `Limits()`.
    vocabulary: whose tokens the grammar may name; None: it names none. sources: the texts that it may quote.
    Texts begin at the rule `root` (gbnf, xgrammar), `start` (lark) or the first rule (w3c).
    Raises InvalidGrammarError with the place of what is wrong, GrammarInputError for a dialect that does not exist or
    can't be told, LimitExceededError, and the errors of embedded regexes and schemas.
    """
    if not isinstance(source, str):
        raise GrammarInputError(f"the grammar is a {type(source).__name__}; give its text as a str")
    if dialect is not None and dialect not in DIALECTS:
        raise GrammarInputError(f"dialect={dialect!r}; expected one of {', '.join(DIALECTS)}, or None")
    text = GrammarSource(source, Limits() if limits is None else limits, vocabulary, sources)
    text.check_size()
    try:
        return _recognise(text) if dialect is None else _reader(dialect)(text)
    except RecursionError:
        detail = "the Python stack is too short for this grammar here"
        raise LimitExceededError("max_ebnf_depth", text.limits.max_ebnf_depth, "levels", detail) from None


def _recognise(source: GrammarSource) -> RuleGraph:
    candidates = _candidates(source.text)
    if not candidates:
        hint = _ISO_HINT if _ISO_RULE.search(source.text) else "name one"
        raise GrammarInputError(f"the text is in none of the dialects {', '.join(DIALECTS)}: it has no rule; {hint}")
    graphs: dict[str, RuleGraph] = {}
    errors: dict[str, InvalidGrammarError] = {}
    for dialect in candidates:
        try:
            graphs[dialect] = _reader(dialect)(source)
        except InvalidGrammarError as error:
            errors[dialect] = error
    if not graphs:
        raise _no_dialect(source, errors) from None
    _drop_lookalikes(source, graphs)
    first, *others = graphs.values()
    if not all(_are_alike(first, other) for other in others):
        names = ", ".join(graphs)
        raise GrammarInputError(f"the grammar means something else in each of the dialects {names}; name one of them")
    return first


def _are_alike(one: RuleGraph, other: RuleGraph) -> bool:
    if one.start != other.start or one.rules.keys() != other.rules.keys():
        return False
    return all(other.rules[name] == rule for name, rule in paced(one.rules.items()))


def _candidates(text: str) -> list[str]:
    """The dialects whose rules the text has, likelier ones first."""
    if not _BNF_RULE.search(text):
        return ["lark"] if _LARK_RULE.search(text) else []
    checkpoint()  # a search takes 5 ms for 200 KB
    bnf = ["gbnf", "xgrammar", "w3c"] if _ROOT_RULE.search(text) else ["w3c", "gbnf", "xgrammar"]
    return [*bnf, "lark"] if _LARK_RULE.search(text) else bnf


def _drop_lookalikes(source: GrammarSource, graphs: dict[str, RuleGraph]) -> None:
    """W3C notation has no escapes, so that it reads most GBNF otherwise; it counts where something speaks for it."""
    from .w3c import has_marks

    if "w3c" in graphs and len(graphs) > 1 and not has_marks(source):
        del graphs["w3c"]


def _no_dialect(source: GrammarSource, errors: dict[str, InvalidGrammarError]) -> InvalidGrammarError:
    """The error of the dialect in which most of the text could be read, with those of the others in short."""
    best = max(errors, key=lambda dialect: errors[dialect].offset)
    others = [f"{name}: {error.reason} in line {error.line}" for name, error in errors.items() if name != best]
    more = f"; as {'; as '.join(others)}" if others else ""
    return source.error(f"read as {best}: {errors[best].reason}{more}", errors[best].offset)


def _reader(dialect: str) -> Callable[[GrammarSource], RuleGraph]:
    """The reader of a dialect; each is imported when it is first used, as lark takes 0.1 s to import."""
    if dialect == "gbnf":
        from .gbnf import read_gbnf

        return read_gbnf
    if dialect == "xgrammar":
        from .xgrammar import read_xgrammar

        return read_xgrammar
    if dialect == "w3c":
        from .w3c import read_w3c

        return read_w3c
    from .lark_reader import read_lark

    return read_lark
