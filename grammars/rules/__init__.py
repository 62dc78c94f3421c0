"""Context-free grammars as rule graphs: the result of every grammar dialect's reader, and the input of the machine."""
