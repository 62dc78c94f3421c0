"""Reads texts into typed objects."""
