"""Sentences about sources and records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from steadyrank_builder.intake import Intake

_SHOWN = 10


def few(names: Sequence[str]) -> str:
    """The first ten of ``names``, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}"


def nothing(intake: Intake) -> str:
    """The message for material without a document."""
    read = sum(account.read for account in intake.accounts)
    skipped = sum((account.skipped for account in intake.accounts), Counter[str]())
    reasons = few([f"{number} {reason}" for reason, number in sorted(skipped.items())])
    rejected = sum(account.rejected for account in intake.accounts)
    message = (
        f"The material has no document to index. Files: {len(intake.accounts)}, records: {read}, "
        f"of which {skipped.total()} skipped{f' ({reasons})' if reasons else ''} and {rejected} "
        f"rejected. Nothing was published, and what was "
        "live still is."
    )
    for first in intake.rejects.first(1):
        message += f" The first reject is {first.origin}: {first.message}"
    return message
