"""JSON Schema as languages and formulas: what each keyword allows, before any vocabulary or automaton."""
