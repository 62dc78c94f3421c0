"""Pages for a browser: the start page, the description of the endpoints, and the workbench."""
