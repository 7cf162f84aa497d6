"""``steadyrank doctor`` and ``steadyrank pin`` on real installations and real indexes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import whoosh

from steadyrank import Statistics
from steadyrank_builder.diagnosis.installation import owners
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh

STEADYRANK = [sys.executable, "-c", "from steadyrank_builder.cli import main; main()"]


def run(*arguments: object, path: Path | None = None) -> tuple[int, Any]:
    environment = dict(os.environ)
    if path is not None:
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(path), *([known] if known else [])])
    done = subprocess.run(
        [*STEADYRANK, *map(str, arguments), "--json"], capture_output=True, env=environment
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr.decode()


def codes(outcome: Any) -> list[str]:
    return [finding["code"] for finding in outcome["findings"]]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of the installed Whoosh, first on the import path, to be damaged."""
    (owner,) = owners()
    distribution = metadata.distribution(owner.name)
    site = tmp_path / "site"
    package = Path(whoosh.__file__).parent
    shutil.copytree(package, site / "whoosh", ignore=shutil.ignore_patterns("__pycache__"))
    records = next(f for f in distribution.files or () if f.name == "RECORD")
    info = Path(str(records.locate())).parent
    shutil.copytree(info, site / info.name)
    return site


def test_an_intact_installation_has_nothing_to_mend() -> None:
    """The Whoosh that runs these tests is whole, by the hashes it was installed with."""
    code, outcome = run("doctor")
    assert code == 0
    assert outcome["sound"] is True
    assert len(outcome["whoosh"]) == 1
    assert outcome["whoosh"][0]["damaged"] == []


def test_a_changed_and_a_missing_file_are_named(installed: Path) -> None:
    """Damage is found by hash and by absence, and the command that mends it is said."""
    assert run("doctor", path=installed)[0] == 0
    with (installed / "whoosh" / "scoring.py").open("a") as file:
        file.write("# changed\n")
    (installed / "whoosh" / "spelling.py").unlink()
    code, outcome = run("doctor", path=installed)
    assert code == 3
    assert codes(outcome) == ["damaged-installation"]
    message = outcome["findings"][0]["message"]
    assert "whoosh/scoring.py" in message
    assert "whoosh/spelling.py" in message
    assert "--force-reinstall" in message


def test_two_distributions_over_each_other_are_found(installed: Path) -> None:
    """A second owner of whoosh/ is a mixed installation; the one in place is named to keep."""
    (owner,) = owners()
    other = installed / "whoosh_other-9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: whoosh-other\nVersion: 9.9\n")
    (other / "RECORD").write_text("whoosh/__init__.py,sha256=AAAA,1\n")
    code, outcome = run("doctor", path=installed)
    assert code == 3
    assert codes(outcome) == ["mixed-installation"]
    message = outcome["findings"][0]["message"]
    assert f"pip install --force-reinstall {owner.name}" in message
    assert "pip uninstall -y whoosh-other" in message


def test_duplicate_and_missing_ids_are_counted_and_named(tmp_path: Path) -> None:
    """Two live documents with one id, one without an id, and deleted leftovers are all told."""
    records = corpus(3, 30)
    twin = replace(records[0], price=77)
    index = write(tmp_path, [*records, twin], Layout(seed=2, segments=3, leftovers=20))
    writer = index.writer()
    writer.add_document(title="tent", text="tent lamp")
    writer.commit(merge=False)
    code, outcome = run("doctor", tmp_path)
    assert code == 3
    assert codes(outcome) == ["duplicate-ids", "missing-ids", "many-deleted"]
    assert repr(twin.id) in outcome["findings"][0]["message"]
    assert outcome["index"]["documents"] == 32
    assert outcome["index"]["deleted"] == 20
    assert outcome["index"]["duplicate_ids"] == 1
    assert outcome["index"]["missing_ids"] == 1
    assert run("doctor", tmp_path, "--no-id")[0] == 0


def test_a_folder_without_an_index_and_a_wrong_field_are_findings(tmp_path: Path) -> None:
    """What cannot be opened is one finding, not an error of the doctor."""
    code, outcome = run("doctor", tmp_path)
    assert (code, codes(outcome)) == (3, ["unusable"])
    (tmp_path / "index").mkdir()
    write(tmp_path / "index", corpus(1, 5), Layout())
    code, outcome = run("doctor", tmp_path / "index", "--id-field", "sku")
    assert (code, codes(outcome)) == (3, ["unusable"])
    assert "sku" in outcome["findings"][0]["message"]


@pytest.mark.own_files
def test_pinned_statistics_are_written_checked_and_grow_old(tmp_path: Path) -> None:
    """pin writes what Statistics.load reads; doctor finds misfit and age."""
    (tmp_path / "index").mkdir()
    index = write(tmp_path / "index", corpus(4, 25), Layout(seed=1, segments=2, leftovers=5))
    out = tmp_path / "statistics.json"
    code, said = run("pin", tmp_path / "index", "--out", out)
    assert code == 0
    assert said["documents"] == 25
    assert Statistics.load(out).digest == Statistics.pin(index).digest == said["digest"]
    assert run("doctor", tmp_path / "index", "--statistics", out)[0] == 0
    code, outcome = run("doctor", tmp_path / "index", "--statistics", out, "--max-age", 0)
    assert (code, codes(outcome)) == (3, ["old-statistics"])
    writer = index.writer()
    writer.add_field("extra", type(index.schema["text"])())
    writer.commit()
    code, outcome = run("doctor", tmp_path / "index", "--statistics", out)
    assert (code, codes(outcome)) == (3, ["unusable"])
    assert "extra" in outcome["findings"][0]["message"]
