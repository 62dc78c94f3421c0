"""Documents in a request's messages, and citations: the answer's quotes of them, each with its place.

A document stands in the prompt as text. If its citations are enabled, the answer is free text with marked quotes:

    The mill is old: <cite document="0">It was built in 1911.</cite>

A structural tag ensures that marked text is a quote of that document, and that no marks appear elsewhere. The answer's
text comes without the marks. A quote's citation is its first place in the document; each format writes it in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

from guided.grammars.quotes import SourceText
from guided.output.completion import CompletionChunk

from .constraints import ClosedPart, Constraint, RequestPart
from .pieces import Citation, Delta, pieces_of

Message = TypeVar("Message")

ASKED = (
    "Answer with quotes of the documents. Write each quote word for word as it stands in its document, between marks "
    "that give the document's index, such as {example}."
)


@dataclass(frozen=True)
class CitedDocument:
    """A text for the model to read. context: what else the model is told about it."""

    text: str
    title: str | None = None
    context: str | None = None

    def shown(self, index: int) -> str:
        """The document as the model reads it. index: its position among the request's documents."""
        about = {"title": self.title, "context": self.context}
        lines = "".join(f"{name}: {text}\n" for name, text in about.items() if text)
        return f'<document index="{index}">\n{lines}{self.text}\n</document>\n\n'


class CitationsConfig(ClosedPart):
    """`citations` of a document."""

    enabled: bool | None = None


class DocumentPart(RequestPart):
    """A part of a user's message that is a document, which the answer may quote if `citations` are enabled."""

    citations: CitationsConfig | None = None

    def document(self, param: str) -> CitedDocument:
        """The document. param: the part's path, for errors. Raises InvalidRequestError if it can't be read."""
        raise NotImplementedError


@dataclass(frozen=True)
class Citations:
    """The documents that an answer may cite.

    documents: those with citations enabled, by their index among all documents of the request; may be empty.
    param: the field that enables the first document's citations.
    name: the word in the marks; no document contains an end mark with that name.
    """

    documents: dict[int, CitedDocument]
    param: str
    name: str

    @classmethod
    def of(cls, documents: dict[int, CitedDocument], param: str) -> Citations:
        """Choose a name for the marks that no document uses."""
        names = (f"cite{number or ''}" for number in count())
        texts = [document.text for document in documents.values()]
        return cls(documents, param, next(name for name in names if not any(f"</{name}" in text for text in texts)))

    @property
    def trigger(self) -> str:
        """The beginning of every opening mark, which appears nowhere else in the answer's text."""
        return f'<{self.name} document="'

    @property
    def end(self) -> str:
        """The mark after a quote."""
        return f"</{self.name}>"

    @property
    def asked(self) -> str:
        """The instructions for the model."""
        index = next(iter(self.documents))
        return ASKED.format(example=f'{self.trigger}{index}">a quote{self.end}')

    @property
    def constraints(self) -> list[Constraint]:
        """The grammar of the answer: free text with marked quotes. Empty without documents."""
        tags = [
            {
                "type": "tag",
                "begin": f'{self.trigger}{index}">',
                "content": {"type": "quote", "source": source_name(index)},
                "end": self.end,
            }
            for index in self.documents
        ]
        text = {"type": "triggered_tags", "triggers": [self.trigger], "tags": tags}
        made = Constraint(self.param, "structural_tag", {"type": "structural_tag", "format": text})
        return [made] if tags else []

    @property
    def sources(self) -> dict[str, str]:
        """The texts to quote from, by their names in the constraint."""
        return {source_name(index): document.text for index, document in self.documents.items()}


def source_name(index: int) -> str:
    """The constraint's name for a document."""
    return f"document {index}"


