"""The log: one line for each request and for each event of the server, as text or as JSON.

A line about a request contains its id. The log contains only the path and the model's name of a client's texts, and
prompts if `log_prompts` is set.
"""

from __future__ import annotations

import json
import logging
from typing import Any

from structlog.contextvars import merge_contextvars
from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict

from .context import RequestContext
from .options import LogFormat

FIELDS = "guided_fields"  # attribute of a log record: the fields of its JSON line
requests = logging.getLogger("guided.server.requests")


def log_request(context: RequestContext) -> None:
    """Log a request whose answer is over."""
    if requests.isEnabledFor(logging.INFO):
        fields = context.log_fields()
        requests.info(_shown_fields(fields), extra={FIELDS: fields})


def log_config(level: str, log_format: LogFormat) -> dict[str, Any]:
    """A configuration for `logging.config.dictConfig`: all lines go to standard error; uvicorn's access log is off."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"default": {"()": lambda: formatter(log_format)}},
        "handlers": {"default": {"class": "logging.StreamHandler", "formatter": "default"}},
        "loggers": {
            name: {"handlers": ["default"], "level": level.upper(), "propagate": False}
            for name in ("guided", "uvicorn", "uvicorn.error")
        }
        | {"uvicorn.access": {"handlers": [], "level": "WARNING", "propagate": False}},
    }


def formatter(log_format: LogFormat) -> logging.Formatter:
    """A formatter for log lines.

    With "text" a line is "2026-01-31T12:00:00.123456Z INFO what happened", and a traceback may follow. With "json" each
    line is an object: time, level, logger, message, traceback. A request's line has its fields instead of the message.
    """
    stamp = TimeStamper(fmt="iso", utc=True, key="time")
    as_json = JSONRenderer(ensure_ascii=False, default=str)
    render = [_with_fields, as_json] if log_format == "json" else [_as_text]
    return ProcessorFormatter(
        processors=[merge_contextvars, stamp, add_log_level, add_logger_name, format_exc_info, *render]
    )


def _with_fields(_: Any, __: str, event: EventDict) -> EventDict:
    """Put the fields of a JSON line in order."""
    record, message, traceback = event.pop("_record"), event.pop("event"), event.pop("exception", None)
    first = {name: event.pop(name) for name in ("time", "level", "logger")}
    del event["_from_structlog"]
    said = {"message": message, **event} if not hasattr(record, FIELDS) else getattr(record, FIELDS)
    return {**first, **said, **({} if traceback is None else {"traceback": traceback})}


def _as_text(_: Any, __: str, event: EventDict) -> str:
    line = f"{event['time']} {event['level'].upper()} {event['event']}"
    if "request_id" in event and not hasattr(event["_record"], FIELDS):
        line += f" request_id={_shown(event['request_id'])}"
    return f"{line}\n{event['exception']}" if "exception" in event else line


def _shown_fields(fields: dict[str, Any]) -> str:
    return " ".join(f"{name}={_shown(value)}" for name, value in fields.items())


def _shown(value: Any) -> str:
    """A value in a text line, quoted if it could break the line or be read as another field."""
    if isinstance(value, list):
        return ",".join(map(str, value))
    text = str(value)
    is_plain = text.isprintable() and text.isascii() and not any(char in text for char in ' ="')
    return text if is_plain else json.dumps(text)
