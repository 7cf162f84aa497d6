"""Which Whoosh is installed, and whether its files are the ones it came with.

Several distributions own the import package ``whoosh``. pip installs one over another without a
word, and removing one takes files of the other with it; nothing else notices.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from steadyrank_builder.diagnosis.finding import Finding, note, problem

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Owner:
    """A distribution that owns ``whoosh/``, and its files that are missing or differ."""

    name: str
    version: str
    damaged: tuple[str, ...]


def owners() -> list[Owner]:
    """All installed distributions that own ``whoosh/__init__.py``, by name."""
    found: dict[tuple[str, str], metadata.Distribution] = {}
    for distribution in metadata.distributions():  # in the order of the import path
        if any(name == "whoosh/__init__.py" for name, _ in _recorded(distribution)):
            key = (distribution.metadata["Name"], distribution.version)
            found.setdefault(key, distribution)
    return [
        Owner(name, version, tuple(_damaged(distribution)))
        for (name, version), distribution in sorted(found.items())
    ]


def _recorded(distribution: metadata.Distribution) -> Iterator[tuple[str, str]]:
    """Name and hash ("sha256=...", or empty) of each file that was installed.

    Not ``distribution.files``: from Python 3.12 on it leaves out those that are missing.
    """
    for row in csv.reader((distribution.read_text("RECORD") or "").splitlines()):
        if len(row) == 3:
            yield row[0], row[1]


def _damaged(distribution: metadata.Distribution) -> Iterator[str]:
    for name, recorded in _recorded(distribution):
        if not recorded or not name.startswith("whoosh/"):
            continue
        algorithm, _, value = recorded.partition("=")
        try:
            content = Path(str(distribution.locate_file(name))).read_bytes()
        except OSError:
            yield name
            continue
        digest = hashlib.new(algorithm, content).digest()
        if urlsafe_b64encode(digest).rstrip(b"=").decode() != value:
            yield name


def check_installation(found: list[Owner]) -> list[Finding]:
    """What is wrong with these distributions together."""
    if not found:
        if importlib.util.find_spec("whoosh") is None:
            return [
                problem(
                    "no-whoosh",
                    "no Whoosh is installed: pip install 'steadyrank[whoosh]', or "
                    "[whoosh-reloaded] or [whoosh3]; exactly one",
                )
            ]
        return [
            note(
                "unowned-whoosh",
                "the importable whoosh belongs to no installed distribution, so its files cannot "
                "be checked",
            )
        ]
    names = ", ".join(f"{owner.name} {owner.version}" for owner in found)
    if len(found) > 1:
        whole = [owner for owner in found if not owner.damaged]
        keep = whole[0].name if len(whole) == 1 else "the one you want"
        others = " ".join(owner.name for owner in found if owner.name != keep)
        return [
            problem(
                "mixed-installation",
                f"several distributions are installed over each other in whoosh/: {names}. Keep "
                f"{keep}: pip uninstall -y {others}, then pip install --force-reinstall {keep}",
            )
        ]
    owner = found[0]
    if owner.damaged:
        shown = ", ".join(owner.damaged[:_SHOWN])
        more = f" and {len(owner.damaged) - _SHOWN} more" if len(owner.damaged) > _SHOWN else ""
        return [
            problem(
                "damaged-installation",
                f"files of {names} are missing or changed: {shown}{more}. "
                f"pip install --force-reinstall {owner.name}",
            )
        ]
    return []
