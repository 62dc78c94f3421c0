"""Another server in OpenAI's protocol behind `guided.LLM` and `guided serve`: docs/server_engines.md."""
