"""Texts in, typed objects out."""
