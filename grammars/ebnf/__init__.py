"""EBNF grammars in several dialects -> one rule graph: `read_ebnf`.

    gbnf      llama.cpp's GBNF
    xgrammar  the EBNF of xgrammar, and of SGLang's `ebnf`
    w3c       the notation of the XML specification
    lark      Lark's, with llguidance's extensions

There is no separate lexer: a text belongs to a grammar if its rules can spell it, in any reading. The readers accept
any recursion; the code that runs the graph (grammars/rules) judges it.

    source.py, scanner.py, parser.py   the text, its tokens, its tree (by lark's LALR parser)
    syntax.py, languages.py, graph.py  nodes; regular ones as Languages; the graph
    syntax_tree.py                     from lexemes to nodes
    literals.py                        strings, classes and tokens that several dialects share
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import GrammarInputError, InvalidGrammarError, refuse_deep
from ..limits import Limits
from ..rules.expressions import RuleGraph
from ..vocabulary import Vocabulary
from ..watch import checkpoint, paced
from .source import GrammarSource

DIALECTS = ("gbnf", "xgrammar", "w3c", "lark")
"""The possible values of `dialect`."""

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
) -> RuleGraph:
    """Read an EBNF grammar into a rule graph.

    source: text of the grammar.
    dialect: one of DIALECTS; None: recognised from the text.
    limits: bounds on its cost; None: `Limits()`.
    vocabulary: vocabulary whose tokens the grammar may name; None: it may name none.

    Texts begin at the rule `root` (gbnf, xgrammar), `start` (lark) or the first rule (w3c).
    Raises InvalidGrammarError with the place of the mistake.
    Raises GrammarInputError for an unknown dialect, or a dialect that can't be recognised.
    Raises LimitExceededError, and the errors of embedded regexes and schemas.
    """
    if not isinstance(source, str):
        raise GrammarInputError(f"the grammar is a {type(source).__name__}; give its text as a str")
    if dialect is not None and dialect not in DIALECTS:
        raise GrammarInputError(f"dialect={dialect!r}; expected one of {', '.join(DIALECTS)}, or None")
    text = GrammarSource(source, Limits() if limits is None else limits, vocabulary)
    text.check_size()
    with refuse_deep(text.limits, "max_ebnf_depth"):
        return _recognise(text) if dialect is None else _reader(dialect)(text)


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
    """Return the dialects whose rules occur in the text, likelier ones first."""
    if not _BNF_RULE.search(text):
        return ["lark"] if _LARK_RULE.search(text) else []
    checkpoint()  # a search takes 5 ms for 200 KB
    bnf = ["gbnf", "xgrammar", "w3c"] if _ROOT_RULE.search(text) else ["w3c", "gbnf", "xgrammar"]
    return [*bnf, "lark"] if _LARK_RULE.search(text) else bnf


def _drop_lookalikes(source: GrammarSource, graphs: dict[str, RuleGraph]) -> None:
    """Drop the W3C reading unless some mark speaks for it. Without escapes, W3C notation misreads most GBNF."""
    from .w3c import has_marks

    if "w3c" in graphs and len(graphs) > 1 and not has_marks(source):
        del graphs["w3c"]


def _no_dialect(source: GrammarSource, errors: dict[str, InvalidGrammarError]) -> InvalidGrammarError:
    """Return the error of the dialect that could read most of the text, with the others' errors in short."""
    best = max(errors, key=lambda dialect: errors[dialect].offset)
    others = [f"{name}: {error.reason} in line {error.line}" for name, error in errors.items() if name != best]
    more = f"; as {'; as '.join(others)}" if others else ""
    return source.error(f"read as {best}: {errors[best].reason}{more}", errors[best].offset)


def _reader(dialect: str) -> Callable[[GrammarSource], RuleGraph]:
    """Return the reader of a dialect, imported on first use, since lark takes 0.1 s to import."""
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