def read_documents(
    messages: Sequence[Message], param: str, text_part: Callable[[str], Any], start: int = 0
) -> tuple[list[Message], Citations]:
    """The messages with each user's document written as text, and the citable documents.

    param: path of the messages. start: number of the first one there.
    text_part: makes a part with this text.
    Raises InvalidRequestError if a document can't be read.
    """
    read = list(messages)
    shown: list[Any] = []
    cited: dict[int, CitedDocument] = {}
    first = ""
    for number, message in enumerate(messages):
        parts = getattr(message, "content", None)
        if getattr(message, "role", "") != "user" or not isinstance(parts, list):
            continue
        read[number] = message.model_copy(update={"content": (changed := list(parts))})  # type: ignore[attr-defined]
        for place, part in enumerate(parts):
            if not isinstance(part, DocumentPart):
                continue
            where = f"{param}[{start + number}].content[{place}]"
            document = part.document(where)
            if part.citations is not None and part.citations.enabled:
                cited[len(shown)] = document
                first = first or f"{where}.citations"
            changed[place] = text_part(document.shown(len(shown)))
            shown.append(changed[place])
    citations = Citations.of(cited, first)
    if cited:
        shown[-1].text += f"{citations.asked}\n\n"
    return read, citations


@dataclass
class CitationReader:
    """Splits the text of one answer, while it arrives, into plain text and quotes with their citations."""

    citations: Citations
    _held: str = ""  # characters that may begin a mark
    _document: int | None = None  # index of the document that the open quote is from
    _quote: str = ""
    _texts: dict[int, SourceText] = field(default_factory=dict)

    def pieces(self, chunk: CompletionChunk) -> Iterator[Delta]:
        """The pieces of a chunk, with quotes separated from other text."""
        if not self.citations.documents:
            yield from pieces_of(chunk)
            return
        for piece in pieces_of(chunk):
            if piece.kind == "text":
                yield from self.read(piece.text)
            else:
                yield from self.end()
                yield piece
        if chunk.finish_reason is not None:
            yield from self.end()

    def read(self, text: str) -> Iterator[Delta]:
        """The pieces that the next characters complete."""
        self._held += text
        while written := self._whole_mark():
            yield from self._give(self._take(self._held.index(written)))
            self._take(len(written))
            if self._document is None:
                self._document, self._quote = int(written.removeprefix(self.citations.trigger).removesuffix('">')), ""
                yield Delta("text", "", begins=True)
            else:
                yield self._close()
        yield from self._give(self._take(self._begin_of_mark()))

    def end(self) -> Iterator[Delta]:
        """The pieces of text held back so far. A quote that was cut off gets a citation if the document contains it as
        it is.
        """
        yield from self._give(self._take(len(self._held)))
        if self._document is not None:
            yield self._close()

    @property
    def _mark(self) -> str:
        """The beginning of the next mark."""
        return self.citations.trigger if self._document is None else self.citations.end

    def _whole_mark(self) -> str:
        """The next complete mark, or ""."""
        start = self._held.find(self._mark)
        end = self._held.find(">", start + len(self._mark) - 1) if start >= 0 else -1
        return self._held[start : end + 1] if end >= 0 else ""

    def _begin_of_mark(self) -> int:
        """Position where an incomplete mark may begin; the length of the held text if none can."""
        held, mark = self._held, self._mark
        if mark in held:
            return held.index(mark)
        return next(
            (i for i in range(max(0, len(held) - len(mark)), len(held)) if mark.startswith(held[i:])), len(held)
        )

    def _take(self, num_chars: int) -> str:
        taken, self._held = self._held[:num_chars], self._held[num_chars:]
        return taken

    def _give(self, text: str) -> Iterator[Delta]:
        if self._document is not None:
            self._quote += text
        if text:
            yield Delta("text", text)

    def _close(self) -> Delta:
        """End the present quote: an empty piece of text with the quote's citation."""
        assert self._document is not None
        index, self._document = self._document, None
        document = self.citations.documents[index]
        if index not in self._texts:
            self._texts[index] = SourceText(document.text)
        start, end = next(iter(self._texts[index].places(self._quote)), (0, 0))
        citation = Citation(self._quote, index, document.title, document.text[start:end], start, end)
        return Delta("text", "", ends=True, citation=citation if end else None)
