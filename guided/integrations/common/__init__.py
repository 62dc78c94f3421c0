"""What the plug-ins for engines of others share. Nothing here imports an engine."""
