"""Shared by the plug-ins for other projects' engines. Nothing here imports an engine."""
