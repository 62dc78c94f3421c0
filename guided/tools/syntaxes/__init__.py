"""How model families write their calls: one file for each family. `FAMILIES` lists them all; a new family is a file and
a line here.
"""

from __future__ import annotations

from ..syntax import ToolSyntax
from .apertus import APERTUS
from .cohere import COMMAND_COFL, COMMAND_R7B, COMMAND_R_PLUS
from .deepseek import DEEPSEEK_V3, DEEPSEEK_V31
from .deepseek_dsml import DEEPSEEK_V4, DEEPSEEK_V32, DEEPSEEK_V41
from .functionary import FUNCTIONARY, FUNCTIONARY_32
from .functools import FUNCTOOLS, PHI4_MINI
from .gemma import FUNCTION_GEMMA, GEMMA_4
from .gigachat import GIGACHAT, GIGACHAT_TOKEN
from .glm import GLM
from .granite import GRANITE_3, GRANITE_20B
from .harmony import HARMONY
from .hermes import HERMES
from .hunyuan import HUNYUAN, HUNYUAN_3
from .internlm import INTERNLM, INTERNLM_ARGUMENTS
from .kimi_k2 import KIMI_K2
from .kimi_k3 import KIMI_K3
from .longcat import LONGCAT
from .minicpm5 import MINICPM_5
from .minimax import MINIMAX_M2, MINIMAX_M3
from .minimax_m1 import MINIMAX_M1
from .mistral import MISTRAL, MISTRAL_ARGS, MISTRAL_IDS
from .muse_glimmer import MUSE_GLIMMER
from .nemotron import NEMOTRON
from .plain_json import LLAMA3_JSON, PLAIN_JSON, XLAM
from .pythonic import LFM2, OLMO_3, PYTHONIC
from .qwen3_coder import QWEN3_CODER, SEED_OSS
from .solar import SOLAR
from .step3 import STEP_3

FAMILIES: tuple[ToolSyntax, ...] = (
    # arguments as JSON
    HERMES,
    APERTUS,
    COMMAND_R7B,
    COMMAND_R_PLUS,
    DEEPSEEK_V3,
    DEEPSEEK_V31,
    FUNCTIONARY,
    FUNCTOOLS,
    PHI4_MINI,
    GIGACHAT,
    GIGACHAT_TOKEN,
    GRANITE_3,
    GRANITE_20B,
    HUNYUAN,
    INTERNLM,
    INTERNLM_ARGUMENTS,
    KIMI_K2,
    LONGCAT,
    MINIMAX_M1,
    MISTRAL,
    MISTRAL_ARGS,
    MISTRAL_IDS,
    NEMOTRON,
    SOLAR,
    LLAMA3_JSON,
    PLAIN_JSON,
    XLAM,
    # arguments one by one
    QWEN3_CODER,
    SEED_OSS,
    GLM,
    HUNYUAN_3,
    MINIMAX_M2,
    MINIMAX_M3,
    STEP_3,
    MINICPM_5,
    DEEPSEEK_V32,
    DEEPSEEK_V4,
    DEEPSEEK_V41,
    GEMMA_4,
    FUNCTION_GEMMA,
    COMMAND_COFL,
    # arguments as in Python
    LFM2,
    OLMO_3,
    PYTHONIC,
    # answers in channels
    KIMI_K3,
    HARMONY,
    MUSE_GLIMMER,
    FUNCTIONARY_32,
)
DEFAULT = HERMES
"""The syntax that models of an unknown family are told to write."""
