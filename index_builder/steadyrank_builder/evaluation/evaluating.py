"""A golden file asked of an index and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.answering import Settings, SettingsError
from steadyrank.measure import Evaluation, Golden, GoldenError, Run, evaluated
from steadyrank_builder.evaluation.asking import Base, GoldenAsker, Progress
from steadyrank_builder.evaluation.files import read_golden
from steadyrank_builder.evaluation.measures import means
from steadyrank_builder.runs import AFTER, Way


@dataclass(frozen=True, slots=True)
class Asked:
    """A golden file, what its questions got, and which of its ids the index does not have.

    All that a judgment needs: the index is closed.
    """

    golden: Golden
    run: Run
    unknown: tuple[str, ...]

    def judged(self, golden: Golden | None = None) -> Evaluation:
        """The evaluation; with other expectations of the same questions where given.

        Those may name no id that the file did not name and no question got.
        """
        golden = golden or self.golden
        named = {id for case in golden.cases for id in case.named}
        unknown = [id for id in self.unknown if id in named]
        return evaluated(golden, self.run, unknown, means)


def golden_asker(
    folder: Path,
    golden_path: Path,
    way: Way | None = None,
    *,
    over: Mapping[str, Any] | None = None,
    after: int = AFTER,
    golden: Golden | None = None,
) -> GoldenAsker:
    """Opens the index in ``folder`` to be asked the questions of a golden file.

    The file's settings count unless ``way`` has some; ``over`` are laid over them, then the
    policy of ``way``, then a case's own. ``golden`` are other cases to be asked in the place of
    the file's. Raises GoldenError with all that is wrong, the settings
    of cases included, SettingsError and NoIndexError.
    """
    golden = golden or read_golden(golden_path)
    way = way or Way()
    settings = way.settings
    if way.bare_profile is not None:  # laid over the file's, and not in their place
        settings, over = None, {"profile": way.bare_profile, **(over or {})}
    base = Base(golden, golden_path.parent, settings, over)
    try:
        return GoldenAsker(folder, base, way, after)
    except GoldenError as error:
        raise GoldenError(*error.faults, name=str(golden_path)) from None
    except SettingsError as error:
        if error.faults[0].startswith("settings: "):
            raise error.within(str(golden_path)) from None
        raise


def ask_golden(
    folder: Path,
    golden_path: Path,
    way: Way | None = None,
    *,
    over: Mapping[str, Any] | None = None,
    progress: Progress = iter,
) -> Asked:
    """Asks the index in ``folder`` all questions of a golden file; as :func:`golden_asker`."""
    with golden_asker(folder, golden_path, way, over=over) as asker:
        return Asked(asker.golden, asker.run(progress), asker.unknown())


def evaluate_file(
    folder: Path,
    golden_path: Path,
    *,
    settings_path: Path | None = None,
    profile: str | None = None,
    concepts: Path | None = None,
    progress: Progress = iter,
) -> Evaluation:
    """Asks the store in ``folder`` the questions of a golden file and judges the answers.

    The file's settings count unless ``settings_path`` is given; a case's own are laid over
    them. Raises as :func:`golden_asker`.
    """
    over: dict[str, Any] = {} if profile is None else {"profile": profile}
    if concepts is not None:
        over["concepts"] = str(concepts.resolve())
    way = Way(settings=None if settings_path is None else Settings.load(settings_path))
    return ask_golden(folder, golden_path, way, over=over, progress=progress).judged()
