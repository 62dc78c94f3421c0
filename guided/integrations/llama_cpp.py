"""`GuidedLogitsProcessor`: a grammar for llama.cpp, in the generation of llama-cpp-python.

    llama = Llama("model.gguf")
    grammar = compile_grammar(llama_vocabulary(llama), json_schema=schema)
    processor = GuidedLogitsProcessor(grammar, llama, max_tokens=100)
    llama("A person: ", max_tokens=100, logits_processor=LogitsProcessorList([processor]))
    processor.check()

llama-cpp-python writes one text at a time, so there are no batches. Draft models are refused. llama.cpp calls a
processor from C, where an exception can't end the generation: Python prints it, and the text goes on. After an error
this processor therefore allows only end tokens, and `check` raises the error again.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import InvalidInputError, VocabularyMismatchError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from ..errors import TokenRefusedError
from .common.text_state import TextState

if TYPE_CHECKING:
    from llama_cpp import Llama

_MAX_PIECE_BYTES = 1024


def llama_vocabulary(llama: Llama) -> Vocabulary:
    """The vocabulary of a loaded model: the bytes that llama.cpp writes for each token, and all tokens that end texts.

    Args:
        llama: the loaded model.

    Raises:
        InvalidInputError: if the model has no tokenizer.
    """
    import llama_cpp

    vocab = llama_cpp.llama_model_get_vocab(llama.model)
    buffer = ctypes.create_string_buffer(_MAX_PIECE_BYTES)
    tokens: list[bytes | None] = []
    special_tokens: dict[str, int] = {}
    ends = []
    for token_id in range(llama_cpp.llama_vocab_n_tokens(vocab)):
        is_end = llama_cpp.llama_vocab_is_eog(vocab, token_id)
        size = 0 if is_end else llama_cpp.llama_token_to_piece(vocab, token_id, buffer, _MAX_PIECE_BYTES, 0, False)
        tokens.append(buffer.raw[:size] if size > 0 else None)
        if is_end:
            ends.append(token_id)
        if size <= 0:
            name = llama_cpp.llama_vocab_get_text(vocab, token_id) or b""
            special_tokens[name.decode("utf-8", "replace")] = token_id
    if not ends:
        raise InvalidInputError("the model's file names no token that ends a text")
    return Vocabulary(tokens, ends, special_tokens)


class GuidedLogitsProcessor:
    """Bans every token that the grammar does not allow next, and completes the text within its budget.

    A processor serves several generations in turn. A call whose tokens are those of the last call and one more
    continues that text. Any other call starts a text, and all its tokens are the prompt. Call `reset` before a prompt
    that continues the last text by one token.

    Args:
        grammar: grammar of the text, compiled for `llama_vocabulary(llama)`.
        llama: the loaded model.
        max_tokens: the same limit as llama's own; None: the rest of the context, as for llama with None.
        close: True: near the end of the limit, exclude tokens that would leave too little room to complete the text.

    Raises:
        InvalidInputError: for a wrong limit.
        VocabularyMismatchError: for a grammar of another vocabulary.
    """

    def __init__(
        self, grammar: CompiledGrammar, llama: Llama, max_tokens: int | None = None, *, close: bool = True
    ) -> None:
        if grammar.vocabulary.size > llama.n_vocab():
            raise VocabularyMismatchError(
                f"the grammar's vocabulary has {grammar.vocabulary.size} tokens, but the model's logits only "
                f"{llama.n_vocab()} columns; compile the grammar for llama_vocabulary(llama)"
            )
        if llama.draft_model is not None:
            raise InvalidInputError("llama-cpp-python shows drafts to a processor as text; load it without draft_model")
        self._grammar = grammar
        self._num_context_tokens = llama.n_ctx()
        self._max_tokens = max_tokens if max_tokens is not None and max_tokens > 0 else self._num_context_tokens
        self._close = close
        self.reset()

    @property
    def closed_in_budget(self) -> bool:
        """True if tokens of the last text were excluded for its limit, so that it may be shorter than the model's."""
        return self._state.is_restricted

    def reset(self) -> None:
        """Forget the last text, so that the next call starts a new one."""
        self._token_ids: NDArray[np.intc] | None = None
        self._state = TextState(self._grammar)

    def check(self) -> None:
        """Raise the error that ended the last text, if there was one."""
        if self._state.error is not None:
            raise self._state.error

    def __call__(self, input_ids: NDArray[np.intc], scores: NDArray[np.single]) -> NDArray[np.single]:
        """The scores, changed in place: -inf for every token that the grammar bans.

        input_ids: (T,) prompt and new tokens.
        scores: (V,) float32.
        Raises the errors of the grammar's mask, and TokenRefusedError for a token that the grammar bans. llama.cpp
        drops a processor's errors; `check` raises them after the text.
        """
        self._advance(input_ids)
        state = self._state
        row = allocate_bitmask(1, self._grammar.vocabulary.size)
        if not state.is_ended:
            budget = min(self._max_tokens, self._num_context_tokens - self._num_prompt_tokens)
            state.fill(row, 0, state.num_taken, budget - state.num_taken)
        if state.is_ended or state.error is not None:
            state.ends.allow_alone(row[0])
        allowed = np.zeros(len(scores), dtype=np.bool_)
        bits = np.unpackbits(row[0].view(np.uint8), bitorder="little")[: len(scores)]
        allowed[: len(bits)] = bits
        scores[~allowed] = -np.inf
        self.check()
        return scores

    def _advance(self, input_ids: NDArray[np.intc]) -> None:
        last = self._token_ids
        self._token_ids = input_ids.copy()
        if last is None or len(input_ids) != len(last) + 1 or not np.array_equal(input_ids[:-1], last):
            self._state = TextState(self._grammar, closes=self._close)
            self._num_prompt_tokens = len(input_ids)
            return
        try:
            self._state.take(int(input_ids[-1]))
        except TokenRefusedError as error:
            self._state.error = error
