"""JSON Schemas of Python types, and what users should know of a schema."""
