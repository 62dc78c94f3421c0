"""`guided serve`: options from flags, environment and file, in this order; what it refuses; what its help says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guided.cli.main import main
from guided.engines.settings import EngineSettings
from guided.grammars import Limits
from guided.grammars.errors import InvalidInputError
from guided.server import serve as serve_module
from guided.server.options import Options, ServeOptions, table
from guided.server.settings import ServerSettings

Serve = Callable[..., dict[str, Any]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Runs the command up to where the server would start; gives what it would start with."""
    started: dict[str, Any] = {}

    def run(load: Any, host: str, port: int, **options: Any) -> None:
        started.update(options, load=load, host=host, port=port)

    monkeypatch.setattr(serve_module, "run", run)

    def call(*arguments: str) -> dict[str, Any]:
        started.clear()
        with pytest.raises(SystemExit) as exit_info:
            main(["serve", *arguments])
        assert not exit_info.value.code
        return started

    return call


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as exit_info:
        main(["serve", *arguments])
    assert exit_info.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def config(tmp_path: Path) -> Callable[[str], str]:
    """Writes a configuration file; gives its path."""

    def write(text: str) -> str:
        (tmp_path / "server.toml").write_text(text)
        return str(tmp_path / "server.toml")

    return write


def test_defaults(serve: Serve) -> None:
    started = serve()
    assert (started["host"], started["port"]) == ("127.0.0.1", 8000)
    assert started["settings"] == ServerSettings()
    assert started["load"].keywords["engine_settings"] == EngineSettings(short_steps=True)


def test_a_flag_wins_over_the_environment_over_the_file(
    serve: Serve, config: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = config('port = 1\nhost = "h"\nmax_outputs = 1\n')
    assert serve("--config", path)["port"] == 1
    monkeypatch.setenv("GUIDED_PORT", "2")
    monkeypatch.setenv("GUIDED_MAX_OUTPUTS", "2")
    started = serve("--config", path, "--port", "3")
    assert (started["port"], started["settings"].max_outputs, started["host"]) == (3, 2, "h")


def test_every_kind_of_option_in_a_file(
    serve: Serve, config: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = config(
        'cors_origin = ["https://a.example", "https://b.example"]\nlog_prompts = true\njump_forward = false\n'
        'max_request_s = 2.5\nkv_cache_tokens = 4096\nlog_format = "json"\nmodel = "m"\n'
    )
    monkeypatch.setenv("GUIDED_CONFIG", path)
    started = serve()
    settings, engine = started["settings"], started["load"].keywords["engine_settings"]
    assert settings.cors_origins == ("https://a.example", "https://b.example")
    assert (settings.log_prompts, settings.max_request_s) == (True, 2.5)
    assert (engine.jump_forward, engine.kv_cache_tokens) == (False, 4096)
    assert (started["log_format"], started["load"].args[0]) == ("json", "m")


@pytest.mark.parametrize("is_short", [True, False])
def test_a_server_keeps_steps_short_unless_it_is_told_otherwise(
    serve: Serve, config: Callable[[str], str], is_short: bool
) -> None:
    started = serve() if is_short else serve("--config", config("short_steps = false\n"))
    assert started["load"].keywords["engine_settings"].short_steps is is_short
    assert EngineSettings().short_steps is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prot = 9000", "'prot' is no option of guided serve; known: "),
        ("config = 'a'", "'config' is no option"),
        ("[server]\nport = 1", "'server' is no option"),
        ("port = true", "port must be a string or a number, not True"),
        ("port = [1]", "port must be a string or a number"),
        ("log_prompts = 1", "log_prompts must be true or false, not 1"),
        ("cors_origin = 'x'", "cors_origin must be a list of strings"),
        ("port = 99999", "--port"),
        ("port =", "is no TOML"),
        ("max_outputs = 0", "max"),
    ],
)
def test_wrong_files(config: Callable[[str], str], capsys: pytest.CaptureFixture[str], text: str, message: str) -> None:
    assert message in refused(capsys, "--config", config(text))


def test_no_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "can't be read" in refused(capsys, "--config", str(tmp_path / "nothing.toml"))


def test_an_unknown_variable_is_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUIDED_MAX_OUTPUT", "3")
    assert "GUIDED_MAX_OUTPUT is no option of guided serve" in refused(capsys)


GONE = {"max_stop_seconds": "stop regexes are looked for in linear time", "overlapped": "no pass of the model begins"}


