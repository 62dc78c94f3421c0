"""A generation token by token, with what its grammar did at each: `stream_steps`."""
