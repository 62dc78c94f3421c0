"""The log: one line a request and a line for what happens to the server, as text or as JSON.

Of what clients write, only the path and the model's name are logged (and prompts where `log_prompts` asks for them).
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import Any

from .context import RequestContext
from .options import LogFormat

FIELDS = "guided_fields"  # attribute of a record: what JSON lines have as fields of their own
requests = logging.getLogger("guided.server.requests")


def log_request(context: RequestContext) -> None:
    """The line of a request that is over."""
    if not requests.isEnabledFor(logging.INFO):
        return
    fields = context.log_fields()
    shown = " ".join(f"{name}={_shown(value)}" for name, value in fields.items())
    requests.info(shown, extra={FIELDS: fields})


def log_config(level: str, log_format: LogFormat) -> dict[str, Any]:
    """For `logging.config.dictConfig`: everything to standard error; uvicorn's own line a request is off."""
    formatter = {"()": JsonFormatter} if log_format == "json" else {"()": TextFormatter}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"default": formatter},
        "handlers": {"default": {"class": "logging.StreamHandler", "formatter": "default"}},
        "loggers": {
            name: {"handlers": ["default"], "level": level.upper(), "propagate": False}
            for name in ("guided", "uvicorn", "uvicorn.error")
        }
        | {"uvicorn.access": {"handlers": [], "level": "WARNING", "propagate": False}},
    }


class TextFormatter(logging.Formatter):
    """2026-01-31T12:00:00.123Z INFO what happened"""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and a traceback where there is one."""
        return f"{_time_of(record)} {record.levelname} {super().format(record)}"


class JsonFormatter(logging.Formatter):
    """One JSON object a line: time, level, logger, message; for a request its fields instead of the message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields: dict[str, Any] = {"time": _time_of(record), "level": record.levelname.lower(), "logger": record.name}
        own: dict[str, Any] | None = getattr(record, FIELDS, None)
        fields |= {"message": record.getMessage()} if own is None else own
        if record.exc_info:
            fields["traceback"] = self.formatException(record.exc_info)
        return json.dumps(fields, ensure_ascii=False, default=str)


def _time_of(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _shown(value: Any) -> str:
    """A value in a line of text; what could break the line or be taken for another field is quoted."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    text = str(value)
    is_plain = text.isprintable() and text.isascii() and not any(char in text for char in ' ="')
    return text if is_plain else json.dumps(text)
