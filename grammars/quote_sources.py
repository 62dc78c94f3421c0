"""`Sources`: the texts that a grammar's quotes come from, by name. Also reads how a grammar asks for a quote.

A quote is asked for by the name of its source, or by {"source": name} with the options `boundaries` and `whitespace`
(see `QuoteOptions`). Schemas (`x-quote`) and structural tags (the format `quote`) use the same form.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from .errors import GrammarInputError, LimitExceededError
from .limits import Limits
from .quote_tree import QuoteSearch, QuoteTree, quotes_of
from .quotes import NO_CASE, QuoteOptions, SourceText
from .regex.algebra import Language
from .watch import checkpoint

QUOTE_OPTIONS = frozenset(option.name for option in fields(QuoteOptions))
"""The names of what may be said beside the source."""


_MOST_BYTES = 4  # maximum number of bytes of a character
_USUAL = QuoteOptions()


class QuoteRequest(NamedTuple):
    """A request for a quote of the source with this name."""

    source: str
    options: QuoteOptions


class Sources:
    """The source texts of one grammar. Each is prepared once for each set of options.

    The texts live as long as the grammar. No cache of the process keeps them or anything made of them.
    """

    def __init__(self, texts: Mapping[str, str | SourceText], limits: Limits) -> None:
        """texts: by name. Raises GrammarInputError, LimitExceededError."""
        self.texts: dict[str, str] = {}
        self._prepared: dict[QuoteRequest, SourceText] = {}
        self._languages: dict[QuoteRequest, Language] = {}
        self._trees: list[QuoteTree] = []
        self._search: Callable[[], QuoteSearch | None] | None = None
        for name, text in texts.items():
            if isinstance(text, SourceText):
                self._prepared[QuoteRequest(name, text.options)] = text
            self.texts[name] = text.source if isinstance(text, SourceText) else text
        most = limits.max_source_bytes
        if _MOST_BYTES * sum(map(len, self.texts.values())) > most and self._num_bytes > most:
            raise LimitExceededError("max_source_bytes", most, "bytes", "of all sources together")
        for name, text in texts.items():
            if isinstance(text, str):
                _check_text(name, text)

    @property
    def _num_bytes(self) -> int:
        return sum([len(text.encode("utf-8", "surrogatepass")) for text in self.texts.values()])

    def language(self, quote: QuoteRequest) -> Language:
        """The quotes of a source; one object for each set of options."""
        known = self._languages.get(quote)
        if known is None:
            tree = QuoteTree(self.prepared(quote))
            if self._search is not None:
                tree.search = self._search
            self._trees.append(tree)
            known = self._languages[quote] = quotes_of(tree)
        return known

    def search_with(self, search: QuoteSearch) -> None:
        """Let `search` answer questions about languages of quotes, as long as it lives."""
        self._search = weakref.ref(search)
        for tree in self._trees:
            tree.search = self._search

    def prepared(self, quote: QuoteRequest) -> SourceText:
        """The source of a quote, prepared for its options."""
        text = self._prepared.get(quote)
        if text is None:
            checkpoint()
            text = self._prepared[quote] = SourceText(self.texts[quote.source], quote.options)
        return text


def read_sources(given: Any, limits: Limits) -> Sources | None:
    """The sources given to `compile_grammar`; None if there are none.

    given: source texts, or `SourceText`s, by name. Raises GrammarInputError, LimitExceededError.
    """
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise GrammarInputError(f"sources is a {type(given).__name__}; give a dict of texts by their names")
    for name, text in given.items():
        if not isinstance(name, str):
            raise GrammarInputError(f"the name {name!r} of a source is a {type(name).__name__}; give a str")
        if not isinstance(text, str | SourceText):
            raise GrammarInputError(f"sources[{name!r}] is a {type(text).__name__}; give a str or a SourceText")
    return Sources(given, limits) if given else None


def read_quote(value: Any, sources: Sources | None) -> QuoteRequest | str:
    """The quote that a JSON value asks for; or, as text, the fault of a value that asks for no known quote."""
    names = {} if sources is None else sources.texts
    if isinstance(value, str):
        if value in names:
            return QuoteRequest(value, _USUAL)
        value = {"source": value}
    if not isinstance(value, dict) or not isinstance(value.get("source"), str):
        return 'expected the name of a source (a string), or an object such as {"source": "text"}'
    options = {name: option for name, option in value.items() if name != "source"}
    if options.pop("case", "sensitive") != "sensitive":
        return NO_CASE
    unknown = sorted(options.keys() - QUOTE_OPTIONS)
    if unknown:
        return f"unknown option {unknown[0]!r}; known are {', '.join(sorted(QUOTE_OPTIONS))}"
    for name, option in options.items():
        if not isinstance(option, str):
            return f"expected a string as {name!r}"
    try:
        quote = QuoteRequest(value["source"], QuoteOptions(**options))
    except GrammarInputError as error:
        return str(error)
    if quote.source in names:
        return quote
    known = ", ".join([repr(name) for name in names])
    more = f"the sources are {known}" if names else "no sources are given; pass sources={...} beside the grammar"
    return f"there is no source {quote.source!r}; {more}"


def _check_text(name: str, text: str) -> None:
    try:
        text.isascii() or text.encode("utf-32-le")  # PERF: five times as fast as UTF-8
    except UnicodeEncodeError as error:
        reason = f"sources[{name!r}] has a lone surrogate as its character {error.start}, which no text can hold"
        raise GrammarInputError(reason) from None
