"""`Describer`: describes the allowed continuations at a matcher in words and as a list.

The list has: for a JSON document, the possible keys, the type of the value, the way to end the container; for a choice,
the strings that are left; else the forced text, or the characters that may come next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guided.grammars.native.text_matcher import TextMatcher
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.spec import GrammarSpec

from .characters import NextCharacters, allowed_now, characters_of, next_characters
from .documents import DocumentDescriber
from .expected import MAX_OPTIONS, Expected, ExpectedOption
from .native_state import document_state
from .schema_words import as_json, listed

MAX_KEPT_MASKS = 64  # `Describer` remembers the answers for at most this many masks; a mask has one bit a token


class Describer:
    """Describes matchers of one grammar.

    Keep a `Describer` for several matchers: the tables for the grammar are made once.
    """

    def __init__(self, grammar: CompiledGrammar) -> None:
        self.grammar = grammar
        self._documents: dict[GrammarSpec, DocumentDescriber] = {}
        self._of_masks: dict[tuple[bytes, bool], Expected] = {}

    def describe(self, matcher: Matcher, *, with_examples: bool = True) -> Expected:
        """Return the allowed continuations. The matcher does not change. Raises the errors of building its mask.

        with_examples: False leaves `Expected.examples` empty, because examples take most of the time.
        """
        if matcher.is_terminated():
            return Expected("nothing more: the text has ended", is_over=True)
        found = self._describe(matcher, may_end=matcher.is_accepting())
        if not with_examples:
            return found
        return replace(found, examples=tuple(next_characters(matcher, self.grammar.vocabulary).examples))

    def _describe(self, matcher: Matcher, *, may_end: bool) -> Expected:
        if isinstance(matcher, TextMatcher):
            found = self._in_document(matcher, may_end=may_end)
            if found is None and self.grammar.spec.kind == "choice":
                _, _, token_ids = matcher.history
                text = self.grammar.vocabulary.join(token_ids)
                found = _of_choice(self.grammar.spec.data, text, may_end=may_end)
            if found is not None:
                return found
        return self._of_bytes(matcher, may_end=may_end)

    def _of_bytes(self, matcher: Matcher, *, may_end: bool) -> Expected:
        """Describe by the mask alone: the forced text, or the characters that may come."""
        forced = b"" if may_end else matcher.find_jump_forward_bytes()
        if len(forced) > 1:
            text = forced.decode("utf-8", "ignore")
            return _with_end(as_json(text), [ExpectedOption("text", text)], may_end=False)
        bitmask = allowed_now(matcher, self.grammar.vocabulary)
        mask = (bitmask.tobytes(), may_end)
        expected = self._of_masks.get(mask)
        if expected is None:
            found = characters_of(bitmask, matcher, self.grammar.vocabulary)
            expected = of_characters(found, may_end=may_end)
            if found.depends_only_on_mask:
                if len(self._of_masks) >= MAX_KEPT_MASKS:
                    self._of_masks.clear()
                self._of_masks[mask] = expected
        return expected

    def _in_document(self, matcher: TextMatcher, *, may_end: bool) -> Expected | None:
        state = document_state(self.grammar, matcher)
        if state is None:
            return None
        if state.spec not in self._documents:
            self._documents[state.spec] = DocumentDescriber(state.spec.data)
        return self._documents[state.spec].describe(state, may_end=may_end)


def _of_choice(choices: Sequence[str], text: bytes, *, may_end: bool) -> Expected:
    left = [one for one in choices if one.encode().startswith(text) and len(one.encode()) > len(text)]
    options = [ExpectedOption("text", one) for one in left[:MAX_OPTIONS]]
    words = listed([as_json(one) for one in left])
    return _with_end(f"the rest of {words}" if words and text else words, options, may_end=may_end)


def of_characters(found: NextCharacters, *, may_end: bool) -> Expected:
    """Put a set of next characters into an `Expected`."""
    words = found.words
    options = [ExpectedOption("token" if one.startswith("the token ") else "characters", one) for one in words]
    return _with_end(listed(words), options, may_end=may_end)


def _with_end(words: str, options: Sequence[ExpectedOption], *, may_end: bool) -> Expected:
    end = [ExpectedOption("end", "the end of the text")] if may_end else []
    text = " or ".join(filter(None, [words, *[one.text for one in end]]))
    return Expected(text, (*options[:MAX_OPTIONS], *end), may_end)
