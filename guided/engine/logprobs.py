"""Log-probabilities from tensors to the objects that events carry: token ids become bytes and names."""

from __future__ import annotations

import math
from collections.abc import Sequence

from guided.grammars.vocabulary import Vocabulary

from ..output.token_logprobs import TokenLogprob, TokenLogprobs
from ..sampler import LogprobsOutput


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
        """One object for each row; None where num_top is. Waits for the device.

        token_ids: the rows' own tokens. num_top: how many alternatives each row shows. given_ids: the tokens that each
        row asks for by id. is_masked: whether a grammar's mask applies to the row. wants_both: whether it also shows
        the most probable tokens in what it is drawn from.
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
        """The token's bytes, and whether it has no text of its own, so that they are its name."""
        return self.vocabulary.written(token_id), self.vocabulary.tokens[token_id] is None
