"""The version of the program, defined only here."""

__version__ = "0.1.0"
