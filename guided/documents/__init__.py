"""What texts are read from and what is found in them is written to: HTML, PDF, tables."""
