"""The variable that runs any test with compiled files of one sort does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

import support_sidecars
from steadyrank.postings import IndexView, kept
from support_compiled import everything, warned, without

pytestmark = pytest.mark.whoosh


@pytest.mark.parametrize("sort", support_sidecars.SORTS)
def test_each_segment_gets_a_file(grown: Path, sort: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that answers, or one that is warned of."""
    expected = everything(without(grown))
    monkeypatch.setattr(kept.Kept, "arrays", kept.Kept.arrays)  # to have it back afterwards
    before = support_sidecars.given
    support_sidecars.install(sort)
    found, messages = warned(grown)
    assert found == expected
    assert support_sidecars.given == before + 3
    assert len(list(grown.glob("*.arrays"))) == 3
    assert len(messages) == (0 if sort == "fitting" else 3)
    from whoosh.index import open_dir

    reader = open_dir(str(grown)).reader()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *_, **__: None)
        view = IndexView(reader)
        coded = view.postings("text", b"tent").coded
    reader.close()
    assert (coded is not None) is (sort == "fitting")
