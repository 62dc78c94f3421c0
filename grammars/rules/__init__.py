"""Context-free grammars as rule graphs: what every grammar dialect is read into, and what the machine runs."""
