"""A logit processor of one's own: registered under a name, with checked parameters, used beside a grammar.

$ python examples/custom_processor.py
without: 'cat'
with:    'dog'
refused: favour_tokens: boost: input should be less than or equal to 100, not 1000
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import torch
from pydantic import Field

import guided
from guided.processors import ProcessorRow


@dataclass(frozen=True)
class FavourTokensParams:
    """token_ids: the tokens to favour. boost: what is added to their logits."""

    token_ids: tuple[int, ...]
    boost: Annotated[float, Field(ge=0, le=100)] = 5.0


@guided.register_logit_processor("favour_tokens")
class FavourTokens(guided.CustomLogitProcessor):
    """Raises the logits of some tokens. One call has all rows of the batch that use it."""

    params_type = FavourTokensParams

    def __call__(self, logits: torch.Tensor, custom_param_list: Sequence[ProcessorRow]) -> torch.Tensor:
        """Add each row's boost to its tokens."""
        for i, row in enumerate(custom_param_list):
            logits[i, list(row.params.token_ids)] += row.params.boost
        return logits


def main() -> None:
    """The same choice with and without the processor. A token outside of the grammar stays out, whatever its logit."""
    llm = guided.LLM()
    favoured = [i for i, token in enumerate(llm.vocabulary.tokens) if token in (b"dog", b"do", b"d", b"zebra", b"z")]

    def choose(**options: object) -> str:
        params = guided.SamplingParams(temperature=0, choice=["cat", "dog"], **options)
        return llm.generate("My favourite animal is the ", params).text

    print(f"without: {choose()!r}")
    print(f"with:    {choose(logit_processors=[('favour_tokens', {'token_ids': favoured, 'boost': 50})])!r}")
    try:
        choose(logit_processors=[("favour_tokens", {"token_ids": favoured, "boost": 1000})])
    except guided.GuidedError as error:
        print(f"refused: {error}")


if __name__ == "__main__":
    main()
