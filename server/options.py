"""The options of `guided serve`: each also an environment variable and a key of the configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .config_file import load_config

MODEL = "Model"
BATCH = "Model's batch"
LIMITS = "Limits of one request"
LOAD = "Load and time"
ACCESS = "Access"
LOG = "Log"

Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.toml",
        help="Options from a file: port = 9000. Keys are the options' names with _ for -.",
        callback=load_config,
        is_eager=True,
        envvar="GUIDED_CONFIG",
    ),
]

Model = Annotated[
    str | None, typer.Option(help="Model folder or hub name. Default: the model in the package.", rich_help_panel=MODEL)
]
ServedModelName = Annotated[
    str | None,
    typer.Option(help="The name that requests give as model. Default: the model's own.", rich_help_panel=MODEL),
]
AddModel = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=MODEL",
        help="Serve one more model, which requests name as NAME; give it once for each.",
        rich_help_panel=MODEL,
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        help="transformers; vllm; openai, another server in OpenAI's protocol (--base-url); or echo, which writes each "
        "prompt's own text, for tests of clients.",
        rich_help_panel=MODEL,
    ),
]
EngineArgs = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="For --engine vllm: a JSON object of vLLM's EngineArgs. For openai: how the other server is asked.",
        rich_help_panel=MODEL,
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="For --engine openai: the other server, https://HOST/v1.", rich_help_panel=MODEL),
]
ApiKeyEnv = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="For --engine openai: environment variable with the other server's key. Default: no key is sent.",
        rich_help_panel=MODEL,
    ),
]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, ...", rich_help_panel=MODEL)]
Dtype = Annotated[str, typer.Option(help="auto, float32, bfloat16 or float16.", rich_help_panel=MODEL)]
Backend = Annotated[str | None, typer.Option(help="Grammar backend. Default: native.", rich_help_panel=MODEL)]

Host = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")]

MaxBatchSize = Annotated[int, typer.Option(min=1, help="Outputs that run together; more wait.", rich_help_panel=BATCH)]
KvCacheTokens = Annotated[
    int | None,
    typer.Option(
        min=1, help="Tokens whose keys and values are kept. Default: chosen from the memory.", rich_help_panel=BATCH
    ),
]
NumThreads = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Threads that run the model on a CPU. Default: OMP_NUM_THREADS; else one for each 50 million parameters.",
        rich_help_panel=BATCH,
    ),
]
MaxPrefillTokens = Annotated[
    int, typer.Option(min=1, help="Tokens of prompts that one step reads.", rich_help_panel=BATCH)
]
PrefixCaching = Annotated[bool, typer.Option(help="Keep what was computed for prompts.", rich_help_panel=BATCH)]
JumpForward = Annotated[
    bool, typer.Option(help="Read what a grammar forces in one pass. Same output, faster.", rich_help_panel=BATCH)
]

MaxBodyBytes = Annotated[int, typer.Option(min=1, help="Of a request's body; else 413.", rich_help_panel=LIMITS)]
MaxBodyValues = Annotated[
    int, typer.Option(min=1, help="Elements and members in a body's JSON; else 400.", rich_help_panel=LIMITS)
]
MaxBodyDepth = Annotated[int, typer.Option(min=1, help="Levels of a body's JSON; else 400.", rich_help_panel=LIMITS)]
MaxSchemaBytes = Annotated[int, typer.Option(min=1, help="Of a schema or grammar; else 400.", rich_help_panel=LIMITS)]
MaxCheckDocuments = Annotated[
    int, typer.Option(min=1, help="Texts that one /v1/grammar/check tries; else 400.", rich_help_panel=LIMITS)
]
MaxCheckBytes = Annotated[int, typer.Option(min=1, help="Of these together; else 400.", rich_help_panel=LIMITS)]
MaxCheckSeconds = Annotated[
    float, typer.Option(help="Processor time for trying them; else 400.", rich_help_panel=LIMITS)
]
MaxStops = Annotated[int, typer.Option(min=1, help="Stop strings, and stop regexes; else 400.", rich_help_panel=LIMITS)]
MaxStopChars = Annotated[int, typer.Option(min=1, help="Of these together; else 400.", rich_help_panel=LIMITS)]
MaxStopSeconds = Annotated[
    float, typer.Option(help="Processor time of looking for stop regexes; else 400.", rich_help_panel=LIMITS)
]
MaxBadWords = Annotated[int, typer.Option(min=1, help="Bad words; else 400.", rich_help_panel=LIMITS)]
MaxBadWordTokens = Annotated[int, typer.Option(min=1, help="Of these together; else 400.", rich_help_panel=LIMITS)]
MaxTokenIds = Annotated[
    int, typer.Option(min=1, help="Of logit_bias and other lists of tokens; else 400.", rich_help_panel=LIMITS)
]
MaxLogprobTokenIds = Annotated[
    int, typer.Option(min=1, help="Tokens whose logprobs are asked for by id; else 400.", rich_help_panel=LIMITS)
]
MaxMessages = Annotated[int, typer.Option(min=1, help="Of a conversation; else 400.", rich_help_panel=LIMITS)]
MaxOutputs = Annotated[int, typer.Option(min=1, help="n, or prompts times n; else 400.", rich_help_panel=LIMITS)]
MaxNewTokens = Annotated[
    int | None, typer.Option(min=1, help="Of one output; else 400. Default: the context.", rich_help_panel=LIMITS)
]
MaxPromptTokens = Annotated[
    int | None, typer.Option(min=1, help="Of a prompt; else 400. Default: the context.", rich_help_panel=LIMITS)
]

MaxConcurrentRequests = Annotated[
    int, typer.Option(min=1, help="Requests that run or wait; more get a 503.", rich_help_panel=LOAD)
]
MaxConcurrentRequestsPerKey = Annotated[
    int | None, typer.Option(min=1, help="The same for one API key; more get a 429.", rich_help_panel=LOAD)
]
CompileThreads = Annotated[int, typer.Option(min=1, help="Threads that compile grammars.", rich_help_panel=LOAD)]
MaxRequestS = Annotated[
    float,
    typer.Option(
        help="Seconds for a request, then 504; a request's x-request-timeout may be less.", rich_help_panel=LOAD
    ),
]
BodyTimeoutS = Annotated[float, typer.Option(help="Seconds to send a body, then 408.", rich_help_panel=LOAD)]
SendTimeoutS = Annotated[
    float, typer.Option(help="Seconds that a client may stop reading before it is cut off.", rich_help_panel=LOAD)
]
ShutdownTimeoutS = Annotated[
    float, typer.Option(min=0, help="Seconds that running requests get after Ctrl+C.", rich_help_panel=LOAD)
]

ApiKeyFile = Annotated[
    Path | None,
    typer.Option(
        help="API keys: KEY or LABEL KEY a line. Or the variable GUIDED_API_KEYS, with commas. Default: no key needed.",
        rich_help_panel=ACCESS,
    ),
]
AdminKeyFile = Annotated[
    Path | None,
    typer.Option(
        help="The administrator's key. Or the variable GUIDED_ADMIN_KEY. Default: nobody is.", rich_help_panel=ACCESS
    ),
]
ProcessorKeyFile = Annotated[
    Path | None,
    typer.Option(
        help="Lets requests bring serialised logit processors that are signed with this file's key. They are code that "
        "runs in this process. Default: refused.",
        rich_help_panel=ACCESS,
    ),
]
CorsOrigin = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORIGIN",
        help="A web page's origin that may use the server from a browser, or *; can be repeated. Default: none.",
        rich_help_panel=ACCESS,
    ),
]

LogLevel = Annotated[str, typer.Option(help="critical, error, warning, info or debug.", rich_help_panel=LOG)]
LogFormatOption = Annotated[
    str, typer.Option("--log-format", help="text, or json: one object a line.", rich_help_panel=LOG)
]
LogPrompts = Annotated[bool, typer.Option(help="Log the texts of requests too.", rich_help_panel=LOG)]
