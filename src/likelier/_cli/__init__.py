"""The command line: `likelier COMMAND`. One module for each command: parse, call, print.

program.py   what commands and options are made of; how help looks
options.py   options that several commands share, and the library's objects made of them
columns.py   the columns of tables, as options name them
documents.py documents as they are typed: texts, COLUMN=VALUE, lines of JSON
output.py    colour, width, tables; data on stdout, everything else on stderr
failures.py  errors as the command line says them, and exit statuses
"""

from __future__ import annotations


def main() -> None:
    """Runs the command that the arguments name."""
    from likelier._cli.commands import likelier

    likelier.main(prog_name="likelier")
