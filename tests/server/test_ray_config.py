"""What Ray Serve is told, without Ray: the configuration's fields, the examples, and the error where Ray is missing."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from guided.engines.settings import BatchSettings, EngineSettings
from guided.grammars.errors import InvalidInputError
from guided.llm import LLM
from guided.params.limits import RequestLimits
from guided.server import ray
from guided.server.app import create_app
from guided.server.ray import RayConfig
from guided.server.settings import ServerSettings, SocketLimits

FOLDER = Path(__file__).parent.parent.parent / "examples" / "ray"
DEPLOYMENT_OPTIONS = {
    *("name", "num_replicas", "max_ongoing_requests", "max_queued_requests", "autoscaling_config", "user_config"),
    *("health_check_period_s", "health_check_timeout_s", "graceful_shutdown_timeout_s", "ray_actor_options"),
    *("graceful_shutdown_wait_loop_s", "logging_config", "placement_group_bundles", "placement_group_strategy"),
}
"""Of Ray's `DeploymentSchema`. With Ray installed, tests/engines/test_ray_serve.py asks Ray itself."""


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / name).read_text(encoding="utf-8"))
    return found


def service() -> dict[str, Any]:
    return read("rayservice.yaml")


def check_application(config: dict[str, Any]) -> RayConfig:
    (application,) = config["applications"]
    assert application["import_path"] == f"{ray.__name__}:{ray.build_app.__name__}"
    (deployment,) = application["deployments"]
    assert deployment["name"] == ray.DEPLOYMENT
    assert set(deployment) <= DEPLOYMENT_OPTIONS
    return RayConfig.model_validate(application["args"])


def test_serve_yaml() -> None:
    config = check_application(read("serve.yaml"))
    assert config.max_batch_size == 32
    assert config.server_settings().max_new_tokens == 1024


def test_rayservice_yaml() -> None:
    """What the operator's schema asks for; and the pods live longer than their replicas may take to stop."""
    found = service()
    assert (found["apiVersion"], found["kind"]) == ("ray.io/v1", "RayService")
    assert set(found["spec"]) == {"serveConfigV2", "rayClusterConfig"}
    config = check_application(yaml.safe_load(found["spec"]["serveConfigV2"]))
    cluster = found["spec"]["rayClusterConfig"]
    for group in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"]):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())
        (container,) = group["template"]["spec"]["containers"]
        assert {"name", "image", "resources"} <= set(container)
        assert cluster["rayVersion"] in container["image"]
    for group in cluster["workerGroupSpecs"]:
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]
        assert group["template"]["spec"]["terminationGracePeriodSeconds"] > config.shutdown_timeout_s


def test_guide() -> None:
    (block,) = re.findall(
        r"```yaml\n(.*?)```", (FOLDER.parent.parent / "docs" / "scale.md").read_text("utf-8"), re.DOTALL
    )
    assert check_application(yaml.safe_load(block)).max_batch_size == 32


def test_vllm_yaml_names_our_backend() -> None:
    (application,) = read("vllm.yaml")["applications"]
    (model,) = application["args"]["llm_configs"]
    assert model["engine_kwargs"]["structured_outputs_config"] == {"backend": "guided"}


def test_defaults_are_those_of_the_server() -> None:
    config = RayConfig()
    assert EngineSettings.of(config) == EngineSettings(short_steps=True)
    assert RequestLimits.of(config) == RequestLimits()
    assert config.server_settings() == ServerSettings(max_kept_responses=0), "the next request may come to another one"


def test_every_setting_is_a_key() -> None:
    elsewhere = {"keys", "request_limits", *SocketLimits.model_fields}
    names = {name for kind in (BatchSettings, RequestLimits, ServerSettings) for name in kind.model_fields}
    assert names - elsewhere <= set(RayConfig.model_fields)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"max_batch_sise": 8}, "max_batch_sise"),
        ({"send_timeout_s": 5}, "send_timeout_s"),
        ({"max_batch_size": 0}, "max_batch_size must be"),
        ({"max_request_s": 0}, "max_request_s must be"),
        ({"max_stops": 0}, "max_stops must be"),
        ({"cors_origins": ["example.org"]}, "cors_origins must be"),
        ({"allowed_hosts": ["example.org:80"]}, "allowed_hosts must be"),
        ({"engine_args": {"seed": 1}}, "engine_args are for the engine 'vllm'"),
        ({"served_model_name": "a", "more_models": {"a": "folder"}}, "two models have the name 'a'"),
        ({"more_models": {" ": "folder"}}, "must not be empty"),
        ({"log_level": "loud"}, "log_level"),
    ],
)
def test_what_cannot_be_is_refused(args: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        RayConfig.model_validate(args)


def test_keys_are_read_by_the_replica(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key file is on the replicas' machines; where the application is built it may be missing."""
    config = RayConfig(api_key_file=tmp_path / "keys")
    with pytest.raises(InvalidInputError, match="can't be read"):
        config.server_settings()
    (tmp_path / "keys").write_text("ann sk-ann-12345\n", encoding="utf-8")
    (tmp_path / "keys").chmod(0o600)
    monkeypatch.setenv("GUIDED_ADMIN_KEY", "sk-admin-12345")
    keys = config.server_settings().keys
    assert (keys.api_keys, keys.admin_key) == ({"ann": "sk-ann-12345"}, "sk-admin-12345")


def test_work_beside_the_requests_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise RuntimeError("no agent")

    async def run() -> None:
        await asyncio.wait([ray.start_task("Prometheus through Ray", fail())])

    asyncio.run(run())
    assert "Prometheus through Ray has stopped in this replica" in caplog.text
    assert "no agent" in caplog.text


def test_a_model_that_was_not_loaded_is_said_by_the_health_check() -> None:
    def load() -> LLM:
        raise InvalidInputError("two models have the name 'a'")

    async def run() -> None:
        async with app.router.lifespan_context(app):
            assert failed.wait(60)
            with pytest.raises(ray.ReplicaFailedError, match="InvalidInputError: two models have the name 'a'"):
                ray.check_health(app)

    failed = threading.Event()
    app = create_app(load, on_loaded=lambda error: failed.set())
    asyncio.run(run())


def test_without_ray() -> None:
    code = (
        "import importlib.util as u, sys\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name.startswith('ray') else find(name, package)\n"
        "from guided.server.ray import RayConfig, build_app\n"
        "assert 'ray' not in sys.modules and 'torch' not in sys.modules\n"
        "build_app(RayConfig())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("RayNotInstalledError: Ray Serve is not installed; run: pip install 'ray[serve]'\n")
