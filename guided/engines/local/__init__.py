"""Our own engine: its thread (`loop.py`), one step (`core.py`), the scheduler, and keys and values in `paged/`."""
