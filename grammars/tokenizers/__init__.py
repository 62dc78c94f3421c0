"""Readers for the tokenizers of other libraries: the exact bytes of every token, or a `TokenizerError`.

`guided.Vocabulary.from_tokenizer` and `.from_file` are the public doors. One file for each family:

    hf_fast.py, hf_pipeline.py   `tokenizers.Tokenizer` and the `transformers` tokenizers built on it
    hf_slow.py                   `transformers` tokenizers written in Python (SentencePiece, or byte-level)
    tiktoken_encoding.py         `tiktoken.Encoding`
    mistral.py                   `mistral_common` tokenizers and tekken files
    sentencepiece_model.py       `sentencepiece` processors and model files

To add a family, write a reader `(tokenizer) -> ReadTokenizer` and list it in dispatch.py. No tokenizer library is
imported: the objects are asked through their own attributes and their serialised forms.
"""

from .base import ReadTokenizer, TextPreparation
from .dispatch import read_tokenizer, read_tokenizer_file

__all__ = ["ReadTokenizer", "TextPreparation", "read_tokenizer", "read_tokenizer_file"]
