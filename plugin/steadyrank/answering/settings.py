"""All settings of an answer, in one TOML file."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator, model_validator

from steadyrank.answering.faults import SettingsError, faults_of
from steadyrank.answering.tables import Concept, Confidence, Fetch, Guidance, Table, Take
from steadyrank.schema import DEFAULT_WEIGHTS

Weighting = Literal["bm25f", "keyword-points", "guidance"]

# Words that carry a question and not its subject. Few on purpose: sizes, codes and anything that
# could name a thing stay in.
ENGLISH_STOP_WORDS = tuple(
    re.findall(
        r"[a-z]+",
        """
        a an and are as at be been but by can could did do does for from get had has have
        how i if in into is it its me my of on or our shall should so that the their them
        there these they this those to was we were what when where which who whose why will
        with would you your
        """,
    )
)


class Settings(Table):
    """How questions are answered. Every value has a default; unknown keys are errors."""

    profile: Literal["shop", "guidance"] = Field(
        default="shop", description="guidance changes the defaults of what is not set here"
    )
    weighting: Weighting = Field(
        default="bm25f", description='"bm25f", "keyword-points" or "guidance"'
    )
    fields: dict[str, float] = Field(
        default=dict(DEFAULT_WEIGHTS), description="weights of the fields that are searched"
    )
    points: dict[str, int] = Field(
        default={"text": 1, "title": 3}, description="keyword-points: by field"
    )
    gap: float = Field(
        default=0.0,
        ge=0,
        allow_inf_nan=False,
        description="score points of a close band, 0 for none",
    )
    select: Literal["band", "score"] = Field(
        default="band", description="who is in the answer is decided by bands or by score"
    )
    tiebreak: tuple[str, ...] = Field(
        default=(), description="keys before the id; a ranking choice that needs measuring"
    )
    statistics: str = Field(default="live", description='"live", "whoosh" or a pinned file')
    stop_words: tuple[str, ...] = Field(
        default=ENGLISH_STOP_WORDS,
        description="words of a question that are not searched, unless it has no others",
    )
    fallback: str = Field(
        default="Nothing in the material answers this with confidence.",
        description="what an answer of low confidence says",
    )
    related: int = Field(default=4, ge=0, description="related documents, one link away, at most")
    excerpt: int = Field(default=240, ge=40, description="characters of an excerpt, about")
    fetch: Fetch = Fetch()
    take: Take = Take()
    confidence: Confidence = Confidence()
    guidance: Guidance = Guidance()
    concepts: tuple[Concept, ...] = Field(
        default=(), description="inline, or the path of a JSON file with a list of them"
    )

    @field_validator("fields", "points")
    @classmethod
    def _some(cls, weights: dict[str, float]) -> dict[str, float]:
        if not weights or not all(0 < weight < 2**16 for weight in weights.values()):
            raise ValueError("name at least one field; a weight is above 0 and below 65536")
        return weights

    @model_validator(mode="after")
    def _together(self) -> Settings:
        if self.weighting == "guidance":
            if self.statistics != "live":
                raise ValueError(
                    'weighting "guidance" counts the live sections itself: statistics is "live"'
                )
        elif self.confidence.high > 1 or self.confidence.medium > 1:
            raise ValueError(
                f'with weighting "{self.weighting}" confidence.high and confidence.medium are '
                "shares from 0 to 1; score points belong to the guidance profile"
            )
        return self

    @classmethod
    def of(cls, given: Mapping[str, Any], base: Path | None = None) -> Settings:
        """Settings from plain values, with the profile's defaults for what is not among them.

        ``base`` is the folder that the paths of concepts and of pinned statistics are relative
        to. Raises SettingsError that lists everything that is wrong.
        """
        values = dict(given)
        faults: list[str] = []
        if values.get("profile") == "guidance":
            values = merged(_GUIDANCE_DEFAULTS, values)
        if isinstance(values.get("concepts"), str):
            try:
                values["concepts"] = _concepts((base or Path()) / values["concepts"])
            except SettingsError as error:
                faults += error.faults
                del values["concepts"]
        pinned = values.get("statistics")
        if isinstance(pinned, str) and pinned not in ("live", "whoosh") and base is not None:
            values["statistics"] = str(base / pinned)
        try:
            settings = cls.model_validate(values)
        except ValidationError as error:
            faults += faults_of(error, cls)
        if faults:
            raise SettingsError(*faults)
        return settings

    @classmethod
    def load(cls, path: str | Path) -> Settings:
        """Settings from a TOML file; SettingsError says what is wrong and where."""
        file = Path(path)
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except OSError as error:
            raise SettingsError(f"{file}: {error.strerror or error}") from error
        except ValueError as error:  # not UTF-8, or not TOML
            raise SettingsError(f"{file} is not TOML: {error}") from error
        try:
            return cls.of(values, file.parent)
        except SettingsError as error:
            raise error.within(str(file)) from None

    def overlaid(self, values: Mapping[str, Any], base: Path | None = None) -> Settings:
        """These settings with some values replaced, tables merged key by key.

        Under another profile what only this one's defaults said gives way to the other's.
        """
        if not values:
            return self
        own = self.model_dump(exclude_unset=True)
        if values.get("profile", self.profile) != self.profile:
            own = _without(own, {**_GUIDANCE_DEFAULTS, "profile": self.profile})
        return Settings.of(merged(own, values), base)


_GUIDANCE_DEFAULTS: dict[str, Any] = {
    "weighting": "guidance",
    "gap": 0.5,
    "stop_words": (),
    "fetch": {"unlimited": True},
    "take": {"count": 8},
    "confidence": {"high": 24.0, "medium": 8.0, "margin": 0.0, "covered": 0.0},
}

# Their keys are settings of their own; ``fields`` and the like are single values.
_TABLES = {"fetch", "take", "confidence", "guidance"}


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the second one's values first; tables key by key."""
    both = dict(under)
    for key, value in over.items():
        below = both.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping) and key in _TABLES:
            both[key] = {**below, **value}
        else:
            both[key] = value
    return both


def _without(values: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    left = {}
    for key, value in values.items():
        if key in _TABLES and isinstance(defaults.get(key), Mapping):
            left[key] = _without(value, defaults[key])
        elif key not in defaults or defaults[key] != value:
            left[key] = value
    return left


def _concepts(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"concepts: {file}: {error.strerror or error}") from error
    except ValueError as error:
        raise SettingsError(f"concepts: {file} is not JSON: {error}") from error
