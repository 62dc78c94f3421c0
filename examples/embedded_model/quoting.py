"""Quotes in the evaluation: schemas whose free strings are quotes, values that no text has, rare words in texts."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from guided.extraction.quote_marks import Quotes, with_quotes
from guided.extraction.quote_places import TEXT_SOURCE, QuoteReader, SourceTexts
from guided.extraction.stated import stated_in
from guided.extraction.stated_marks import restricted_to

from .corpus.tasks import Task

CONSONANTS = "bcčdðfgğhjklłmnñňpqrřsşštþvwxzž"
VOWELS = "aáåäæeéěęiíoóöøőuúüůyý"
_WORD = re.compile(r"[^\W\d_]{3,}")


def quoting_schema(task: Task, quotes: Quotes = True) -> dict[str, Any]:
    """The task's schema held to its text: all free strings as quotes, and unless `quotes` is "strings" all numbers."""
    marked = restricted_to(with_quotes(task.schema, quotes), stated_in(task.document.text))
    assert isinstance(marked, dict)
    return marked


def num_invented(task: Task, got: Any) -> tuple[int, int]:
    """How many values the task's text does not have: of free strings, but for empty ones, and of numbers."""
    reader, texts = QuoteReader(with_quotes(task.schema, True)), SourceTexts({TEXT_SOURCE: task.document.text})
    told = dict(one.split(": ", 1) for one in reader.missing(_without_empty(got), texts))
    num_numbers = sum(reason.endswith("that the text states") for reason in told.values())
    return len(told) - num_numbers, num_numbers


def with_rare_words(task: Task, rng: random.Random) -> Task:
    """The task with each word of its free strings' values in other letters: a word of none of the languages.

    Values whose words the text has elsewhere, too, stay as they are, since there they may be meant otherwise.
    """
    text, answer = task.document.text, json.loads(task.answer)
    free = {key for key, schema in task.schema["properties"].items() if _is_free(schema)}
    words = {word for key in free for value in _texts(answer[key]) for word in _WORD.findall(value)}
    new = {word: _rare(rng, word) for word in sorted(words) if len(re.findall(rf"\b{word}\b", text)) == 1}

    def renamed(value: Any) -> Any:
        if isinstance(value, list):
            return [renamed(one) for one in value]
        return _WORD.sub(lambda match: new.get(match[0], match[0]), value) if isinstance(value, str) else value

    changed = _WORD.sub(lambda match: new.get(match[0], match[0]), text)
    answers = {key: renamed(value) if key in free else value for key, value in answer.items()}
    messages = [{**one, "content": changed} if one["content"] == text else one for one in task.messages]
    document = replace(task.document, text=changed)
    return replace(task, messages=messages, answer=json.dumps(answers, ensure_ascii=False), document=document)


def _is_free(schema: dict[str, Any]) -> bool:
    branches = schema.get("anyOf", [schema])
    return not any("enum" in branch or "enum" in branch.get("items", {}) for branch in branches)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, str))


def _without_empty(value: Any) -> Any:
    """The document without its empty strings, which say that there is none."""
    if isinstance(value, dict):
        return {key: _without_empty(item) for key, item in value.items() if item != ""}
    return [_without_empty(item) for item in value if item != ""] if isinstance(value, list) else value


def _rare(rng: random.Random, word: str) -> str:
    """A word as long, and with as large a first letter."""
    letters = [rng.choice(VOWELS if i % 2 else CONSONANTS) for i in range(len(word))]
    made = "".join(letters)
    return made.capitalize() if word[0].isupper() else made
