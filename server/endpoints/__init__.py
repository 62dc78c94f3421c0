"""The endpoints, one file for each subject. The wire formats (`guided.server.protocol`) define the endpoints that
generate.
"""
