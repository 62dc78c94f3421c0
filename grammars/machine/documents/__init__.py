"""Frames of JSON documents: what may come in them, byte by byte."""
