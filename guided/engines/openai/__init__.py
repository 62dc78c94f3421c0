"""Another server in OpenAI's protocol behind `guided.LLM` and `guided serve`: `engine="openai"`, docs/server_engines.md."""
