"""The page of all commands, made of their help: `python -m likelier._cli.reference > docs/cli.md`."""

from __future__ import annotations

import sys

import click

from likelier._cli.commands import likelier
from likelier._cli.shared.program import HELP, WIDTH

INTRODUCTION = """\
# The command line

Every command with its options, as `likelier COMMAND --help` shows them. This page is made by
`python -m likelier._cli.reference > docs/cli.md`, and the tests compare it.

- **Data goes to stdout, everything else to stderr**: notes, the progress bar, summaries, warnings, errors.
  `train`, `learn`, `forget` and `merge` have a file as their result, so they print nothing to stdout.
- **Exit status**: 0 when all is well, 2 for an error, 130 after Ctrl-C, 141 when the reader of a pipe has
  gone. `classify --exit-code` has more, [see below](#mail-filters-and-scripts).
- **Errors** are two lines, `error: ...` and `hint: ...`; the hint is something to type. A file is replaced
  only by a complete one: after an error or Ctrl-C it is as it was.
- **Colours** are written where a terminal shows them. `NO_COLOR=1` or `--no-color` switches them off,
  `FORCE_COLOR=1` or `--color` on. `COLUMNS` sets the width of tables; without a terminal it is 80.
- **Labels and columns** are compared as they are: `Spam` is not `spam`.
- **Columns**: a model of a table knows its columns and finds them in every file by their names. `COLUMN=VALUE`
  arguments are together one document; if several names fit, the longest is meant.
"""

MAIL = """\
## Mail filters and scripts

`classify --exit-code` turns the verdict on one text into an exit status: 10 for the first label in sorted
order, 11 for the second, and so on; 1 for no label; 2 for an error. `--code LABEL=NUMBER` chooses another
number, and `--quiet` prints nothing. So an error is never taken for a label, and 0 is a label only if you say
so.

```text
$ likelier classify mail.likelier --mail --exit-code --code spam=0 --quiet < mail.eml && echo "this is spam"
```

procmail asks for a status of 0, and gives the whole mail only with the flags HB. When there is an error, for
instance no model, the mail is delivered as usual:

```text
:0 HB
* ? likelier classify $HOME/mail.likelier --mail --exit-code --code spam=0 --quiet
Junk/
```

maildrop keeps the status in RETURNCODE:

```text
`likelier classify $HOME/mail.likelier --mail --exit-code --code spam=10 --code ham=11 --quiet`
if ($RETURNCODE == 10)
{
    to "Maildir/.Junk/"
}
```

A mail that was judged wrongly is learnt with the right label, one at a time or as a whole folder:

```text
$ likelier learn mail.likelier --as spam --mail < mail.eml
$ likelier learn mail.likelier spam=Maildir/.Junk
```
"""


def page() -> str:
    """The page, in Markdown."""
    with click.Context(likelier, info_name="likelier", terminal_width=WIDTH, **HELP) as top:
        sections = ["## likelier", _block(likelier.get_help(top))]
        for name in likelier.list_commands(top):
            command = likelier.get_command(top, name)
            assert command is not None
            with click.Context(command, parent=top, info_name=name, terminal_width=WIDTH, **HELP) as context:
                sections += [f"## likelier {name}", _block(command.get_help(context))]
    return "\n".join([INTRODUCTION, "\n\n".join(sections), "", MAIL])


def _block(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


if __name__ == "__main__":
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(page())
