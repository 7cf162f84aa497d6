"""How an index is asked: the settings of answers, or fields and syntax for a foreign index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from steadyrank.answering import Settings


@dataclass(frozen=True, slots=True)
class Way:
    """What the options of a command say; None and empty where they say nothing.

    ``settings`` are for a store's answers, with ``policy`` (gap, select, statistics, tiebreak)
    laid over them. ``id_field``, ``no_id``, ``fields`` or ``syntax`` ask an index by search, as
    a foreign one always is. ``bare_profile``: all that ``settings`` are is this profile, which a
    file with settings of its own is laid over.
    """

    settings: Settings | None = None
    policy: Mapping[str, Any] = field(default_factory=dict)
    id_field: str | None = None
    no_id: bool = False
    fields: Mapping[str, float] | None = None
    syntax: Literal["words", "whoosh"] | None = None
    bare_profile: Literal["shop", "guidance"] | None = None

    @property
    def searches(self) -> bool:
        """Whether an option was given that only a search understands."""
        return bool(self.id_field or self.no_id or self.fields or self.syntax)
