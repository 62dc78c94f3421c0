"""Documents in a request's messages, and citations: the answer's quotes of them, each with its place.

A document stands in the prompt as text. If its citations are enabled, the answer is free text with marked quotes:

    The mill is old: <cite document="0">It was built in 1911.</cite>

A structural tag ensures that marked text is a quote of that document, and that no marks appear elsewhere. The answer's
text comes without the marks. A quote's citation is its first place in the document; each format writes it in its way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from guided.grammars.quotes import SourceText
from guided.grammars.watch import Watch
from guided.output.completion import CompletionChunk
from guided.tools.marks import overlap

from ..errors import InvalidRequestError
from .constraints import ClosedPart, Constraint, RequestPart
from .pieces import Citation, Delta, pieces_of

Message = TypeVar("Message")

MAX_FILES_S = 10.0
"""Seconds of processor time for reading all documents of a request."""
MAX_CHARS = 10_000_000
"""Most characters in all documents of a request together."""
# nine digits suffice, since no name contains a longer number
_USED_MARKS = re.compile(r"</cite([0-9]{0,9})")

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

    @property
    def is_citable(self) -> bool:
        """True if the answer may quote the document."""
        return self.citations is not None and bool(self.citations.enabled)


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
        used: set[str] = set()  # numbers of names, and their beginnings: a mark's name must begin no other one
        for document in documents.values():
            for number in _USED_MARKS.findall(document.text):
                used.update(number[:length] for length in range(len(number) + 1))
        numbers = ("", *map(str, range(1, len(used) + 1)))
        return cls(documents, param, "cite" + next(number for number in numbers if number not in used))

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


@dataclass(frozen=True)
class ReadMessages(Generic[Message]):
    """Messages whose documents are read.

    shown: the messages with the documents as the model reads them.
    plain: the messages with the documents' texts only, as sources of quotes.
    citations: the citable documents.
    """

    shown: list[Message]
    plain: list[Message]
    citations: Citations


def read_documents(
    messages: Sequence[Message],
    param: str,
    text_part: Callable[[str], Any],
    start: int = 0,
    *,
    cites_earlier: bool = True,
) -> ReadMessages[Message]:
    """Read the documents in users' messages.

    param: path of the messages. start: number of the first one there.
    text_part: makes a part with this text.
    cites_earlier: False: documents of messages with negative numbers can't be cited.
    Raises InvalidRequestError if a document can't be read, if all take too long, or are too large.
    """
    read = ReadMessages(list(messages), list(messages), Citations({}, "", ""))
    parts: list[Any] = []
    cited: dict[int, CitedDocument] = {}
    first, num_chars = "", 0
    with Watch("file_seconds", MAX_FILES_S):
        for index, place, part in _documents(messages):
            where = f"{param}[{start + index}].content[{place}]"
            document = part.document(where)
            num_chars += len(document.text)
            if num_chars > MAX_CHARS:
                raise InvalidRequestError(f"{where}: the documents have over {MAX_CHARS:,} characters", where)
            if part.is_citable and (cites_earlier or start + index >= 0):
                cited[len(parts)] = document
                first = first or f"{where}.citations"
            parts.append(text_part(document.shown(len(parts))))
            _put(read.shown, messages, index, place, parts[-1])
            _put(read.plain, messages, index, place, text_part(f"{document.text}\n\n"))
    if not cited:
        return read
    citations = Citations.of(cited, first)
    parts[-1].text += f"{citations.asked}\n\n"
    return replace(read, citations=citations)


def _documents(messages: Sequence[Any]) -> Iterator[tuple[int, int, DocumentPart]]:
    """The documents in users' messages, with the index of the message and the place among its parts."""
    for index, message in enumerate(messages):
        parts = getattr(message, "content", None)
        if getattr(message, "role", "") == "user" and isinstance(parts, list):
            yield from ((index, place, part) for place, part in enumerate(parts) if isinstance(part, DocumentPart))


def _put(changed: list[Any], messages: Sequence[Any], index: int, place: int, part: Any) -> None:
    """Replace a part of a message in `changed`, a list of these messages."""
    if changed[index] is messages[index]:
        changed[index] = messages[index].model_copy(update={"content": list(messages[index].content)})
    changed[index].content[place] = part


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
        while written := self._whole_mark:
            yield from self._give(self._held.index(written))
            self._held = self._held[len(written) :]
            if self._document is None:
                self._document, self._quote = int(written.removeprefix(self.citations.trigger).removesuffix('">')), ""
                yield Delta("text", "", begins=True)
            else:
                yield self._close()
        begun = self._held.find(self._mark)
        yield from self._give(len(self._held) - overlap(self._held, self._mark) if begun < 0 else begun)

    def end(self) -> Iterator[Delta]:
        """The pieces of text held back so far.

        A quote cut off by the token limit is cited if its text so far is in the document.
        """
        yield from self._give(len(self._held))
        if self._document is not None:
            yield self._close()

    @property
    def _mark(self) -> str:
        """The beginning of the next mark."""
        return self.citations.trigger if self._document is None else self.citations.end

    @property
    def _whole_mark(self) -> str:
        """The next complete mark, or ""."""
        start = self._held.find(self._mark)
        end = self._held.find(">", start + len(self._mark) - 1) if start >= 0 else -1
        return self._held[start : end + 1] if end >= 0 else ""

    def _give(self, num_chars: int) -> Iterator[Delta]:
        """Take characters of the held text: as text, and as a part of the open quote."""
        text, self._held = self._held[:num_chars], self._held[num_chars:]
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
