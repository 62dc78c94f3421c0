"""Tests with lm-evaluation-harness, in an environment of its own: `make test-lm-eval`. Elsewhere none is collected."""

from __future__ import annotations

import os

LM_EVAL = os.environ.get("LM_EVAL")  # its command

collect_ignore_glob = [] if LM_EVAL else ["test_*.py"]
