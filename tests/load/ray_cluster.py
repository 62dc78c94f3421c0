"""Our server on Ray Serve, on this machine: started, its replicas listed and killed. Needs Ray."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial, wraps
from inspect import signature
from types import TracebackType
from typing import Any, Self
from unittest import mock

import httpx
import ray
from ray import serve
from ray._private import parameter, services
from ray._raylet import DASHBOARD_AGENT_LISTEN_PORT_NAME, persist_port
from ray.serve.context import _get_global_client  # what `serve deploy` and the dashboard use
from ray.serve.schema import ServeDeploySchema

from tests.ports import free_port

APPLICATION = "guided"
START_S = 300.0  # on a machine that does much else
AGENT_PORTS = ("metrics_agent_port", "dashboard_agent_listen_port", "runtime_env_agent_port")


class RayCluster:
    """One node with the embedded model behind Ray's proxy. A context manager; leaving it ends Ray.

    num_replicas: of the deployment. args: keys of `RayConfig`. deployment: further options of Ray's for it.
    """

    def __init__(self, num_replicas: int, args: dict[str, Any], **deployment: Any) -> None:
        self.port = free_port()
        self._args = args
        self._deployment = {"num_replicas": num_replicas, "ray_actor_options": {"num_cpus": 0.1}, **deployment}

    @property
    def url(self) -> str:
        """Where Ray's proxy listens."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        _start_node()
        serve.start(proxy_location="HeadOnly", http_options={"host": "127.0.0.1", "port": self.port})
        self.deploy()
        self.wait_until_running()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        serve.shutdown()
        ray.shutdown()

    def deploy(self, **changes: Any) -> None:
        """Bring the application to these options of the deployment; what is said here stays."""
        self._deployment |= changes
        application = {
            "name": APPLICATION,
            "route_prefix": "/",
            "import_path": "guided.server.ray:build_app",
            "args": self._args,
            "deployments": [{"name": "GuidedServer", **self._deployment}],
        }
        _get_global_client().deploy_apps(ServeDeploySchema.model_validate({"applications": [application]}))

    def deploy_anew(self, args: dict[str, Any]) -> None:
        """Take the application away and bring it back with these keys of `RayConfig`, alone."""
        _get_global_client().delete_apps([APPLICATION])
        self._args = args
        self.deploy()

    def details(self) -> dict[str, Any]:
        """What Ray knows of the application."""
        found: dict[str, Any] = _get_global_client().get_serve_details()["applications"][APPLICATION]
        return found

    def message(self) -> str:
        """What Ray's status says of the replicas."""
        return str(self.details()["deployments"].get("GuidedServer", {}).get("message"))

    def pids(self) -> list[int]:
        """Of the replicas that answer requests. Ray goes on listing a killed one until its next check."""
        replicas = self.details()["deployments"].get("GuidedServer", {"replicas": []})["replicas"]
        return [one["pid"] for one in replicas if one["state"] == "RUNNING" and _is_alive(one["pid"])]

    def wait_until_running(self, timeout_s: float = START_S) -> None:
        """Until there are as many replicas as there should be. Raises RuntimeError with what Ray says."""
        deadline = time.monotonic() + timeout_s
        while not self._is_running():
            found = self.details()
            if found["status"] == "DEPLOY_FAILED" or time.monotonic() > deadline:
                raise RuntimeError(f"{found['status']}: {found['message']} {found['deployments']}")
            time.sleep(0.2)

    def kill_one(self) -> int:
        """`kill -9` of the process of one replica; its id."""
        pid = self.pids()[0]
        os.kill(pid, signal.SIGKILL)
        return pid

    def _is_running(self) -> bool:
        if len(self.pids()) != self._deployment["num_replicas"]:
            return False
        try:
            return bool(httpx.get(f"{self.url}/health", timeout=30).is_success)
        except httpx.TransportError:
            return False


def _start_node() -> None:
    """`ray.init` with ports that are known before its processes are.

    Ray's raylet waits for its agents, to learn their ports, and ends after 15 s. They may take longer to import what
    they need: where the machine does much else, or reads these files for the first time.
    """
    os.environ.setdefault("RAY_agent_register_timeout_ms", "120000")  # Ray's own are 30 s
    ports = {name: free_port() for name in AGENT_PORTS}
    with (
        mock.patch.object(parameter, "RayParams", partial(parameter.RayParams, **ports)),
        mock.patch.object(services, "start_raylet", _with_known_port(services.start_raylet)),
    ):
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            object_store_memory=100 << 20,
            _metrics_export_port=free_port(),
        )


def _with_known_port(start_raylet: Callable[..., Any]) -> Callable[..., Any]:
    """The raylet is told all ports but one, which it reads from a file."""

    @wraps(start_raylet)
    def start(*arguments: Any, **options: Any) -> Any:
        said = signature(start_raylet).bind(*arguments, **options).arguments
        port = said["dashboard_agent_listen_port"]
        persist_port(said["session_dir"], said["node_id"], DASHBOARD_AGENT_LISTEN_PORT_NAME, port)
        return start_raylet(*arguments, **options)

    return start


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
