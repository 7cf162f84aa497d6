"""What was tried on a golden set, and which of its cases noticed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from steadyrank.measure import Case
from steadyrank_builder.proving.expectations import Perturbation
from steadyrank_builder.proving.mutation import Mutation

Status = Literal["noticed", "unnoticed", "not-applicable"]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A case that was tried on the index and would notice.

    ``notices``: the names of all mutations that it does notice. ``because``: what would move, in
    words.
    """

    question: str
    settings: Mapping[str, Any]
    expected: tuple[str, ...]
    confidence: str | None
    notices: tuple[str, ...]
    because: str

    def to_dict(self) -> dict[str, Any]:
        """A case of a golden file, and beside it what it would notice."""
        case: dict[str, Any] = {
            "question": self.question,
            "mode": "exact",
            "expected": list(self.expected),
            "settings": dict(self.settings),
        }
        if self.confidence is not None:
            case["confidence"] = self.confidence
        return {"case": case, "notices": list(self.notices), "because": self.because}


@dataclass(frozen=True, slots=True)
class Tried:
    """One mutation: ``noticed_by`` are numbers of cases, ``missed`` thresholds that it breaks.

    ``why``: for one that is not applicable what would have to be there, for one that goes
    unnoticed the kind of case that would notice it.
    """

    mutation: Mutation
    status: Status
    noticed_by: tuple[int, ...] = ()
    missed: tuple[str, ...] = ()
    why: str = ""
    suggestion: Suggestion | None = None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {
            "name": self.mutation.name,
            "what": self.mutation.what,
            "status": self.status,
            "noticed_by": list(self.noticed_by),
            "missed": list(self.missed),
        }
        if self.why:
            found["why"] = self.why
        if self.suggestion is not None:
            found["suggestion"] = self.suggestion.to_dict()
        return found


@dataclass(frozen=True, slots=True)
class Proof:
    """Everything that was tried, on the cases that pass when nothing is wrong.

    ``failing``: the numbers of the cases that fail anyway, and so can notice nothing;
    ``failing_fresh`` likewise of the later index.
    """

    cases: tuple[Case, ...]
    expectations: tuple[Perturbation, ...]
    mutations: tuple[Tried, ...]
    failing: tuple[int, ...] = ()
    failing_fresh: tuple[int, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def unnoticed(self) -> tuple[str, ...]:
        """The names of all that was wrong and that nothing noticed."""
        return tuple(
            [tried.mutation.name for tried in self.mutations if tried.status == "unnoticed"]
            + [one.name for one in self.expectations if one.unnoticed]
        )

    @property
    def holds(self) -> bool:
        """Whether everything that could be noticed was."""
        return not self.unnoticed

    def noticed_of(self) -> Mapping[int, tuple[str, ...]]:
        """The columns of the matrix: for each case the names of the mutations it notices."""
        return MappingProxyType(
            {
                case.number: tuple(
                    tried.mutation.name
                    for tried in self.mutations
                    if case.number in tried.noticed_by
                )
                for case in self.cases
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON, as a part of an evaluation's."""
        return {
            "mutations": [tried.to_dict() for tried in self.mutations],
            "unnoticed": list(self.unnoticed),
            "expectations": [
                {"name": one.name, "tried": list(one.tried), "unnoticed": list(one.unnoticed)}
                for one in self.expectations
            ],
            "cases_notice": [
                {"number": number, "notices": list(names)}
                for number, names in self.noticed_of().items()
                if names
            ],
            "failing_fresh": list(self.failing_fresh),
        }
