"""Help: every command and option is documented, its examples work, and docs/cli.md says the same."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from likelier._cli.commands import COMMANDS, likelier
from likelier._cli.reference import page

ROOT = Path(__file__).parents[2]
NAMES = [name for section in COMMANDS.values() for name in section]
CONTEXT = click.Context(likelier, info_name="likelier")
TREE = {name: likelier.get_command(CONTEXT, name) for name in NAMES}
OPTIONS = sorted(
    {
        (name, option)
        for name, command in TREE.items()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (max(parameter.opts, key=len), *parameter.secondary_opts)
    }
)


@pytest.mark.parametrize("name", NAMES)
def test_the_short_help_is_the_first_line_of_the_long_one(name):
    (short,) = [section[name] for section in COMMANDS.values() if name in section]
    assert TREE[name].short_help == short
    assert TREE[name].help.startswith(short)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_has_usage_options_and_two_examples_and_fits_the_screen(output, name, flag):
    shown = output(name, flag)
    assert shown.startswith(f"Usage: likelier {name} ")
    head, examples = shown.split("\nExamples:\n")
    assert len(examples.strip().splitlines()) >= 2
    assert max(map(len, head.splitlines())) <= 80


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_option_has_a_word_of_help(name, option):
    (parameter,) = [each for each in TREE[name].params if option in (*each.opts, *each.secondary_opts)]
    assert parameter.help
    assert parameter.help[0].isupper() or parameter.help.split()[0].rstrip(",:;").islower()
    assert parameter.help.endswith(".")


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_option_is_used_in_a_test(name, option):
    folder = Path(__file__).parents[1] / {"serve": "serve", "label": "workbench"}.get(name, "cli")
    tests = "".join(path.read_text("utf-8") for path in folder.glob("test_*.py"))
    assert re.search(rf'"{option}["=]', tests)


def test_without_a_command_the_commands_are_listed(output):
    shown = output()
    assert all(re.search(rf"^  {name} ", shown, re.MULTILINE) for name in NAMES)
    assert shown == output("--help")


def test_lines_of_help_that_stand_alone_do_so(output):
    shown = output("completion", "--help")
    assert "\n  zsh:   likelier completion zsh >> ~/.zshrc\n" in shown
    assert "\\b" not in page()
    assert "\b" not in page()


def test_the_page_of_commands_is_what_the_commands_say():
    assert ROOT.joinpath("docs/cli.md").read_text("utf-8") == page(), "python -m likelier._cli.reference > docs/cli.md"


EXAMPLES = [line for name in NAMES for line in TREE[name].examples] + likelier.examples
EXAMPLES = [line for line in EXAMPLES if "--engine spark" not in line]  # see spark/test_commands.py


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_works(run, here, line, monkeypatch):
    monkeypatch.setattr("likelier._serve.run.serve", lambda *_: None)  # it would not end; tests/serve has the rest
    run("merge", "shop.likelier", "shop2.likelier", "-o", "both.likelier")
    run("learn", "shop.likelier", "--as", "returns", "My parcel arrived broken")
    command, _, source = line.partition(" < ")
    words = shlex.split(command, comments=True)
    assert words[0] == "likelier"
    result = run(*words[1:], given=Path(source).read_bytes() if source else "")
    assert result.exit_code == (11 if "returns=0" in words else 0), result.stderr  # the mail is about a delivery
