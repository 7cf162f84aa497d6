"""All settings of an answer, in one TOML file."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from steadyrank.errors import SteadyRankError
from steadyrank.order import Limits
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


class SettingsError(SteadyRankError, ValueError):
    """Settings that cannot be used; the message lists all that is wrong."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fetch(_Section):
    """How many candidates of each kind the ranking sees."""

    quotas: dict[str, int] = Field(
        default={"faq": 10, "page": 20, "product": 20}, description="by kind"
    )
    other: int = Field(default=20, ge=1, description="for kinds without a quota of their own")
    unlimited: bool = Field(default=False, description="rank everything that matches")

    @field_validator("quotas")
    @classmethod
    def _positive(cls, quotas: dict[str, int]) -> dict[str, int]:
        if any(quota < 0 for quota in quotas.values()):
            raise ValueError("a quota is 0 or more")
        return quotas


class Take(_Section):
    """What goes from the ranking into the answer."""

    count: int = Field(default=4, ge=1, le=1000, description="pieces")
    at_most: dict[str, int] = Field(default={}, description="by kind, e.g. { faq = 2 }")
    at_least: dict[str, int] = Field(default={}, description="by kind, e.g. { product = 1 }")
    per_document: int | None = Field(
        default=None, ge=1, description="sections of one document, at most"
    )
    backfill: bool = Field(default=True, description="fill places that at_most leaves empty")

    @property
    def limits(self) -> Limits | None:
        """As the order core takes them; None when there is no limit."""
        if not (self.at_most or self.at_least or self.per_document):
            return None
        return Limits(self.at_most, self.at_least, self.per_document, self.backfill)


class Confidence(_Section):
    """When an answer is called high or medium."""

    high: float = Field(
        default=0.5, description="share of the reachable score (guidance: score points)"
    )
    medium: float = Field(
        default=0.25, description="share of the reachable score (guidance: score points)"
    )
    margin: float = Field(
        default=0.02,
        ge=0,
        description="below this share of its score between first and second, high is medium",
    )


class Guidance(_Section):
    """The guidance profile: points beside BM25."""

    k1: float = Field(default=1.2, ge=0, description="BM25")
    b: float = Field(default=0.75, ge=0, le=1, description="BM25")
    title_points: int = Field(default=4, ge=0, description="for each occurrence in the title")
    heading_points: int = Field(default=6, ge=0, description="for each occurrence in the heading")
    id_points: int = Field(default=1, ge=0, description="for each occurrence in the id")
    phrase_bonus: float = Field(default=10.0, ge=0, description="the question stands in the text")
    concept_bonus: float = Field(default=8.0, ge=0, description="for each concept term present")
    link_bonus: float = Field(default=2.0, ge=0, description="for a link from a ranked section")
    link_bonus_once: bool = Field(default=False, description="at most once for each target")
    common_share: float = Field(
        default=1.0,
        gt=0,
        le=1,
        description="when every matched term is in more than this share of sections, "
        "confidence is low (1: never)",
    )


class Route(_Section):
    """Where a concept leads: sections with this heading (and title), or one id."""

    heading: str | None = None
    title: str | None = None
    id: str | None = None

    @model_validator(mode="after")
    def _something(self) -> Route:
        if self.heading is None and self.id is None:
            raise ValueError("a route has a heading or an id")
        return self


class Concept(_Section):
    """A subject that questions name in many ways."""

    name: str
    aliases: tuple[str, ...] = Field(min_length=1)
    terms: tuple[str, ...] = Field(min_length=1)
    required_any_terms: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()


class Settings(_Section):
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
    gap: float = Field(default=0.0, ge=0, description="score points of a close band, 0 for none")
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
    def _some(cls, weights: dict[str, Any]) -> dict[str, Any]:
        if not weights or any(not weight > 0 for weight in weights.values()):
            raise ValueError("name at least one field; a weight is above 0")
        return weights

    @classmethod
    def of(cls, given: Mapping[str, Any], base: Path | None = None) -> Settings:
        """Settings from plain values, with the profile's defaults for what is not among them.

        ``base`` is the folder that a path of concepts is relative to. Raises SettingsError that
        lists everything that is wrong.
        """
        values = dict(given)
        if values.get("profile") == "guidance":
            values = _merged(_GUIDANCE_DEFAULTS, values)
        if isinstance(values.get("concepts"), str):
            values["concepts"] = _concepts(values["concepts"], base)
        pinned = values.get("statistics")
        if isinstance(pinned, str) and pinned not in ("live", "whoosh") and base is not None:
            values["statistics"] = str(base / pinned)
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError(_said(error)) from None

    @classmethod
    def load(cls, path: str | Path) -> Settings:
        """Settings from a TOML file; SettingsError says what is wrong and where."""
        file = Path(path)
        try:
            values = tomllib.loads(file.read_text("utf-8"))
        except OSError as error:
            raise SettingsError(f"{file}: {error.strerror or error}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError(f"{file} is not TOML: {error}") from error
        try:
            return cls.of(values, file.parent)
        except SettingsError as error:
            raise SettingsError(f"{file}: {error}") from None

    def overlaid(self, values: Mapping[str, Any], base: Path | None = None) -> Settings:
        """These settings with some values replaced, tables merged key by key."""
        if not values:
            return self
        own = self.model_dump(exclude_unset=True, exclude_defaults=False)
        if values.get("profile", self.profile) != self.profile:
            own = {}  # another profile has other defaults
        return Settings.of(_merged(own, dict(values)), base)


_GUIDANCE_DEFAULTS: dict[str, Any] = {
    "weighting": "guidance",
    "gap": 0.5,
    "stop_words": (),
    "fetch": {"unlimited": True},
    "take": {"count": 8},
    "confidence": {"high": 24.0, "medium": 8.0, "margin": 0.0},
}


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping) and key in _TABLES:
            merged[key] = {**below, **value}
        else:
            merged[key] = value
    return merged


_TABLES = {"fetch", "take", "confidence", "guidance"}


def _concepts(path: str, base: Path | None) -> Any:
    file = (base or Path()) / path
    try:
        return json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"concepts: {file}: {error.strerror or error}") from error
    except ValueError as error:
        raise SettingsError(f"concepts: {file} is not JSON: {error}") from error


def _said(error: ValidationError) -> str:
    """All faults in sentences, each with its place and, for an unknown key, the nearest one."""
    lines = []
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            known = _keys_at(fault["loc"][:-1])
            near = difflib.get_close_matches(str(fault["loc"][-1]), known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f" (known: {', '.join(known)})"
            lines.append(f"unknown setting {place!r}{hint}")
        else:
            lines.append(f"{place or 'settings'}: {fault['msg']}, got {fault.get('input')!r}")
    return "; ".join(lines)


def _keys_at(place: tuple[int | str, ...]) -> list[str]:
    model: Any = Settings
    for part in place:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        inner = [
            kind
            for kind in (annotation, *getattr(annotation, "__args__", ()))
            if isinstance(kind, type) and issubclass(kind, BaseModel)
        ]
        if not inner:
            return []
        model = inner[0]
    return sorted(model.model_fields)
