"""How the model in the package was made: its texts (`corpus/`), its tokenizer, its training and its measure."""
