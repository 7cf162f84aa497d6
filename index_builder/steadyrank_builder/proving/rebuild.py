"""An index built again from its material, in other layouts, and asked the same questions."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.index import is_store, open_index
from steadyrank.measure import Run
from steadyrank.postings import content_hash
from steadyrank_builder.building import build
from steadyrank_builder.proving.differences import Difference, differences
from steadyrank_builder.proving.layouts import LAYOUTS, write_layout
from steadyrank_builder.proving.material import (
    RebuildError,
    manifest_of,
    recorded_material,
    recorded_settings,
    shuffled,
)
from steadyrank_builder.proving.stock import stock_answers

# Asks all questions of the index in a folder; backwards, the last one first.
AskIn = Callable[[Path, bool], Run]
Tick = Callable[[str], None]  # called with a layout's name before it is written

_RUNS = 2
_SHOWN = 3  # ids in a message


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of it.

    ``layouts`` by name, in each of which every question was asked ``runs`` times; ``rankings``
    were compared in all. ``stock`` of ``questions`` distinct questions were answered differently
    by stock Whoosh in some of the layouts: with none of them the layouts prove little.
    """

    layouts: tuple[str, ...]
    runs: int
    rankings: int
    differences: tuple[Difference, ...]
    stock: int
    questions: int

    @property
    def holds(self) -> bool:
        """Whether nothing differed in any byte."""
        return not self.differences

    @property
    def note(self) -> str:
        """What weakens the result, else empty."""
        if self.stock:
            return ""
        return "the layouts did not differ for stock Whoosh: this proves little"

    def to_dict(self) -> dict[str, Any]:
        """For JSON, as a part of an evaluation's."""
        return {
            "layouts": list(self.layouts),
            "runs": self.runs,
            "rankings": self.rankings,
            "differences": [one.to_dict() for one in self.differences],
            "stock_differs": self.stock,
            "questions": self.questions,
            "note": self.note,
        }


def rebuild(
    folder: Path,
    run: Run,
    ask: AskIn,
    count: int,
    material: Sequence[Path] = (),
    *,
    tick: Tick = lambda name: None,
) -> Rebuilt:
    """Builds the index in ``folder`` ``count`` times from its material, and asks it again.

    ``run`` is what it got as it is. Each time there are two layouts: one by the builder, with the
    material named in another order, and one of the same documents by a plain Whoosh writer. All
    are written to a temporary folder; the index itself is only read. Without ``material`` it is
    what the manifest names.

    Raises RebuildError for an index that is not a store's, and for material that makes another
    index; what the build raises.
    """
    index = open_index(folder)
    if not is_store(index.schema):
        raise RebuildError(
            f"{folder} was not written by 'steadyrank build', so that there is no material to "
            "build it from; 'steadyrank audit' writes any index in other layouts"
        )
    questions = list(dict.fromkeys(ranking.question for ranking in run.rankings))
    stock = [stock_answers(folder, questions)]
    found: list[Difference] = []
    names: list[str] = []
    rankings = 0
    with tempfile.TemporaryDirectory(prefix="steadyrank-rebuild-") as place:
        for name, layout in _layouts(folder, index, Path(place), count, material, tick):
            names.append(name)
            stock.append(stock_answers(layout, questions))
            for number in range(1, _RUNS + 1):
                got = ask(layout, number % 2 == 0)
                rankings += len(got.rankings)
                found += differences(run, got, name, number)
    moved = sum(len(set(answers)) > 1 for answers in zip(*stock, strict=True))
    return Rebuilt(tuple(names), _RUNS, rankings, tuple(found), moved, len(questions))


def _layouts(
    folder: Path,
    index: Any,
    place: Path,
    count: int,
    material: Sequence[Path],
    tick: Tick,
) -> Iterator[tuple[str, Path]]:
    manifest = manifest_of(folder)
    sources = list(material) or recorded_material(folder, manifest)
    settings = recorded_settings(manifest, index.schema["text"].analyzer.language)
    live = _documents(folder)
    for number in range(count):
        name = f"{number + 1}: built again"
        tick(name)
        built = place / f"built-{number}"
        build(shuffled(sources, number), built, settings)
        documents = _documents(built)
        if number == 0:
            _same(folder, live, documents)
        yield name, built
        layout = LAYOUTS[number % len(LAYOUTS)]
        name = f"{number + 1}: {layout.name}"
        tick(name)
        written = place / f"written-{number}"
        written.mkdir()
        write_layout(written, open_index(built).schema, list(documents.values()), layout, number)
        yield name, written


def _documents(folder: Path) -> dict[str, dict[str, Any]]:
    reader = open_index(folder).reader()
    try:
        return {stored["id"]: dict(stored) for stored in reader.all_stored_fields()}
    finally:
        reader.close()


def _same(
    folder: Path, live: dict[str, dict[str, Any]], documents: dict[str, dict[str, Any]]
) -> None:
    # Other documents give other rankings, and nothing would follow from that.
    changed = [
        ("only in the index", [id for id in live if id not in documents]),
        ("only in the material", [id for id in documents if id not in live]),
        (
            "with other content",
            [
                id
                for id, stored in documents.items()
                if id in live and content_hash(stored) != content_hash(live[id])
            ],
        ),
    ]
    said = [
        f"{len(ids)} {what} ({', '.join(ids[:_SHOWN])}{', ...' if len(ids) > _SHOWN else ''})"
        for what, ids in changed
        if ids
    ]
    if said:
        raise RebuildError(
            f"the material does not give the index in {folder}: {'; '.join(said)}. Name the "
            "material that it was built from, as it was named then, or build the index again"
        )
