"""What a build or an update goes by: what it was told, else what the last one was told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.manifest import Manifest

_LANGUAGE = "en"


@dataclass(frozen=True)
class Choices:
    """``told`` is how to read, as it was said; ``language`` is the analyzer's."""

    told: ReadOptions
    language: str
    prefer: str | None

    @classmethod
    def of(cls, settings: BuildSettings, last: Manifest | None) -> Choices:
        """From ``settings``; what is not said there is as ``last`` recorded it, else the default.

        Raises ReadOptionError where what is said does not go with what was recorded.
        """
        recorded: Mapping[str, Any] = last.settings if last is not None else {}
        language = settings.language or recorded.get("language", _LANGUAGE)
        told = settings.reading
        if not isinstance(told, ReadOptions):
            told = replace(_recorded(recorded.get("reading", {})), **(told or {}))
        prefer = settings.prefer if settings.prefer is not None else recorded.get("prefer")
        return cls(told, language, prefer)

    @property
    def reading(self) -> ReadOptions:
        """How to read: records that name no language are in the analyzer's, unless it was said."""
        return self.told if self.told.language else replace(self.told, language=self.language)

    def as_json(self) -> dict[str, Any]:
        """What the manifest records of them."""
        return {
            "language": self.language,
            "prefer": self.prefer,
            "reading": options_json(self.told),
        }


def options_json(options: ReadOptions) -> dict[str, Any]:
    """All fields of ``options``, for JSON."""
    values = ((field.name, getattr(options, field.name)) for field in fields(options))
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in values}


def _recorded(options: Mapping[str, Any]) -> ReadOptions:
    """The options that were recorded; what another release had more of says nothing to this."""
    known = {field.name for field in fields(ReadOptions)}
    return ReadOptions(**{name: value for name, value in options.items() if name in known})
