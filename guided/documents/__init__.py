"""Reads texts from HTML, PDF, mails and tables, and writes results to tables."""
