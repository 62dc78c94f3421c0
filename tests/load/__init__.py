"""The load test of the server, `python -m tests.server_load`: a real process, many mixed clients, figures of leaks."""
