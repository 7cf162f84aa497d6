"""Limits beyond which nothing is published: an export that broke must not empty the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steadyrank_builder.failures import LimitError


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``value``: a percentage of the whole, or a number. Just as much is allowed."""

    value: float
    percent: bool

    @classmethod
    def parse(cls, text: str) -> Limit:
        """``10%`` or ``25``. LimitError for anything else."""
        number = text.strip().removesuffix("%").strip()
        percent = text.strip().endswith("%")
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        whole = percent or value == int(value) if 0 <= value < 1e15 else False
        if not whole or (percent and value > 100):
            raise LimitError(
                f"{text!r} is no limit: give a number of records as in 25, or a share as in 10%.",
                value=text,
            )
        return cls(value, percent)

    def exceeded(self, part: int, whole: int) -> bool:
        """Whether ``part`` of ``whole`` is more than this."""
        return part * 100 > self.value * whole if self.percent else part > self.value

    def __str__(self) -> str:
        return f"{self.value:g}{'%' if self.percent else ''}"


@dataclass(frozen=True, slots=True)
class Tripped:
    """A limit that was exceeded: ``part`` of ``whole``. ``guard`` is the option's name."""

    guard: str
    part: int
    whole: int
    limit: Limit

    @property
    def message(self) -> str:
        """What happened and how to go on, for people."""
        share = f"{100 * self.part / self.whole:.1f} %" if self.whole else "all"
        if self.guard == "max-lost":
            what = f"{self.part} of {self.whole} live documents ({share}) would vanish"
        else:
            what = f"{self.part} of {self.whole} records ({share}) are rejected"
        return f"{what}, and --{self.guard} allows {self.limit}. {_how_on(self)}"

    def as_json(self) -> dict[str, Any]:
        """Its entry in reports."""
        return {
            "guard": self.guard,
            "found": self.part,
            "of": self.whole,
            "limit": str(self.limit),
            "message": self.message,
        }


def _how_on(tripped: Tripped) -> str:
    percent = -(-100 * tripped.part // tripped.whole) if tripped.whole else 100
    enough = f"{percent}%" if tripped.limit.percent else str(tripped.part)
    look = "--report FILE lists them" if tripped.guard == "max-lost" else "--rejects FILE has them"
    return f"If that is right ({look}), go on with --{tripped.guard} {enough}."


def tripped(
    *,
    lost: int,
    live: int,
    max_lost: Limit | None,
    rejected: int,
    read: int,
    max_rejects: Limit | None,
) -> tuple[Tripped, ...]:
    """The limits that are exceeded by ``lost`` of ``live`` documents and ``rejected`` records."""
    found = []
    if max_lost is not None and max_lost.exceeded(lost, live):
        found.append(Tripped("max-lost", lost, live, max_lost))
    if max_rejects is not None and max_rejects.exceeded(rejected, read):
        found.append(Tripped("max-rejects", rejected, read, max_rejects))
    return tuple(found)
