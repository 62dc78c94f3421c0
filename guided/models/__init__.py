"""Models that are no folder of standard files: GGUF files, and models by a known name, made into such folders."""
