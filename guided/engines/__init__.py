"""The interface of engines (base.py) and what all of them share. Each engine has a folder: local, vllm, openai."""
