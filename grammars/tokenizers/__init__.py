"""Read other libraries' tokenizers: find the exact bytes of every token, or raise `TokenizerError`.

Users call `guided.Vocabulary.from_tokenizer` and `.from_file`. Each family of tokenizers has its own reader:

    hf_fast.py, hf_pipeline.py   `tokenizers.Tokenizer` and the `transformers` tokenizers built on it
    hf_slow.py                   `transformers` tokenizers written in Python (SentencePiece, or byte-level)
    tiktoken_encoding.py         `tiktoken.Encoding`
    mistral.py                   `mistral_common` tokenizers and tekken files
    sentencepiece_model.py       `sentencepiece` processors and model files

To add a family, write a reader `(tokenizer) -> ReadTokenizer` and list it in dispatch.py. A reader imports no tokenizer
library: it uses the object's own attributes and serialised forms.
"""

from .base import ReadTokenizer, TextPreparation
from .dispatch import read_tokenizer, read_tokenizer_file

__all__ = ["ReadTokenizer", "TextPreparation", "read_tokenizer", "read_tokenizer_file"]
