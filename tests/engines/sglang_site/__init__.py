"""Put into PYTHONPATH of SGLang's processes, see `sitecustomize`."""
