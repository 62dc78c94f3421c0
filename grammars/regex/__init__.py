"""Regular expressions over Unicode code points as languages: `algebra`, and its readers `python_re` and `ecma`."""
