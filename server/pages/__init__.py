"""What a browser shows of a server: its start page, what its endpoints take and answer, a page to try sampling on."""
