"""How the adapter for SmolLM2 is trained: a LoRA that reads texts into JSON under `LLM.extract`'s own prompt."""
