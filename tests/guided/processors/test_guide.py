"""docs/processors.md and the example do what they say: the Python runs and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from guided.processors import registry

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "processors.md").read_text(encoding="utf-8")


def test_guide() -> None:
    names = dict(registry._CLASSES)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed, num_checked = "", 0
    for block in re.finditer(r"^```(\w+)\n(.*?)^```$", GUIDE, re.S | re.M):
        if block[1] == "python":
            output = io.StringIO()
            line = GUIDE.count("\n", 0, block.start()) + 1
            with contextlib.redirect_stdout(output):
                exec(compile("\n" * line + block[2], "docs/processors.md", "exec", dont_inherit=True), namespace)
            printed = output.getvalue()
        else:
            assert printed == block[2]
            num_checked += 1
    assert num_checked == 4
    registry._CLASSES.clear()
    registry._CLASSES.update(names)


def test_every_built_in_processor_is_in_the_guide() -> None:
    for name in registry.BUILT_IN:
        order = registry.get_logit_processor(name).order
        assert f"| `{name}` | {'last' if order == sys.maxsize else order} |" in GUIDE


def test_example() -> None:
    path = ROOT / "examples" / "custom_processor.py"
    result = subprocess.run([sys.executable, str(path)], cwd=ROOT, capture_output=True, text=True, check=True)
    expected = path.read_text(encoding="utf-8").split('"""')[1].split("$ python examples/custom_processor.py\n")[1]
    assert result.stdout == expected
