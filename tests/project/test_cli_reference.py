"""Every command and option is explained, and docs/cli.md says what they say."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import click
import pytest

from support_docs import ROOT


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "cli_reference", ROOT / "tools" / "cli_reference.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CLI = tool()
COMMANDS = dict(CLI.commands(CLI.program()))


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_a_help_text(name: str) -> None:
    assert CLI.help_of(COMMANDS[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_of_a_command_has_a_help_text(name: str) -> None:
    options = [item for item in COMMANDS[name].params if isinstance(item, click.Option)]
    assert [option.opts[0] for option in options if not option.hidden and not option.help] == []


def test_the_page_is_what_the_commands_say() -> None:
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert page == CLI.page(), "run python tools/cli_reference.py"


def test_there_are_commands() -> None:
    assert {"steadyrank build", "steadyrank demo"} <= set(COMMANDS)
