"""Several grammars at once: texts that belong to a rule graph or a schema, and to a regular language beside it."""
