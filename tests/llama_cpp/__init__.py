"""Tests with llama-cpp-python: `make test-llama-cpp`. Elsewhere none is collected."""
