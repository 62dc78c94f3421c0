"""`LogprobReader`: turns tensors of log-probabilities into the objects in events, with the tokens' bytes and names."""

from __future__ import annotations

import math
from collections.abc import Sequence

from guided.grammars.vocabulary import Vocabulary

from ..sampler import LogprobsOutput
from .token_logprobs import TokenLogprob, TokenLogprobs


class LogprobReader:
    """Reads the log-probabilities of tokens of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def read(
        self,
        output: LogprobsOutput,
        token_ids: Sequence[int],
        num_top: Sequence[int | None],
        given_ids: Sequence[Sequence[int]],
        is_masked: Sequence[bool],
        wants_both: Sequence[bool],
    ) -> list[TokenLogprobs | None]:
        """The log-probabilities of each row. Waits for the device.

        output: the tensors of the sampler.
        token_ids: the drawn token of each row.
        num_top: number of alternatives to show for each row; None: the row wants no log-probabilities, and gets None.
        given_ids: the tokens that each row asks for by id.
        is_masked: True for rows with a grammar's mask.
        wants_both: True for rows that also show the most probable tokens of the distribution that they draw from.
        """
        chosen, ranks, masses = output.chosen.tolist(), output.ranks.tolist(), output.masked_mass.tolist()
        top_ids, top_logprobs = output.top_ids.tolist(), output.top_logprobs.tolist()
        given_logprobs, processed = output.given_logprobs.tolist(), output.processed.tolist()
        drawn_ids, drawn_logprobs = output.processed_top_ids.tolist(), output.processed_top_logprobs.tolist()

        def read_row(row: int, num_shown: int) -> TokenLogprobs:
            tops = zip(top_ids[row][:num_shown], top_logprobs[row], strict=False)
            given = zip(given_ids[row], given_logprobs[row], strict=False)
            drawn = zip(drawn_ids[row][:num_shown], drawn_logprobs[row], strict=False) if wants_both[row] else ()
            token, is_special = self._bytes_of(token_ids[row])
            return TokenLogprobs(
                token_id=token_ids[row],
                token=token,
                is_special=is_special,
                logprob=chosen[row],
                rank=ranks[row],
                top=tuple(self.one(*pair) for pair in tops),
                given=tuple(self.one(*pair) for pair in given),
                masked_mass=masses[row] if is_masked[row] else None,
                processed_logprob=None if math.isnan(processed[row]) else processed[row],
                processed_top=tuple(self.one(*pair) for pair in drawn),
            )

        return [None if count is None else read_row(row, count) for row, count in enumerate(num_top)]

    def one(self, token_id: int, logprob: float) -> TokenLogprob:
        """A token and its log-probability."""
        return TokenLogprob(token_id, *self._bytes_of(token_id), logprob)

    def _bytes_of(self, token_id: int) -> tuple[bytes, bool]:
        """(bytes of a token, whether it is special); for a special token the bytes are its name."""
        return self.vocabulary.written(token_id), self.vocabulary.tokens[token_id] is None
