"""vLLM as an engine of `guided.LLM` and the server. The plug-in for vLLM itself is `guided.integrations.vllm`."""
