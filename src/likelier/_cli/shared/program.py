"""Commands and options: options are grouped, help ends with examples.

`Program` imports a command's module only when the command is called, so that no command waits for the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click

WIDTH = 80  # of help texts
HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDTH}

TYPED = "likelier.typed"  # where a context keeps the arguments of the command

Function = TypeVar("Function", bound=Callable[..., Any])


class GroupedOption(click.Option):
    """An option that belongs to a group."""

    def __init__(self, *args: Any, group: str = "Options", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.group = group

    def get_help_extra(self, ctx: click.Context) -> Any:
        return {name: extra for name, extra in super().get_help_extra(ctx).items() if name != "range"}


def option(*names: str, group: str = "Options", **details: Any) -> Callable[[Function], Function]:
    """`click.option` with a group."""
    return click.option(*names, cls=GroupedOption, group=group, **details)


class Command(click.Command):
    """A command whose help has its own usage line, options in groups, and examples."""

    def __init__(self, *args: Any, usage: str = "", examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.usage = usage
        self.examples = list(examples)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, self.usage)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in sorted(self.get_params(ctx), key=_comes_last):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:  # arguments are in the usage line
                groups.setdefault(getattr(parameter, "group", "Output"), []).append(record)
        for name, records in groups.items():
            with formatter.section(name):
                formatter.write_dl(records, col_max=26)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[TYPED] = list(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        from likelier._cli.shared.targets import check_targets

        check_targets(ctx)
        return super().invoke(ctx)


def _comes_last(parameter: click.Parameter) -> bool:
    return getattr(parameter, "group", "Output") == "Output"  # stable: the others keep their order


def _write_examples(examples: Sequence[str], formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            for line in examples:
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")


def command(*, usage: str, examples: Sequence[str]) -> Callable[[Callable[..., Any]], Command]:
    """Make a command from a function; its docstring is the help, and the first line the short help."""

    def decorate(function: Callable[..., Any]) -> Command:
        name = function.__name__.removesuffix("_")
        text = inspect.cleandoc(function.__doc__ or "").replace(
            "\\b\n", "\b\n"
        )  # click's mark: do not rewrap these lines
        short = text.partition("\n")[0]
        made = click.command(
            name, cls=Command, help=text, short_help=short, context_settings=HELP, usage=usage, examples=examples
        )
        return made(function)

    return decorate


class Program(click.Group):
    """The program: sections of commands, each a module of `likelier._cli.commands`."""

    def __init__(
        self, *, sections: Mapping[str, Mapping[str, str]], examples: Sequence[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(
            "likelier", context_settings=HELP, no_args_is_help=False, invoke_without_command=True, **kwargs
        )
        self.sections = sections
        self.examples = list(examples)
        self.callback = _help_without_command

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in self.sections.values() for name in section]

    def get_command(self, ctx: click.Context, name: str) -> Command | None:
        if name not in self.list_commands(ctx):
            return None
        found: Command = getattr(import_module(f"likelier._cli.commands.{name}"), name)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, "COMMAND [ARGUMENTS]")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))
        records = [record for parameter in self.get_params(ctx) if (record := parameter.get_help_record(ctx))]
        with formatter.section("Options"):
            formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_examples(self.examples, formatter)
        formatter.write_paragraph()
        formatter.write_text("Run likelier COMMAND --help for the options of a command.")

    def invoke(self, ctx: click.Context) -> Any:
        from likelier._cli.shared.failures import NoReader

        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would report an error
            raise NoReader from None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        from likelier._cli.shared.failures import guarded

        return guarded(lambda: super(Program, self).main(*args, **{**kwargs, "standalone_mode": False}))


@click.pass_context
def _help_without_command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def stopped_by_version() -> click.Option:
    """The option `--version`."""

    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            from likelier import __version__

            click.echo(f"likelier {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"], is_flag=True, is_eager=True, expose_value=False, callback=show, help="Show the version and exit."
    )
