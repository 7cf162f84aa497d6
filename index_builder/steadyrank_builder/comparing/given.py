"""Settings as they are given on a command line: a file, single values, or both."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steadyrank.answering import Settings, SettingsError


@dataclass(frozen=True, slots=True)
class Given:
    """``settings`` of a file (None: those that the golden file names), with ``values`` laid over
    them; ``said`` is what was given, for people.
    """

    settings: Settings | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    said: str = ""


def given_settings(parts: Sequence[str]) -> Given:
    """Settings from the path of one TOML file and from values such as ``gap=0.5``.

    A value is TOML (``take.count=8``, ``stop_words=[]``); what is not is a text
    (``select=score``). Raises SettingsError for a file that cannot be read, for two files, and
    for what is neither.
    """
    settings: Settings | None = None
    values: dict[str, Any] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if equals and not Path(part).exists():
            _merge(values, _value(name.strip(), value.strip(), part))
        elif settings is not None:
            raise SettingsError(f"{part}: one side has one file of settings; values go over it")
        else:
            settings = Settings.load(part)
    return Given(settings, values, ", ".join(parts))


def _value(name: str, value: str, part: str) -> dict[str, Any]:
    for text in (value, f'"{value}"'):
        try:
            return tomllib.loads(f"{name} = {text}")
        except ValueError:
            continue
    raise SettingsError(f"{part!r} is no setting: write NAME=VALUE, as in gap=0.5")


def _merge(under: dict[str, Any], over: Mapping[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, Mapping) and isinstance(under.get(key), dict):
            _merge(under[key], value)
        else:
            under[key] = value
