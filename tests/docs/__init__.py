"""The documentation is true: its commands run, its tables are those of the code, its links lead somewhere."""
