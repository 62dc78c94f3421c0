"""JSON Schemas of Python types, and advice for users about a schema."""
