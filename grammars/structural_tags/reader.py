"""The formats of a structural tag, one method each, as expressions over rules.

A tag's last format is read together with the tag's end, so that free text stops exactly where the end first begins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..errors import (
    GrammarError,
    InvalidSchemaError,
    LimitExceededError,
    UnsupportedSchemaError,
)
from ..json_paths import kind_name
from ..limits import Limits
from ..quote_sources import QUOTE_OPTIONS, Sources, read_quote
from ..regex import python_re
from ..regex.algebra import NOTHING
from ..regex.free_text import free_text
from ..rules.expressions import (
    EMPTY,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleGraph,
    Terminal,
    TokenRef,
    embed,
)
from ..schema_input import json_text, read_plain_schema
from ..spec import GrammarSpec, StyledWriting
from ..styles import STYLES
from ..vocabulary import Vocabulary
from .embedded_texts import written, written_rules
from .marks import End, choice, mark_of, then
from .places import TagValue
from .regions import RegionScope, text_region, token_region
from .tokens import TokenNames, spell
from .triggers import Tag, check_excludes, text_parts, token_parts

START = "root"
_MAX_SPACES = 8  # characters between parameters where nothing says how many
_MAX_WHITESPACE = 63  # maximum number of whitespace characters at one place in the machine


class Reader:
    """Reads the formats of one structural tag."""

    def __init__(self, vocabulary: Vocabulary, limits: Limits, sources: Sources | None) -> None:
        self._vocabulary = vocabulary
        self._sources = sources
        self._names = TokenNames(vocabulary)
        self._limits = limits
        self._mark_tokens: dict[str, tuple[tuple[str, int], ...]] = {}  # special tokens in the marks of styles
        self._rules: dict[str, Expression] = {}
        self._notes: list[str] = []
        self._grammars: dict[str, tuple[TagValue, RuleGraph]] = {}  # JSON pointer -> an embedded grammar

    def graph(self, root: Expression) -> RuleGraph:
        """The rules read so far, and `root` as the start."""
        return RuleGraph({START: root, **self._rules}, START, tuple(self._notes), self._error_at)

    def _error_at(self, rule: str, reason: str) -> GrammarError:
        """The error for a faulty rule of an embedded grammar."""
        pointer, _, name = rule.rpartition(" ")
        place, graph = self._grammars[pointer]
        return place.error(str(graph.error(name, reason)))

    def read(self, place: TagValue, scope: RegionScope) -> Expression:
        """The texts of a format, with the scope's end if it has one."""
        if not place.has("type"):
            raise place.error(f"a format needs a 'type': one of {', '.join(sorted(FORMATS))}")
        name = place.field("type").text()
        if name not in FORMATS:
            raise place.field("type").error(f"unknown format {name!r}; known are {', '.join(sorted(FORMATS))}")
        known = FORMATS[name]
        place.check_fields(known.required | {"type"}, known.optional)
        return known.read(self, place, scope)

    def const_string(self, place: TagValue, scope: RegionScope) -> Expression:
        """Exactly this text."""
        return scope.close(spell(self._names.split(place.field("value"))))

    def any_text(self, place: TagValue, scope: RegionScope) -> Expression:
        """Free text. Raises UnsupportedSchemaError for max_tokens."""
        if place.has("max_tokens"):
            raise UnsupportedSchemaError(
                place.pointer,
                "max_tokens",
                "tokens are not counted in text",
                "use max_chars, or any_tokens with max_tokens",
            )
        excludes = place.texts("excludes")
        max_chars = place.field("max_chars").integer(0) if place.has("max_chars") else None
        if scope.end is None:
            return Terminal(free_text({*excludes, *scope.enclosing.texts}, max_chars))
        _check_end(place, scope.end)
        return scope.end.after_free_text((), excludes, max_chars)

    def json_schema(self, place: TagValue, scope: RegionScope) -> Expression:
        """A JSON document, or the arguments of a call, one by one. Raises UnsupportedSchemaError for excludes."""
        style = place.field("style").text() if place.has("style") else "json"
        whitespace, count = self._whitespace(place)
        if style != "json":
            return scope.close(self._arguments(place, scope, style, whitespace, count))
        if place.texts("excludes"):
            raise UnsupportedSchemaError(
                place.pointer, "excludes", "strings inside JSON are not filtered", "use `pattern` in the schema"
            )
        order = "any" if place.flag("any_order") else "schema"
        return scope.close(self.document(place.field("json_schema"), whitespace, order))

    def qwen_xml_parameter(self, place: TagValue, scope: RegionScope) -> Expression:
        """The older name of a schema with the style `qwen_xml`."""
        return scope.close(self._arguments(place, scope, "qwen_xml", "flexible", None))

    def _whitespace(self, place: TagValue) -> tuple[str, int | None]:
        """A format's whitespace for JSON, and the maximum number of characters at one place; None: no maximum."""
        if not place.has("max_whitespace_cnt"):
            return "flexible", None
        count = place.field("max_whitespace_cnt")
        if count.integer(0) > _MAX_WHITESPACE:
            raise count.error(f"expected at most {_MAX_WHITESPACE}, not {count.value}")
        return rf"[ \n\r\t]{{0,{count.value}}}", int(count.value)

    def _arguments(
        self, place: TagValue, scope: RegionScope, style: str, whitespace: str, count: int | None
    ) -> Expression:
        """The arguments of a call, one by one between marks. Whitespace before an argument belongs to it."""
        of_schema = place.field("json_schema")
        schema = self._plain_schema(of_schema)
        tokens = self._tokens_in_marks(place, style)
        order = "any" if place.flag("any_order") else "schema"
        max_spaces = _MAX_SPACES if count is None else count
        styled = StyledWriting(style, place.texts("excludes"), scope.enclosing.texts, max_spaces, tokens)
        spec = GrammarSpec("json_schema", json_text(schema), whitespace, order, styled=styled, read=(schema, ()))
        document = JsonDocument(spec, of_schema.in_context, of_schema.where)
        if STYLES[style].quote:
            return document
        return then(document, Terminal(python_re.full(rf"[ \n\r\t]{{0,{max_spaces}}}")))

    def _tokens_in_marks(self, place: TagValue, name: str) -> tuple[tuple[str, int], ...]:
        """The special tokens in the marks of a style. Raises UnsupportedSchemaError for a style that is not known."""
        style = STYLES.get(name)
        if style is None:
            known = ", ".join(["json", *STYLES])
            raise UnsupportedSchemaError(place.pointer, "style", f"{name!r} is not known", f"known are {known}")
        if name not in self._mark_tokens:
            marks = [mark.replace("NAME", "\n") for mark in (*style.begin, style.end, style.quote, *(style.item or ()))]
            found = [self._names.special_in(TagValue(mark, place.pointer)) for mark in marks]
            self._mark_tokens[name] = tuple(dict.fromkeys([one for names in found for one in names]))
        return self._mark_tokens[name]

    def document(self, place: TagValue, whitespace: str = "flexible", order: str = "schema") -> JsonDocument:
        """The documents of the schema at this place, which may be its JSON text."""
        schema = self._plain_schema(place)
        spec = GrammarSpec("json_schema", json_text(schema), whitespace, order, read=(schema, ()))
        return JsonDocument(spec, place.in_context, place.where)

    def _plain_schema(self, place: TagValue) -> Any:
        """The schema at this place, which may be its JSON text."""
        if not isinstance(place.value, dict | bool | str):
            raise place.error(f"a schema is an object or a boolean, not {kind_name(place.value)}")
        if not isinstance(place.value, str):
            return place.value  # part of the tag's own JSON, which was checked as a whole
        try:
            return read_plain_schema(place.value, self._limits)
        except InvalidSchemaError as error:
            raise place.in_context(error) from error
        except LimitExceededError as error:
            raise error.located(place.where) from None

    def grammar(self, place: TagValue, scope: RegionScope) -> Expression:
        """A text of an EBNF grammar."""
        from ..ebnf import DIALECTS, read_ebnf  # the readers of all dialects, which most structural tags do not need

        source = place.field("grammar")
        dialect = place.field("dialect").text() if place.has("dialect") else "xgrammar"
        if dialect not in DIALECTS:
            raise place.field("dialect").error(f"expected one of {', '.join(DIALECTS)}, not {dialect!r}")
        try:
            graph = read_ebnf(source.text(), dialect, self._limits, self._vocabulary)
        except GrammarError as error:
            raise source.error(str(error)) from error
        except LimitExceededError as error:
            raise error.located(source.where) from None
        self._grammars[source.pointer] = (source, graph)
        graph = replace(graph, rules=written_rules(graph, place))
        rules, start = embed(graph, f"{source.pointer} ")
        self._rules.update(rules)
        self._notes.extend(f"{source.pointer}: {note}" for note in graph.notes)
        return scope.close(start)

    def regex(self, place: TagValue, scope: RegionScope) -> Expression:
        """A text that the pattern, in Python's syntax, matches from start to end."""
        pattern = place.field("pattern")
        try:
            return scope.close(Terminal(written(python_re.full(pattern.text()), place)))
        except GrammarError as error:
            raise pattern.error(str(error)) from error
        except LimitExceededError as error:
            raise error.located(pattern.where) from None

    def quote(self, place: TagValue, scope: RegionScope) -> Expression:
        """A quote of a source text."""
        found = read_quote({name: value for name, value in place.object().items() if name != "type"}, self._sources)
        if isinstance(found, str):
            raise place.error(found)
        assert self._sources is not None
        language = self._sources.language(found)
        if language is NOTHING:
            raise place.error(f"the source {found.source!r} has no quote")
        return scope.close(Terminal(language))

    def sequence(self, place: TagValue, scope: RegionScope) -> Expression:
        """Texts of all elements, one after the other."""
        *elements, last = place.field("elements").some_items()
        return then(*[self.read(element, scope.inside()) for element in elements], self.read(last, scope))

    def any_of(self, place: TagValue, scope: RegionScope) -> Expression:
        """A text of one of the elements."""
        return choice([self.read(element, scope) for element in place.field("elements").some_items()])

    def optional(self, place: TagValue, scope: RegionScope) -> Expression:
        """The content, or nothing."""
        return choice([self.read(place.field("content"), scope), scope.close(EMPTY)])

    def plus(self, place: TagValue, scope: RegionScope) -> Expression:
        """The content once or more."""
        return self._repeated(place, scope, 1, None)

    def star(self, place: TagValue, scope: RegionScope) -> Expression:
        """The content any number of times."""
        return self._repeated(place, scope, 0, None)

    def repeat(self, place: TagValue, scope: RegionScope) -> Expression:
        """The content from min to max times; max -1: no bound."""
        low, high = self._count(place.field("min"), 0), self._count(place.field("max"), -1)
        if -1 < high < low:
            raise place.error(f"min {low} is more than max {high}")
        return self._repeated(place, scope, low, None if high == -1 else high)

    def _count(self, place: TagValue, low: int) -> int:
        """A number of repetitions, at least `low`."""
        if place.integer(low) > self._limits.max_repeat:
            raise LimitExceededError("max_repeat", self._limits.max_repeat, "times", place.where)
        return place.integer(low)

    def _repeated(self, place: TagValue, scope: RegionScope, low: int, high: int | None) -> Expression:
        return scope.close(CountedRepeat(self.read(place.field("content"), scope.inside()), low, high))

    def tag(self, place: TagValue, scope: RegionScope) -> Expression:
        """begin, content, end."""
        tag = self._tag(place)
        return scope.close(then(self._begin(tag.begin), tag.body))

    def _tag(self, place: TagValue) -> Tag:
        if place.has("type") and place.value["type"] != "tag":
            raise place.field("type").error("expected 'tag'")
        place.check_fields(FORMATS["tag"].required, frozenset({"type"}))
        end = self._end(place.field("end"))
        return Tag(place.field("begin"), self.read(place.field("content"), RegionScope(end, end)))

    def _begin(self, place: TagValue) -> Expression:
        if isinstance(place.value, str):
            return spell(self._names.split(place))
        return TokenRef(self._token(place))

    def _end(self, place: TagValue) -> End:
        if isinstance(place.value, dict):
            return End(token_ids=self._token(place))
        strings = [place] if isinstance(place.value, str) else place.some_items()
        token_ids: set[int] = set()
        marks = []
        for string in strings:
            match self._names.split(string):
                case [TokenRef(ids)]:
                    token_ids.update(ids)
                case [_, *_]:
                    marks.append(mark_of(string, self._names))
        texts = tuple([string.value for string in strings if string.text()])
        return End(tuple(marks), len(texts) < len(strings), frozenset(token_ids), texts)

    def _token(self, place: TagValue) -> frozenset[int]:
        """The ids of a token format."""
        if not isinstance(place.value, dict):
            raise place.error(f"expected a string or a format of type 'token', not {kind_name(place.value)}")
        if place.value.get("type", "token") != "token":
            raise place.field("type").error("expected 'token'")
        place.check_fields(FORMATS["token"].required, frozenset({"type"}))
        return self._names.resolve(place.field("token"))

    def triggered_tags(self, place: TagValue, scope: RegionScope) -> Expression:
        """Free text with tags in it. Each tag begins with a trigger."""
        tags = [self._tag(tag) for tag in place.field("tags").some_items()]
        first = [then(self._begin(tag.begin), tag.body) for tag in tags] if place.flag("at_least_one") else []
        triggers = place.field("triggers").some_items()
        return self._text_region(place, scope, triggers, tags, first, not place.flag("stop_after_first"))

    def legacy(self, place: TagValue) -> Expression:
        """The older form: structures with a begin, a schema and an end, and triggers."""
        place.check_fields(frozenset({"structures", "triggers"}), frozenset({"type"}))
        tags = []
        for item in place.field("structures").some_items():
            item.check_fields(frozenset({"begin", "schema", "end"}))
            schema, end = self.document(item.field("schema")), self._end(item.field("end"))
            tags.append(Tag(item.field("begin"), then(schema, end.expression)))
        return self._text_region(place, RegionScope(), place.field("triggers").some_items(), tags, [], True)

    def dispatch(self, place: TagValue, scope: RegionScope) -> Expression:
        """Free text. The format of each pattern must follow the pattern."""
        rules = [_pair(rule) for rule in place.field("rules").some_items()]
        tags = [Tag(pattern, self.read(content, scope.inside())) for pattern, content in rules]
        return self._text_region(place, scope, [tag.begin for tag in tags], tags, [], place.flag("loop", True))

    def _text_region(
        self,
        place: TagValue,
        scope: RegionScope,
        triggers: list[TagValue],
        tags: list[Tag],
        first: list[Expression],
        loops: bool,
    ) -> Expression:
        _check_end(place, scope.end)
        excludes = place.texts("excludes")
        check_excludes(place.optional_items("excludes"), triggers)
        stops = tuple([trigger.nonempty_text() for trigger in triggers])
        parts = text_parts(triggers, tags, (*stops, *excludes, *scope.enclosing.texts), self._names)
        return text_region(stops, parts, excludes, choice(first) if first else None, loops, scope)

    def tags_with_separator(self, place: TagValue, scope: RegionScope) -> Expression:
        """Tags with a separator between them."""
        split = [self._split_end(tag) for tag in place.field("tags").some_items()]
        tags = [self.tag(tag, RegionScope()) for tag, _ in split if tag is not None]
        last = [self._last_tag(tag) for _, tag in split if tag is not None]
        separator = spell(self._names.split(place.field("separator")))
        several = last
        if tags and place.flag("stop_after_first"):
            several = [*tags, *last]
        elif tags:
            more = CountedRepeat(then(separator, choice(tags)), 0, None)
            ends = [choice([EMPTY, then(separator, choice(last))])] if last else []
            several = [then(choice(tags), more, *ends), *last]
        return scope.close(choice(several if place.flag("at_least_one") else [EMPTY, *several]))

    def _split_end(self, tag: TagValue) -> tuple[TagValue | None, TagValue | None]:
        """A tag where another one may follow, and the same tag where a token that ends the text is its end mark. Such a
        token is no part of a text, so the second one has an empty end, and must come last.
        """
        end = tag.object().get("end")
        marks = end if isinstance(end, list) else [end]
        texts = [mark for mark in marks if not (isinstance(mark, str) and self._names.ends_text(mark))]
        if len(texts) == len(marks):
            return tag, None
        first = TagValue({**tag.value, "end": texts}, tag.pointer) if texts else None
        return first, TagValue({**tag.value, "end": [*texts, ""]}, tag.pointer)

    def _last_tag(self, tag: TagValue) -> Expression:
        if tag.field("end").value != [""]:
            return self.tag(tag, RegionScope())
        self._tag(TagValue({**tag.value, "content": {"type": "const_string", "value": ""}}, tag.pointer))  # its fields
        return then(self._begin(tag.field("begin")), self.read(tag.field("content"), RegionScope()))

    def token(self, place: TagValue, scope: RegionScope) -> Expression:
        """One token."""
        return scope.close(TokenRef(self._token(place)))

    def exclude_token(self, place: TagValue, scope: RegionScope) -> Expression:
        """A token that is not among the excluded tokens."""
        return scope.close(TokenRef(self._free_ids(place, scope)))

    def any_tokens(self, place: TagValue, scope: RegionScope) -> Expression:
        """Tokens that are not among the excluded."""
        high = self._count(place.field("max_tokens"), 0) if place.has("max_tokens") else None
        return scope.close(CountedRepeat(TokenRef(self._free_ids(place, scope)), 0, high))

    def token_triggered_tags(self, place: TagValue, scope: RegionScope) -> Expression:
        """Free tokens with tags among them. Each tag begins with a token that triggers it."""
        tags = [self._tag(tag) for tag in place.field("tags").some_items()]
        triggers = place.field("trigger_tokens").some_items()
        opened = token_parts(triggers, tags, [self._token(tag.begin) for tag in tags], self._names)
        return self._token_region(place, scope, opened, place.flag("at_least_one"), not place.flag("stop_after_first"))

    def token_dispatch(self, place: TagValue, scope: RegionScope) -> Expression:
        """Free tokens among which each pattern must be followed by its format."""
        opened = []
        for rule in place.field("rules").some_items():
            pattern, content = _pair(rule)
            opened.append((self._names.resolve(pattern), self.read(content, scope.inside())))
        return self._token_region(place, scope, opened, False, place.flag("loop", True))

    def _token_region(
        self,
        place: TagValue,
        scope: RegionScope,
        opened: list[tuple[frozenset[int], Expression]],
        is_first: bool,
        loops: bool,
    ) -> Expression:
        opening = frozenset().union(*[ids for ids, _ in opened])
        for item in place.optional_items("exclude_tokens"):
            if self._names.resolve(item, may_end=True) & opening:
                raise item.error(f"the excluded token {item.value!r} is one that opens a part")
        parts = [then(TokenRef(ids), rest) for ids, rest in opened]
        free = self._free_ids(place, scope) - opening
        return token_region(free, parts, choice(parts) if is_first else None, loops, scope)

    def _free_ids(self, place: TagValue, scope: RegionScope) -> frozenset[int]:
        excluded = [self._names.resolve(item, may_end=True) for item in place.optional_items("exclude_tokens")]
        return self._vocabulary.text_token_ids.difference(scope.enclosing.token_ids, *excluded)


