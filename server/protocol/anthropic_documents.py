"""Documents in Anthropic's messages, and citations: the answer's quotes of them, each with its place.

A document stands in the prompt as text. If its citations are enabled, the answer is free text with marked quotes:

    The mill is old: <cite document="0">It was built in 1911.</cite>

A structural tag ensures that marked text is a quote of that document, and that no marks appear elsewhere. Each quote
becomes a text block of its own. The block's citation is the quote's first place in the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from guided.grammars.quotes import SourceText

from .anthropic_blocks import AnthropicMessage, DocumentBlock, TextBlock
from .constraints import Constraint
from .pieces import Piece

ASKED = (
    "Answer with quotes of the documents. Write each quote word for word as it stands in its document, between marks "
    "that give the document's index, such as {example}."
)


@dataclass(frozen=True)
class Citations:
    """The documents that an answer may cite.

    documents: those with citations enabled, by their index among all documents of the request.
    param: the field that enables the first document's citations.
    name: the word in the marks; no document contains an end mark with that name.
    """

    documents: dict[int, DocumentBlock]
    param: str
    name: str

    @classmethod
    def of(cls, documents: dict[int, DocumentBlock], param: str) -> Citations:
        """Choose a name for the marks that no document uses."""
        names = (f"cite{number or ''}" for number in count())
        texts = [document.source.data for document in documents.values()]
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
    def constraint(self) -> Constraint:
        """The grammar of the answer: free text with marked quotes."""
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
        return Constraint(self.param, "structural_tag", {"type": "structural_tag", "format": text})

    @property
    def sources(self) -> dict[str, str]:
        """The texts to quote from, by their names in the constraint."""
        return {source_name(index): document.source.data for index, document in self.documents.items()}


def source_name(index: int) -> str:
    """The constraint's name for a document."""
    return f"document {index}"


def read_documents(messages: Sequence[AnthropicMessage]) -> tuple[list[AnthropicMessage], Citations | None]:
    """The messages with each user's document written as text, and the citable documents; None if no citations are
    enabled.
    """
    read = [message.model_copy() for message in messages]
    shown: list[TextBlock] = []
    cited: dict[int, DocumentBlock] = {}
    param = ""
    for number, message in enumerate(read):
        if message.role != "user" or isinstance(message.content, str):
            continue
        message.content = list(message.content)
        for place, block in enumerate(message.content):
            if not isinstance(block, DocumentBlock):
                continue
            if block.citations is not None and block.citations.enabled:
                cited[len(shown)] = block
                param = param or f"messages[{number}].content[{place}].citations"
            message.content[place] = text = TextBlock(type="text", text=block.shown(len(shown)))
            shown.append(text)
    if not cited:
        return read, None
    citations = Citations.of(cited, param)
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

    def read(self, text: str) -> Iterator[Piece]:
        """The pieces that the next characters complete."""
        self._held += text
        while written := self._whole_mark():
            yield from self._give(self._take(self._held.index(written)))
            self._take(len(written))
            if self._document is None:
                self._document, self._quote = int(written.removeprefix(self.citations.trigger).removesuffix('">')), ""
                yield Piece("text", "", begins=True)
            else:
                yield self._close()
        yield from self._give(self._take(self._begin_of_mark()))

    def end(self) -> Iterator[Piece]:
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

    def _give(self, text: str) -> Iterator[Piece]:
        if self._document is not None:
            self._quote += text
        if text:
            yield Piece("text", text)

    def _close(self) -> Piece:
        """The end of a quote's block."""
        assert self._document is not None
        index, self._document = self._document, None
        block = self.citations.documents[index]
        if index not in self._texts:
            self._texts[index] = SourceText(block.source.data)
        start, end = next(iter(self._texts[index].places(self._quote)), (0, 0))
        citation: dict[str, Any] = {
            "type": "char_location",
            "cited_text": block.source.data[start:end],
            "document_index": index,
            "document_title": block.title,
            "file_id": None,
            "start_char_index": start,
            "end_char_index": end,
        }
        return Piece("text", "", ends=True, citation=citation if end else None)
