"""``steadyrank settings``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pydantic import BaseModel


@click.command("settings")
@click.option(
    "--profile", type=click.Choice(["shop", "guidance"]), default="shop", show_default=True,
    help="Whose defaults to print.",
)  # fmt: skip
def command(profile: str) -> None:
    """Print all settings of an answer with their defaults, as a TOML file to start from."""
    from steadyrank.answering import Settings

    settings = Settings.of({"profile": profile})
    for line in _table(settings, ()):
        click.echo(line)


def _table(model: BaseModel, place: tuple[str, ...]) -> Iterator[str]:
    from pydantic import BaseModel

    tables = []
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            tables.append((name, value))
            continue
        comment = f"  # {field.description}" if field.description else ""
        if value is None:
            yield f"# {name} ={comment}"
        else:
            yield f"{name} = {_written(value)}{comment}"
    for name, value in tables:
        yield ""
        doc = (type(value).__doc__ or "").strip().splitlines()[0]
        yield f"# {doc}"
        yield f"[{'.'.join((*place, name))}]"
        yield from _table(value, (*place, name))


def _written(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_written(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)  # TOML writes these as JSON does
