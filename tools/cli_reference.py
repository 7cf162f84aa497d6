"""Writes docs/cli.md from the commands themselves: ``python tools/cli_reference.py``.

With ``--check`` it writes nothing and says whether the file is as it would be written (exit
code 1 if not). The text is built from names, types, defaults and help texts rather than from
Click's own help page, whose layout differs between versions of Click.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"
HEAD = """\
# The command line

Generated from the commands by `python tools/cli_reference.py`; a test compares the two.

Data goes to stdout, notes and progress to stderr. `--json` output is versioned (`"schema": 1`)
and its keys are sorted. `-` reads stdin. Exit codes: 0 fine, 1 failed, 2 usage or bad input,
3 a check found what it looks for, 4 locked by another process.
"""


def program() -> click.Group:
    """The group of all commands, whatever wraps it in ``steadyrank_builder.cli``."""
    from steadyrank_builder import cli

    for name in ("cli", "main", "program"):
        found = getattr(cli, name, None)
        if isinstance(found, click.Group):
            return found
    raise SystemExit("steadyrank_builder.cli has no click.Group named cli, main or program")


def commands(group: click.Group, path: str = "steadyrank") -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, in the order in which ``--help`` lists them."""
    context = click.Context(group, info_name=path)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


def help_of(command: click.Command) -> str:
    """The command's help text as Markdown; empty when it has none."""
    text = inspect.cleandoc(command.help or "").split("\f")[0]
    lines = []
    # A line of \b keeps Click from wrapping the paragraph after it: a block as it stands.
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b\n"):
            lines.append("```text\n" + paragraph.removeprefix("\b\n") + "\n```")
        else:
            lines.append(paragraph)
    return "\n\n".join(lines).strip()


def type_of(parameter: click.Parameter) -> str:
    """What a value looks like: the choices, a number's range, or the type's name."""
    kind: Any = parameter.type
    if isinstance(kind, click.Choice):
        return " or ".join(str(getattr(item, "value", item)) for item in kind.choices)
    name = str(kind.name).split()[0]
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return f"{name}, {low} to {high}"
    return f"{name}, from {low}" if low is not None else name


def argument_usage(argument: click.Argument) -> str:
    name = (argument.metavar or argument.name or "").strip("[]").removesuffix("...").upper()
    name += "..." if argument.nargs == -1 else ""
    return name if argument.required else f"[{name}]"


def option_row(option: click.Option) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    value = "" if option.is_flag or option.count else type_of(option)
    if option.metavar:
        value = f"`{option.metavar}`"
    default = option.default
    shown = (
        f"`{default}`"
        if isinstance(default, str | int | float) and not isinstance(default, bool)
        else ""
    )
    text = " ".join((option.help or "").split())
    notes = [text, "Required." if option.required else "", "Repeatable." if option.multiple else ""]
    cells = [names, value, shown, " ".join(note for note in notes if note)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def section(name: str, command: click.Command) -> str:
    arguments = [item for item in command.params if isinstance(item, click.Argument)]
    options = [
        item for item in command.params if isinstance(item, click.Option) and not item.hidden
    ]
    usage = " ".join([name, "[OPTIONS]", *map(argument_usage, arguments)])
    parts = [f"## `{name}`", f"```text\n{usage}\n```", help_of(command)]
    if options:
        table = ["| option | value | default | |", "|---|---|---|---|", *map(option_row, options)]
        parts.append("\n".join(table))
    return "\n\n".join(part for part in parts if part)


def page() -> str:
    """The whole file."""
    sections = [section(name, command) for name, command in commands(program())]
    return "\n\n".join([HEAD.strip(), *sections]) + "\n"


def main(arguments: list[str]) -> int:
    text = page()
    if arguments != ["--check"]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print("docs/cli.md is not what the commands say: run python tools/cli_reference.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
