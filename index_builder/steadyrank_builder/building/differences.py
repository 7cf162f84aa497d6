"""Two generations' documents, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from steadyrank_builder.manifest import DocumentEntry


def differences(
    before: Mapping[str, DocumentEntry], now: Mapping[str, DocumentEntry]
) -> Iterator[tuple[str, str]]:
    """(``added``, ``removed``, ``changed`` or ``unchanged``, id) of every id, ascending.

    Both mappings ascend by id, as manifests and intakes do, and each is gone through once.
    """
    old, new = iter(before.items()), iter(now.items())
    left, right = next(old, None), next(new, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left[0] < right[0]):
            assert left is not None
            yield "removed", left[0]
            left = next(old, None)
        elif left is None or right[0] < left[0]:
            yield "added", right[0]
            right = next(new, None)
        else:
            yield "unchanged" if left[1].digest == right[1].digest else "changed", left[0]
            left, right = next(old, None), next(new, None)


@dataclass(frozen=True, slots=True)
class Changes:
    """How many documents differ from the previous generation's, by id and content."""

    added: int
    changed: int
    removed: int
    unchanged: int

    @classmethod
    def between(
        cls, before: Mapping[str, DocumentEntry], now: Mapping[str, DocumentEntry]
    ) -> Changes:
        """Compare two generations' documents, ids ascending. Origins do not count as content."""
        counts = Counter(what for what, _ in differences(before, now))
        return cls(*(counts[what] for what in ("added", "changed", "removed", "unchanged")))
