"""Fuzzers of JSON Schema: random schemas of one area, against two validators that know nothing of this project.

`python -m tests.fuzz.objects --seconds 3600 --seed 1`; a few seconds of each are in the default run (`test_fuzz.py`).
"""