def _check_end(place: TagValue, end: End | None) -> None:
    """Raise where free text should stop at an end that is always empty."""
    if end is not None and end.may_be_empty and not end.marks and not end.token_ids:
        raise place.error("free text can't stop at an empty end; give the tag an end, or leave the tag out")


def _pair(rule: TagValue) -> tuple[TagValue, TagValue]:
    items = rule.items()
    if len(items) != 2:
        raise rule.error(f"a rule is a pattern and a format; this has {len(items)} items")
    return items[0], items[1]


@dataclass(frozen=True)
class Format:
    """How a format is read, and its fields besides "type"."""

    read: Callable[[Reader, TagValue, RegionScope], Expression]
    required: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


def _format(
    read: Callable[[Reader, TagValue, RegionScope], Expression], required: str = "", optional: str = ""
) -> Format:
    return Format(read, frozenset(required.split()), frozenset(optional.split()))


_NO_OPTION = "case"  # a former option: known here so that `read_quote` can say what to do

FORMATS = {
    "const_string": _format(Reader.const_string, "value"),
    "json_schema": _format(Reader.json_schema, "json_schema", "style any_order max_whitespace_cnt excludes"),
    "qwen_xml_parameter": _format(Reader.qwen_xml_parameter, "json_schema"),
    "any_text": _format(Reader.any_text, "", "excludes max_tokens max_chars"),
    "grammar": _format(Reader.grammar, "grammar", "dialect in_json_string excludes"),
    "regex": _format(Reader.regex, "pattern", "in_json_string excludes"),
    "quote": _format(Reader.quote, "source", " ".join(sorted(QUOTE_OPTIONS | {_NO_OPTION}))),
    "sequence": _format(Reader.sequence, "elements"),
    "or": _format(Reader.any_of, "elements"),
    "optional": _format(Reader.optional, "content"),
    "plus": _format(Reader.plus, "content"),
    "star": _format(Reader.star, "content"),
    "repeat": _format(Reader.repeat, "min max content"),
    "tag": _format(Reader.tag, "begin content end"),
    "triggered_tags": _format(Reader.triggered_tags, "triggers tags", "at_least_one stop_after_first excludes"),
    "tags_with_separator": _format(Reader.tags_with_separator, "tags separator", "at_least_one stop_after_first"),
    "dispatch": _format(Reader.dispatch, "rules", "loop excludes"),
    "token": _format(Reader.token, "token"),
    "exclude_token": _format(Reader.exclude_token, "", "exclude_tokens"),
    "any_tokens": _format(Reader.any_tokens, "", "exclude_tokens max_tokens"),
    "token_triggered_tags": _format(
        Reader.token_triggered_tags, "trigger_tokens tags", "exclude_tokens at_least_one stop_after_first"
    ),
    "token_dispatch": _format(Reader.token_dispatch, "rules", "loop exclude_tokens"),
}
