"""The endpoints, one file a subject. Those that generate are the wire formats' (`guided.server.protocol`)."""
