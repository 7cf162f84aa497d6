"""Where the sample corpus lies, and the questions that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steadyrank.errors import SteadyRankError
from steadyrank_builder.errors import MissingExtraError


class MissingSampleError(SteadyRankError, FileNotFoundError):
    """The sample corpus is not where it should be."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The sample store: a folder of material, and questions in shoppers' words."""

    store: Path
    questions: tuple[str, ...]


def find_sample(folder: Path | None = None) -> Sample:
    """The sample corpus in ``folder``, or the one that comes with the project.

    Raises MissingSampleError when it is not there, MissingExtraError without PyYAML.
    """
    package = Path(__file__).resolve().parents[1]
    candidates = [folder] if folder else [package / "sample_corpus", *_beside(package)]
    for candidate in candidates:
        if (candidate / "store").is_dir() and (candidate / "golden.yaml").is_file():
            return Sample(candidate / "store", _questions(candidate / "golden.yaml"))
    where = folder or "this installation"
    raise MissingSampleError(
        f"{where} has no sample corpus (a folder store/ beside golden.yaml); "
        "run the demo in a clone of the project, or name the corpus with --corpus"
    )


def _beside(package: Path) -> list[Path]:
    # An editable installation lies in the clone: index_builder/steadyrank_builder.
    return [package.parents[1] / "sample_corpus"]


def _questions(path: Path) -> tuple[str, ...]:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for="the demo, for its questions,") from error
    content = yaml.safe_load(path.read_text("utf-8"))
    return tuple(dict.fromkeys(str(case["question"]) for case in content["cases"]))
