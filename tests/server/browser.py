"""A page in Chromium without a window, steered over its debugging pipe: DevTools messages, each ended by NUL."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import selectors
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--no-first-run",
    "--remote-debugging-pipe",
)
TIMEOUT_S = 30.0
_KEY_CODES = {
    "Tab": 9,
    "Enter": 13,
    "Escape": 27,
    "Space": 32,
    "End": 35,
    "Home": 36,
    "Backspace": 8,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
}


def find_browser() -> str | None:
    """The path of Chromium, None where there is none."""
    return next((path for path in map(shutil.which, NAMES) if path is not None), None)


class Page:
    """One page. errors: what its scripts threw and nobody caught, syntax errors too."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.errors: list[str] = []
        self._to_browser, self._from_browser = to_browser, from_browser
        self._num_sent = 0
        self._session: dict[str, str] = {}
        self._read = b""

    def open(self, url: str) -> None:
        """Go there; returns once the page is loaded."""
        self._begin()
        self._call("Page.navigate", url=url)
        self.wait_for(f"document.readyState === 'complete' && location.href === {json.dumps(url)}")

    def before_scripts(self, script: str) -> None:
        """Run a script in every page that is opened from now on, before its own ones."""
        self._begin()
        self._call("Page.enable")
        self._call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def look_like(self, *, width: int = 1280, height: int = 900, is_dark: bool = False) -> None:
        """The window's size, and whether the system is set to dark colours."""
        self._begin()
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def press(self, *keys: str) -> None:
        """Press keys one after the other: "a", "Tab", "Shift+Tab", "Enter", "ArrowDown"."""
        for key in keys:
            *held, name = key.split("+") if len(key) > 1 else [key]
            text = {"Enter": "\r", "Space": " "}.get(name, name if len(name) == 1 else "")
            fields: dict[str, Any] = {
                "key": " " if name == "Space" else name,
                "code": name,
                "modifiers": _modifiers(held),
            }
            fields["windowsVirtualKeyCode"] = _KEY_CODES.get(name, ord(name[0].upper()))
            self._call("Input.dispatchKeyEvent", type="keyDown", **fields, **({"text": text} if text else {}))
            self._call("Input.dispatchKeyEvent", type="keyUp", **fields)

    def write(self, text: str) -> None:
        """Put a text in where the focus is, as an input method does."""
        self._call("Input.insertText", text=text)

    def busy_s(self) -> float:
        """Processor time of the page's main thread so far: scripts, styles, layout and all else."""
        self._call("Performance.enable", timeDomain="threadTicks")
        metrics = {one["name"]: one["value"] for one in self._call("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])

    def screenshot(self, path: Path) -> None:
        """A picture of the whole page, as PNG."""
        picture = self._call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(picture))

    def run(self, script: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        answer = self._call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Until an expression is true; fails after a while."""
        deadline = time.monotonic() + TIMEOUT_S
        while not self.run(condition):
            assert time.monotonic() < deadline, f"{condition} did not come true; errors: {self.errors}"
            time.sleep(0.02)

    def _begin(self) -> None:
        if self._session:
            return
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self._call("Runtime.enable")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._num_sent += 1
        message = {"id": self._num_sent, "method": method, "params": params} | self._session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            received = self._next()
            if received.get("method") == "Runtime.exceptionThrown":
                details = received["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if received.get("id") == self._num_sent:
                assert "error" not in received, received["error"]
                result: dict[str, Any] = received["result"]
                return result

    def _next(self) -> dict[str, Any]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._from_browser, selectors.EVENT_READ)
            while b"\0" not in self._read:
                assert selector.select(TIMEOUT_S), "the browser does not answer"
                piece = os.read(self._from_browser, 65536)
                assert piece, "the browser has ended"
                self._read += piece
        message, _, self._read = self._read.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found


def _modifiers(held: list[str]) -> int:
    return sum({"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}[name] for name in held)


@contextmanager
def browser_page(browser: str, profile: Path) -> Iterator[Page]:
    """A page of a browser of its own, which ends with the block. profile: a folder for its files."""
    from_us, to_browser = os.pipe()
    from_browser, from_it = os.pipe()
    high = [fcntl.fcntl(one, fcntl.F_DUPFD, 50) for one in (from_us, from_it)]  # 3 and 4 must be free for it
    command = [
        "bash",
        "-c",
        f'exec "$0" "$@" 3<&{high[0]} 4>&{high[1]}',
        browser,
        *OPTIONS,
        f"--user-data-dir={profile}",
    ]
    process = subprocess.Popen(command, pass_fds=high, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for one in (from_us, from_it, *high):
        os.close(one)
    try:
        yield Page(to_browser, from_browser)
    finally:
        process.terminate()
        process.wait(timeout=30)
        os.close(to_browser)
        os.close(from_browser)
