"""Reads texts from HTML, PDF, mails and files of rows, and cuts long texts into pieces."""
