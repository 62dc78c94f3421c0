"""The state of one text in its grammar, for our engine, vLLM's jobs, the workbench, and the plug-ins for vLLM,
SGLang and llama.cpp. Nothing here imports one of them."""
