"""Tests. Whatever models are in this machine's cache, `guided.LLM()` is the small model in the package."""

import os

os.environ.setdefault("GUIDED_DEFAULT_MODEL", "embedded")
