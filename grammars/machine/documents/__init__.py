"""Steppers of JSON documents: the bytes that may come in each frame."""
