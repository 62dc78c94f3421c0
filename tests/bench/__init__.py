"""Benchmarks beside other libraries, and the pages made from their results."""
