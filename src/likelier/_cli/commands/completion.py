"""`likelier completion`."""

from __future__ import annotations

import click

from likelier._cli.shared.program import command

SHELLS = ("bash", "zsh", "fish")


@command(usage="bash|zsh|fish", examples=["likelier completion bash", "likelier completion fish"])
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
def completion(shell: str) -> None:
    r"""Print a shell completion script.

    \b
    bash:  likelier completion bash >> ~/.bashrc
    zsh:   likelier completion zsh >> ~/.zshrc
    fish:  likelier completion fish > ~/.config/fish/completions/likelier.fish

    Then open a new shell, type likelier and a space, and press Tab.
    """
    from click.shell_completion import get_completion_class

    from likelier._cli.commands import likelier

    found = get_completion_class(shell)
    assert found is not None
    made = found(likelier, {}, "likelier", "_LIKELIER_COMPLETE")
    click.echo(made.source_template % made.source_vars())
