"""`guided generate`: completes one prompt."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from .grammar_options import read_grammar, takes_a_grammar
from .loading import ModelName, load_llm
from .sources import read_standard_input

_Drawing = partial(typer.Option, rich_help_panel="Drawing tokens")
_Penalty = partial(typer.Option, rich_help_panel="Against repetition")
_Ending = partial(typer.Option, rich_help_panel="Ending the text")


@takes_a_grammar
def generate(
    prompt: Annotated[
        str, typer.Option(help="The user's message, or with --raw the text to continue. - reads standard input.")
    ],
    model: ModelName = None,
    tokenizer_name: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder or hub name of the tokenizer, where it is not the one beside the model."
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw/--chat", help="Continue the prompt as it stands, or answer it as a chat message.")
    ] = False,
    preset: Annotated[
        str | None,
        _Drawing(
            metavar="NAME",
            help="A ready way of drawing: factual or code (greedy), chat (temperature 0.7, top-p 0.9), creative (1.0, "
            "0.95). Further options change it.",
        ),
    ] = None,
    do_sample: Annotated[
        bool, _Drawing(help="Draw tokens at random; otherwise always take the most probable one.")
    ] = False,
    temperature: Annotated[
        float | None, _Drawing(help="Divides the logits: below 1 sharpens, above 1 flattens, 0 is greedy. Default: 1.")
    ] = None,
    top_k: Annotated[int | None, _Drawing(help="Keep the k most probable tokens. 0: all, the default.")] = None,
    top_p: Annotated[
        float | None,
        _Drawing(help="Keep the fewest most probable tokens whose probabilities add up to p. 1: all, the default."),
    ] = None,
    min_p: Annotated[
        float | None, _Drawing(help="Keep tokens at least p times as probable as the best one. 0: all, the default.")
    ] = None,
    seed: Annotated[int | None, _Drawing(help="The same seed gives the same text. Default: a fresh one.")] = None,
    repetition_penalty: Annotated[
        float | None,
        _Penalty(
            help="Above 1 makes every token of prompt and answer less likely to come again, below 1 more. Default: 1."
        ),
    ] = None,
    frequency_penalty: Annotated[
        float | None,
        _Penalty(help="Taken off a token's logit for each time that the answer has it; from -2 to 2. Default: 0."),
    ] = None,
    presence_penalty: Annotated[
        float | None, _Penalty(help="Taken off once from every token that the answer has; from -2 to 2. Default: 0.")
    ] = None,
    max_new_tokens: Annotated[
        int | None, _Ending(help="End after so many tokens. Default: 128; under a grammar the context's rest.")
    ] = None,
    stop: Annotated[
        list[str] | None,
        _Ending(metavar="TEXT", help="End before this text; give it once for each. It cuts the text of a grammar too."),
    ] = None,
    stop_regex: Annotated[
        list[str] | None, _Ending(metavar="REGEX", help="End before what this regex matches; give it once for each.")
    ] = None,
    stop_on_eos: Annotated[
        bool,
        _Ending(
            "--stop-on-eos/--no-stop-on-eos", help="End where the model ends the text, or go on to --max-new-tokens."
        ),
    ] = True,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1, ...")] = "auto",
    dtype: Annotated[str, typer.Option(help="auto, float32, bfloat16 or float16.")] = "auto",
    **grammar: Any,
) -> None:
    """Complete one prompt, with or without a grammar, and print the answer while it is generated.

    Examples:

    guided generate --prompt "Ada Holm, 36, lives in Oslo." --schema person.json

    guided generate --model ./my-model --raw --prompt "Once upon a time" --do-sample --temperature 0.8 --top-p 0.9

    guided generate --model ./my-model --prompt "Name three rivers." --preset chat --seed 7 --stop "4."

    guided generate --model ./my-model --prompt "Is it raining?" --choice yes --choice no

    guided generate --model ./my-model --prompt "When?" --regex "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    guided generate --model ./my-model --prompt "The ten best customers?" --library sql_select

    guided generate --model ./my-model --prompt "1.e4" --raw --ebnf chess.gbnf

    guided generate --model ./my-model --prompt "Weather in Oslo?" --structural-tag tools.json

    The answer goes to standard output, everything else to standard error.

    Exit code: 0; 1 if generation failed, or if the answer was cut off before it fitted its grammar; 2 for bad input.
    """
    from ..params.sampling_params import SamplingParams

    drawing = {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p, "seed": seed}
    penalties = {
        "repetition_penalty": repetition_penalty,
        "frequency_penalty": frequency_penalty,
        "presence_penalty": presence_penalty,
    }
    constraint = read_grammar(**grammar)
    params = SamplingParams(
        **_drawing(preset, do_sample, _given(drawing)),
        **_given(penalties),
        stop=stop or None,
        stop_regex=stop_regex or None,
        max_new_tokens=128 if max_new_tokens is None and not constraint else max_new_tokens,
        ignore_eos=not stop_on_eos,
        **constraint,
    )
    text = read_standard_input() if prompt == "-" else prompt
    if not text.strip():
        raise InvalidInputError("the prompt is empty; give it some text")
    console = Console(stderr=True, highlight=False)
    llm = load_llm(model, tokenizer=tokenizer_name, device=device, dtype=dtype)
    dtype_name = str(llm.engine.dtype).removeprefix("torch.")
    console.print(f"model: {llm.model_name}   device: {llm.engine.device}   dtype: {dtype_name}", style="dim")
    console.print(f"prompt: {text}", style="dim", markup=False)
    chunks = llm.stream(text if raw else [{"role": "user", "content": text}], params)
    for chunk in chunks:
        print(chunk.text, end="", flush=True)
    print()
    completion = chunk.completion
    assert completion is not None
    console.print(
        f"{completion.finish_reason}: {completion.num_tokens} tokens, {completion.tokens_per_s:.0f} tokens/s, "
        f"{completion.num_forced_tokens} forced",
        style="dim",
    )
    failure = None if completion.error is None else str(completion.error)
    if failure is None and completion.fits_grammar is False and completion.stopped_by is None:
        failure = f"cut off after {completion.num_tokens} tokens, before the answer was complete"
    if failure is None and completion.closed_in_budget:
        failure = (
            f"cut to fit into its budget of tokens, {completion.num_tokens} of them: the document is whole, and lacks "
            "what would have followed; raise --max-new-tokens"
        )
    if failure is not None:
        console.print(f"guided: {failure}", style="red", markup=False)
        raise typer.Exit(1)


def _drawing(preset: str | None, do_sample: bool, given: dict[str, Any]) -> dict[str, Any]:
    """The sampling options: those of the preset, or greedy by default, overridden by the given ones."""
    from ..params.conversions import PRESETS

    if preset is not None:
        if preset not in PRESETS:
            raise InvalidInputError(f"--preset must be {', '.join(PRESETS)}, not {preset!r}")
        return {**PRESETS[preset], **given}
    if given and not do_sample:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise InvalidInputError(f"{options} only applies to drawn tokens; add --do-sample, or leave it out")
    return {"temperature": 1.0 if do_sample else 0.0} | given


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given on the command line."""
    return {name: value for name, value in options.items() if value is not None}
