"""How large the pieces of a long text should be: `python -m examples.quality.long_texts`.

A long text has one document whose data is asked for, and documents of other types before and after it. All are of the
tuning half. Each line of the output is one reading: text, size of the pieces, cost, and number of right fields.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import Annotated

import typer

from guided.documents.pieces import Cut
from guided.extraction.document import MAX_PIECE_TOKENS
from guided.llm import LLM

from .answers import Answer
from .cases import Case, read_cases
from .scoring import Score

NUM_CHARS = 30_000
SIZES = (MAX_PIECE_TOKENS, MAX_PIECE_TOKENS // 2, MAX_PIECE_TOKENS // 4)


def long_case(wanted: Case, others: Sequence[Case], num_chars: int = NUM_CHARS) -> Case:
    """A case whose text has the text of `wanted` and texts of other types around it.

    others: texts to choose from; all of other types come once, in an order drawn by the name of `wanted`, then again.
    num_chars: the least number of characters of the whole text.
    """
    rng = random.Random(wanted.name)
    around = [one.task.document.text for one in others if one.task.document.kind != wanted.task.document.kind]
    texts = [wanted.task.document.text]
    for text in chain.from_iterable(rng.sample(around, len(around)) for _ in repeat(None)):
        if sum(map(len, texts)) >= num_chars:
            break
        texts.append(text)
    rng.shuffle(texts)
    document = replace(wanted.task.document, text="\n\n".join(texts))
    messages = [{"role": "user", "content": document.text}]
    return replace(wanted, task=replace(wanted.task, messages=messages, document=document))


def long_cases(num_chars: int = NUM_CHARS) -> list[Case]:
    """A case for each type, around its first document of the tuning half. Types without lists of objects come first."""
    cases = [one for one in read_cases("documents") if one.half == "tuning"]
    first = {one.task.document.kind: one for one in reversed(cases)}
    wanted = sorted(first.values(), key=lambda one: ("$defs" in one.task.schema, one.name))
    return [long_case(one, cases, num_chars) for one in wanted]


def read(llm: LLM, case: Case, max_tokens: int) -> tuple[Answer, int]:
    """The answer to a case whose text is cut into pieces, and the number of pieces."""
    start = time.process_time()
    found = llm.extract_document(case.task.document.text, case.task.schema, quotes=True, cut=Cut(max_tokens))
    cpu_s = round(time.process_time() - start, 1)
    written = found.completion
    return Answer(case.name, written.text, written.num_tokens, written.num_prompt_tokens, cpu_s), found.num_pieces


def main(
    model: Annotated[str, typer.Option(help="Model that reads.")] = "smollm2-extract",
    size: Annotated[
        list[int] | None, typer.Option(help="Tokens of a piece. Default: the usual size, 1/2, 1/4.")
    ] = None,
    texts: Annotated[int, typer.Option(min=0, help="Number of texts; 0: all.")] = 6,
    chars: Annotated[int, typer.Option(min=1, help="Least number of characters of a text.")] = NUM_CHARS,
) -> None:
    """Read each text in pieces of each size; print a line for each reading, then the sums."""
    sums = {one: Score() for one in size or SIZES}
    with LLM(model) as llm:
        for case in long_cases(chars)[: texts or None]:
            for one, total in sums.items():
                answer, num_pieces = read(llm, case, one)
                alone = Score()
                for score in (alone, total):
                    score.add(case, answer)
                print(f"{case.name} {one}: {num_pieces} pieces, {_counts(alone, answer.num_prompt_tokens)}", flush=True)
    for one, total in sums.items():
        print(f"pieces of {one} tokens: {_counts(total)}")


def _counts(score: Score, num_read: int | None = None) -> str:
    tokens = "" if num_read is None else f"{num_read} tokens read, "
    return f"{tokens}{score.num_tokens} written, {score.cpu_s:.1f} s, {score.num_right} of {score.num_fields} fields"


if __name__ == "__main__":
    typer.run(main)
