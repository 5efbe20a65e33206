"""The version of likelier, as in pyproject.toml."""

VERSION = "0.1.0"
