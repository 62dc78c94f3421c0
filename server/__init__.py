"""The HTTP server for a `guided.LLM`: OpenAI's and Anthropic's endpoints, with exact constraints and tools.

`create_app` makes the FastAPI application, for any ASGI server that runs its lifespan; `run` serves it with uvicorn
until it is told to stop. Importing this package loads no model and no tensor library.
"""

from .app import create_app
from .serve import run
from .settings import ServerSettings

__all__ = ["ServerSettings", "create_app", "run"]