@pytest.mark.parametrize("name", GONE)
def test_options_of_earlier_versions_say_what_to_do(
    config: Callable[[str], str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    cure = f" is no option any more: {GONE[name]}"
    assert f"--{name.replace('_', '-')}{cure}" in refused(capsys, f"--{name.replace('_', '-')}", "1")
    assert f"--no-{name.replace('_', '-')}{cure}" in refused(capsys, f"--no-{name.replace('_', '-')}")
    assert f"{name!r}{cure}" in refused(capsys, "--config", config(f"{name} = 1"))
    with pytest.raises(InvalidInputError, match=f"^{name}{cure}"):
        ServeOptions(**{name: 1})
    monkeypatch.setenv(f"GUIDED_{name.upper()}", "1")
    assert f"GUIDED_{name.upper()}{cure}" in refused(capsys)


def test_keys(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUIDED_API_KEYS", "sk-one-1234,sk-two-1234")
    monkeypatch.setenv("GUIDED_ADMIN_KEY", "sk-root-1234")
    keys = serve()["settings"].keys
    assert (dict(keys.api_keys), keys.admin_key) == (
        {"key-1": "sk-one-1234", "key-2": "sk-two-1234"},
        "sk-root-1234",
    )
    for name, text in (("api", "ann sk-ann-1234"), ("admin", "sk-file-1234")):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    keys = serve("--api-key-file", str(tmp_path / "api"), "--admin-key-file", str(tmp_path / "admin"))["settings"].keys
    assert (dict(keys.api_keys), keys.admin_key) == ({"ann": "sk-ann-1234"}, "sk-file-1234")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max-request-s", "0"], "max_request_s must be a number of seconds > 0"),
        (["--cors-origin", "example.org"], "cors_origins must be like"),
        (["--allowed-host", "https://example.org"], "allowed_hosts must be names without a port"),
        (["--api-key-file", "/nothing"], "the key file '/nothing' can't be read"),
        (["--log-level", "loud"], "log_level must be one of critical, error, warning, info, debug"),
        (["--log-format", "xml"], "log_format must be text or json"),
    ],
)
def test_wrong_flags(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in refused(capsys, *arguments)


def test_help_names_every_limit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main(["serve", "--help"])
    text = capsys.readouterr().out
    for name in ("--config", "GUIDED_PORT", "--max-body-bytes", "--api-key-file", "--shutdown-timeout-s", "else 413"):
        assert name in text


def test_several_models(serve: Serve, config: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:  # A1.1
    loaded: list[Any] = []
    monkeypatch.setattr("guided.llm.LLM", lambda model, engine, **_: loaded.append(model) or object())
    for arguments in (
        ["--model", "large", "--add-model", "small=./s", "--add-model", "again = ./s", "--device", "cpu"],
        ["--config", config('model = "large"\nadd_model = ["small=./s", "again=./s"]\ndevice = "cpu"')],
    ):
        started = serve(*arguments)
        more = started["more_models"]
        assert list(more) == ["small", "again"]
        assert more["small"].keywords == started["load"].keywords, "all with the same options"
        assert more["small"].keywords["device"] == "cpu"
        loaded.clear()
        started["load"]()
        assert more["small"]() is more["again"]()
        assert loaded == ["large", "./s"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--add-model", "./my-model"], "must be NAME=MODEL"),
        (["--add-model", "=x"], "must be NAME=MODEL"),
        (["--add-model", "a=x", "--add-model", "a=y"], "gives the name 'a' to two models"),
    ],
)
def test_wrong_names_of_models(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert message in " ".join(refused(capsys, *arguments).split())


@pytest.mark.parametrize("engine", ["vllm", "openai"])
def test_engines_that_plan_their_own_steps_get_no_short_ones(engine: str) -> None:
    assert Options().llm_arguments()["engine_settings"].short_steps is True
    assert Options(engine=engine).llm_arguments()["engine_settings"].short_steps is False


def test_limits_on_grammars_reach_the_model() -> None:
    for given in ({"max_automaton_states": 7}, '{"max_automaton_states": 7}'):
        assert Options(limits=given).llm_arguments()["limits"] == Limits(max_automaton_states=7)
    assert Options().llm_arguments()["limits"] is None
    with pytest.raises(InvalidInputError, match="unknown limit 'max_states'"):
        Options(limits='{"max_states": 7}').llm_arguments()


def test_the_guide_has_all_options() -> None:
    """`python -m guided.server.options` prints the table."""
    guide = (Path(__file__).parents[2] / "docs" / "operating.md").read_text(encoding="utf-8")
    assert table(ServeOptions) in guide


def test_each_option_is_declared_once() -> None:
    """What two settings have in common they have from the one that declares it."""
    declared = [
        name for kind in ServeOptions.__mro__ for name in vars(kind).get("__annotations__", {}) if name != "panel"
    ]
    assert set(ServeOptions.model_fields) <= set(declared)
    assert {name for name in ServeOptions.model_fields if declared.count(name) > 1} == set()
