"""Which sources make up the next generation, and which of them have to be read.

A build takes what its arguments name. An update takes that and, of the live generation's sources,
those that its arguments do not speak of: they stay as they were read. The arguments speak of the
files they name, and of everything inside the folders they name; so a file that is gone from a
named folder takes its documents along, and a file that is not named again does not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from steadyrank_builder.building.facts import facts_of
from steadyrank_builder.building.known import Facts, Known
from steadyrank_builder.failures import ForgetError
from steadyrank_builder.intake import Earlier
from steadyrank_builder.material import Source, shown
from steadyrank_builder.material.unpack import is_archive


@dataclass(frozen=True)
class Gathered:
    """``sources`` sorted by name with their ``facts``; what the intake need not read is in
    ``earlier``. ``kept`` names the sources that nothing was said of, ``gone`` those that were
    in a named folder or are to be forgotten, ``unchanged`` those that were looked at and need
    no reading. ``unopened`` names those that lie in what cannot be opened now: an archive that is
    damaged, a link that leads nowhere. They stay too. ``before`` has the facts of the sources when
    they were read last.
    """

    sources: tuple[Source, ...]
    facts: tuple[Facts, ...]
    earlier: Mapping[str, Earlier]
    kept: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    unopened: tuple[str, ...] = ()
    before: Mapping[str, Facts] = field(default_factory=dict)
    read_with: str = ""

    def read_otherwise(self) -> list[str]:
        """The kept sources that were read with other options or readers than today's."""
        return [name for name in self.kept if self.before[name].read_with != self.read_with]


def all_of(sources: Sequence[Source], read_with: str) -> Gathered:
    """All ``sources``, each to be read."""
    return Gathered(tuple(sources), tuple(facts_of(each, read_with) for each in sources), {})


def changed_of(
    sources: Sequence[Source],
    read_with: str,
    known: Mapping[str, Known],
    material: Sequence[Path],
    forget: Sequence[str],
) -> Gathered:
    """``sources`` as found for ``material``, beside what is ``known`` of the live generation.

    ForgetError for a name in ``forget`` that no known source and no folder of them has, or that
    is named as material too.
    """
    forgotten = _forgotten(known, forget, sources)
    facts: list[Facts] = []
    earlier: dict[str, Earlier] = {}
    then: dict[str, Facts] = {}
    unchanged: list[str] = []
    met: set[str] = set()
    by_file = {each.facts.real: each for each in known.values() if each.facts.real}
    for source in sources:
        now = facts_of(source, read_with)
        facts.append(now)
        # Names change with the folder a command is run in; the file behind them does not.
        before = known.get(source.name) or by_file.get(now.real)
        if before is None:
            continue
        met.add(before.facts.source.name)
        then[source.name] = replace(before.facts, source=source)
        current = before.facts.same(now)
        earlier[source.name] = before.earlier(current=current, name=source.name)
        if current:
            unchanged.append(source.name)
    closed = [f"{each.real}/" for each in facts if _closed(each)]
    kept: list[str] = []
    gone: list[str] = []
    unopened: list[str] = []
    for name, each in known.items():
        if name in met:
            continue
        inside = any(each.facts.real.startswith(folder) for folder in closed)
        if name in forgotten or (not inside and any(_inside(each, folder) for folder in material)):
            gone.append(name)
            continue
        (unopened if inside else kept).append(name)
        then[name] = each.facts
        facts.append(each.facts)
        earlier[name] = each.earlier(current=True, name=name)
    facts.sort(key=lambda each: each.source.name)
    return Gathered(
        tuple(each.source for each in facts),
        tuple(facts),
        earlier,
        tuple(kept),
        tuple(gone),
        tuple(unchanged),
        tuple(unopened),
        then,
        read_with,
    )


def _closed(now: Facts) -> bool:
    """Whether other sources may lie in this one that cannot be seen now."""
    path = now.source.path
    if not now.real or now.source.member or now.source.settings.excluded:
        return False
    return now.sha256 == "" or path.suffix.lower() == ".zip" or is_archive(path)


def _inside(each: Known, folder: Path) -> bool:
    """Whether a walk of ``folder`` would have found the source."""
    real = shown(Path(os.path.realpath(folder)))
    inside = each.facts.real.startswith(f"{real.rstrip('/')}/")
    return inside or each.facts.source.name.startswith(f"{shown(folder).rstrip('/')}/")


def _forgotten(
    known: Mapping[str, Known], forget: Sequence[str], sources: Sequence[Source]
) -> set[str]:
    found: set[str] = set()
    named = {source.name for source in sources}
    for name in forget:
        plain = name.rstrip("/")
        hits = {each for each in known if each == plain or each.startswith(f"{plain}/")}
        if not hits:
            shown_names = ", ".join(sorted(known)[:10]) + (" ..." if len(known) > 10 else "")
            raise ForgetError(
                f"{name!r} is none of the index's sources and no folder of them, so it cannot be "
                f"forgotten. They are: {shown_names}",
                name=name,
            )
        if hits & named:
            raise ForgetError(
                f"{name!r} is to be forgotten and is also named as material: leave out one.",
                name=name,
            )
        found |= hits
    return found
