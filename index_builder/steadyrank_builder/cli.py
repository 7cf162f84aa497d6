"""The command ``steadyrank``: names its subcommands and imports one only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from steadyrank_builder.edge import EdgeGroup

# Subcommand -> the module that has it, as an attribute ``command``, and its line in the help.
# The line is here too so that ``steadyrank --help`` imports no command, and so no parser.
COMMANDS = {
    "answer": ("steadyrank_builder.commands.answer", "Answer a question with a store's pieces."),
    "audit": ("steadyrank_builder.commands.audit", "Count answers that storage order decides."),
    "build": ("steadyrank_builder.commands.build", "Build the index of a store's material."),
    "canonicalize": (
        "steadyrank_builder.commands.canonicalize",
        "Give any index a steady layout.",
    ),
    "check": ("steadyrank_builder.commands.check", "Say what a build would do, and do nothing."),
    "churn": ("steadyrank_builder.commands.churn", "Measure which answers move by themselves."),
    "compare": ("steadyrank_builder.commands.compare", "Compare settings, or two indexes."),
    "compile": ("steadyrank_builder.commands.compile", "Decode an index once, for all processes."),
    "demo": ("steadyrank_builder.commands.demo", "Build and ask the sample store, show the point."),
    "diff": ("steadyrank_builder.commands.diff", "Say what answers changed, and why."),
    "doctor": ("steadyrank_builder.commands.doctor", "Look for what endangers a steady order."),
    "evaluate": ("steadyrank_builder.commands.evaluate", "Judge answers to golden questions."),
    "explain": ("steadyrank_builder.commands.explain", "Show why a result stands where it stands."),
    "list": ("steadyrank_builder.commands.list", "List the generations of an index."),
    "formats": ("steadyrank_builder.commands.formats", "List the formats that can be read."),
    "pin": ("steadyrank_builder.commands.pin", "Write statistics to score by from now on."),
    "replay": ("steadyrank_builder.commands.replay", "Ask logged questions again."),
    "rollback": ("steadyrank_builder.commands.rollback", "Make the generation before live again."),
    "search": ("steadyrank_builder.commands.search", "Ask an index, in words."),
    "settings": ("steadyrank_builder.commands.settings", "Print the settings of an answer."),
    "update": ("steadyrank_builder.commands.update", "Build again, reading only what changed."),
    "verify": ("steadyrank_builder.commands.verify", "Check a live index byte by byte."),
}


class LazyGroup(EdgeGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = getattr(import_module(COMMANDS[cmd_name][0]), "command", None)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        added = {
            name: command.get_short_help_str()
            for name in super().list_commands(ctx)
            if (command := super(LazyGroup, self).get_command(ctx, name)) is not None
        }
        listed = {name: line for name, (_, line) in COMMANDS.items()} | added
        with formatter.section("Commands"):
            formatter.write_dl(sorted(listed.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="steadyrank", prog_name="steadyrank")
def main() -> None:
    """A total, rebuild-proof order for Whoosh search results."""
