"""Runs kept in files."""

from __future__ import annotations

import json
from pathlib import Path

from steadyrank.measure import Run, RunError, run_of
from steadyrank_builder.runs.written import write_whole


def write_run(run: Run, path: Path) -> None:
    """The run as JSON with sorted keys."""
    text = json.dumps(run.to_dict(), sort_keys=True, indent=1)
    write_whole(path, text + "\n")


def read_run(path: Path) -> Run:
    """A run that ``write_run`` wrote. Raises RunError for anything else."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RunError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise RunError(f"{path} is not JSON: {error}") from error
    except RecursionError as error:
        raise RunError(f"{path} is no saved run: it is nested too deep") from error
    return run_of(content, str(path))
