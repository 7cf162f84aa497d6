"""What build, update and check have in common: their options, and how they tell what they did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steadyrank_builder.commands.build_text import lines
from steadyrank_builder.commands.outputs import check_outputs
from steadyrank_builder.commands.progress import progress
from steadyrank_builder.output import emit_json, note, printable

if TYPE_CHECKING:
    from steadyrank_builder.building import BuildReport, BuildSettings


def _mapping(
    _ctx: click.Context, _param: click.Parameter, pairs: tuple[str, ...]
) -> dict[str, str]:
    """``title=Name,text=Body`` and repeated options to one mapping."""
    mapping: dict[str, str] = {}
    for pair in (part for pairs_ in pairs for part in pairs_.split(",")):
        field, equals, column = pair.partition("=")
        field, column = field.strip(), column.strip()
        if not (field and equals and column):
            raise click.BadParameter(f"{pair!r} is not FIELD=COLUMN, as in title=Name.")
        if mapping.setdefault(field, column) != column:
            raise click.BadParameter(f"{field} is mapped to {mapping[field]!r} and to {column!r}.")
    return mapping


_OPTIONS = (
    click.argument(
        "material", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="MATERIAL..."
    ),
    click.option(
        "--out", required=True, type=click.Path(path_type=Path), metavar="DIR",
        help="The index's folder. Readers that have it open go on reading.",
    ),
    click.option(
        "--rejects", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Write records that cannot be used here, as JSON lines to mend and read again.",
    ),
    click.option(
        "--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Write all that is known of the run here, with the ids that changed, as JSON.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
    click.option(
        "--max-lost", default="10%", show_default=True, metavar="N|N%",
        help="Publish nothing when more of the live documents would vanish.",
    ),
    click.option(
        "--max-rejects", metavar="N|N%",
        help="Publish nothing when more records are rejected.",
    ),
    click.option(
        "--map", "mapping", multiple=True, callback=_mapping, metavar="FIELD=COLUMN",
        help="Where generic records have a field under another name. Repeat, or separate by "
        "commas.",
    ),
    click.option("--kind", metavar="KIND", help="The kind of generic records that name none."),
    click.option("--format", "format_", metavar="NAME", help="Read files as this format."),
    click.option("--encoding", metavar="NAME", help="Read text as this encoding, not as UTF-8."),
    click.option(
        "--language", metavar="CODE",
        help="The language whose rules the texts are analysed by.  [default: en]",
    ),
    click.option(
        "--language-of", metavar="NAME",
        help="The column, key or page setting that names a record's own language.  "
        "[default: language]",
    ),
    click.option(
        "--prefer", metavar="SOURCE",
        help="The file or folder to believe where two have one id with different content.",
    ),
    click.option(
        "--adopt", is_flag=True, help="Take over a folder whose index was never built here."
    ),
    click.option("--replace", is_flag=True, help="Publish over a generation that others wrote."),
    click.option(
        "--no-compile", is_flag=True, help="Publish without compiled posting lists."
    ),
    click.option(
        "--lock-timeout", type=click.FloatRange(min=0), default=5.0, show_default=True,
        metavar="SECONDS", help="How long to wait for another build or writer.",
    ),
    click.option(
        "--memory", "memory_mb", type=click.IntRange(min=1), default=128, show_default=True,
        metavar="MB", help="Memory for what is sorted, before it goes to temporary files.",
    ),
    click.option("--quiet", is_flag=True, help="No progress and no summary."),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Making:
    """The options of one command, as given."""

    material: tuple[Path, ...]
    out: Path
    rejects: Path | None
    report: Path | None
    as_json: bool
    max_lost: str
    max_rejects: str | None
    mapping: Mapping[str, str]
    kind: str | None
    format_: str | None
    encoding: str | None
    language: str | None
    language_of: str | None
    prefer: str | None
    adopt: bool
    replace: bool
    no_compile: bool
    lock_timeout: float
    memory_mb: int
    quiet: bool

    def carry_out(self, work: Callable[[BuildSettings], BuildReport]) -> BuildReport:
        """Do ``work`` with these settings and tell what it did. GuardError as it comes."""
        from steadyrank_builder.failures import GuardError

        check_outputs({"--rejects": self.rejects, "--report": self.report}, (self.out,))
        try:
            with progress(quiet=self.quiet) as watch:
                report = work(self._settings(watch))
        except GuardError as error:
            self.tell(error.report)
            raise
        self.tell(report)
        return report

    def tell(self, report: BuildReport) -> None:
        """Print what was done."""
        for sentence in report.notes:
            note(sentence)
        if self.as_json:
            emit_json(report.as_json())
        elif not self.quiet:
            for line in lines(report, self.rejects):
                click.echo(printable(line))

    def _settings(self, watch: Any) -> BuildSettings:
        from steadyrank_builder.building import BuildSettings, Limit

        said = {
            "format": self.format_,
            "mapping": self.mapping or None,
            "kind": self.kind,
            "encoding": self.encoding,
            "language_of": self.language_of,
        }
        reading = {name: value for name, value in said.items() if value is not None}
        return BuildSettings(
            reading=reading or None,
            language=self.language,
            prefer=self.prefer,
            max_lost=Limit.parse(self.max_lost),
            max_rejects=Limit.parse(self.max_rejects) if self.max_rejects is not None else None,
            force=self.replace,
            adopt=self.adopt,
            compile=not self.no_compile,
            lock_timeout=self.lock_timeout,
            memory_mb=self.memory_mb,
            rejects=self.rejects,
            report=self.report,
            progress=watch,
        )


def making_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that makes an index; it gets them as one ``making``."""

    @wraps(command)
    def function(*arguments: Any, **options: Any) -> Any:
        own = {name: options.pop(name) for name in Making.__dataclass_fields__}
        return command(*arguments, making=Making(**own), **options)

    decorated: Callable[..., Any] = function
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated
