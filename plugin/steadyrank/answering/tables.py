"""The tables of a settings file."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from steadyrank.order import Limits


class Table(BaseModel):
    """A table of the settings file: frozen, and unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _counts(counts: dict[str, int]) -> dict[str, int]:
    if any(count < 0 for count in counts.values()):
        raise ValueError("a count is 0 or more")
    return counts


class Fetch(Table):
    """How many candidates of each kind the ranking sees."""

    quotas: dict[str, int] = Field(
        default={"faq": 10, "page": 20, "product": 20}, description="by kind"
    )
    other: int = Field(default=20, ge=1, description="for kinds without a quota of their own")
    unlimited: bool = Field(default=False, description="rank everything that matches")

    @field_validator("quotas")
    @classmethod
    def _positive(cls, quotas: dict[str, int]) -> dict[str, int]:
        return _counts(quotas)


class Take(Table):
    """What goes from the ranking into the answer."""

    count: int = Field(default=4, ge=1, le=1000, description="pieces")
    at_most: dict[str, int] = Field(default={}, description="by kind, e.g. { faq = 2 }")
    at_least: dict[str, int] = Field(default={}, description="by kind, e.g. { product = 1 }")
    per_document: int | None = Field(
        default=None, ge=1, description="sections of one document, at most"
    )
    backfill: bool = Field(default=True, description="fill places that at_most leaves empty")

    @field_validator("at_most", "at_least")
    @classmethod
    def _positive(cls, counts: dict[str, int]) -> dict[str, int]:
        return _counts(counts)

    @model_validator(mode="after")
    def _possible(self) -> Take:
        wanted = 0
        for kind, least in self.at_least.items():
            wanted += least
            if least > self.at_most.get(kind, least):
                raise ValueError(f"at_least and at_most of {kind!r} cannot both hold")
        if wanted > self.count:
            raise ValueError(f"at_least asks for {wanted} pieces and count is {self.count}")
        return self

    @property
    def limits(self) -> Limits | None:
        """As the order core takes them; None when there is no limit."""
        if not (self.at_most or self.at_least or self.per_document):
            return None
        return Limits(self.at_most, self.at_least, self.per_document, self.backfill)


class Confidence(Table):
    """When an answer is called high or medium."""

    high: float = Field(
        default=0.5, ge=0, description="share of the reachable score (guidance: score points)"
    )
    medium: float = Field(
        default=0.2, ge=0, description="share of the reachable score (guidance: score points)"
    )
    covered: float = Field(
        default=0.3,
        ge=0,
        le=1,
        description="low when the first piece has less than this share of what the words "
        "of the question weigh",
    )
    margin: float = Field(
        default=0.02,
        ge=0,
        description="below this share of its score between first and second, high is medium",
    )

    @model_validator(mode="after")
    def _ordered(self) -> Confidence:
        if self.medium > self.high:
            raise ValueError("medium is not above high")
        return self


class Guidance(Table):
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


class Route(Table):
    """Where a concept leads: sections with this heading, title or id (all that are given)."""

    heading: str | None = None
    title: str | None = None
    id: str | None = None

    @model_validator(mode="after")
    def _something(self) -> Route:
        if self.heading is None and self.title is None and self.id is None:
            raise ValueError("a route has a heading, a title or an id")
        return self


class Concept(Table):
    """A subject that questions name in many ways."""

    name: str
    aliases: tuple[str, ...] = Field(min_length=1)
    terms: tuple[str, ...] = Field(min_length=1)
    required_any_terms: tuple[str, ...] = ()
    routes: tuple[Route, ...] = ()
