"""The command line: `likelier COMMAND`.

commands/     one module per command: it parses, calls the library and prints
shared/       what several commands share: options, output, failures, progress, documents from arguments and stdin
reference.py  docs/cli.md, made from the help texts
"""

from __future__ import annotations


def main() -> None:
    """Run the command that the arguments name."""
    from likelier._cli.commands import likelier

    likelier.main(prog_name="likelier")
