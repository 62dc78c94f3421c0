"""InternLM 2 and later: each call alone, an object after `<|action_start|><|plugin|>`. The arguments are called
"parameters", by some models "arguments".
"""

from __future__ import annotations

import dataclasses

from ..syntax import ToolSyntax

INTERNLM = ToolSyntax(
    "internlm",
    '<|action_start|><|plugin|>\n{"name": "NAME", "parameters": ARGUMENTS}<|action_end|>',
    trigger="<|action_start|>",
    announced=("<|plugin|>",),
)
INTERNLM_ARGUMENTS = dataclasses.replace(
    INTERNLM,
    name="internlm_arguments",
    call=INTERNLM.call.replace("parameters", "arguments"),
    announced=("<|plugin|>", '"arguments"'),
)
