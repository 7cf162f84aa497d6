"""Settings: all faults at once, profiles, and a printed file that says the same."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from steadyrank import Settings, SettingsError, Statistics, open_index, open_store
from steadyrank_builder.cli import main
from support_answers import piece, write


@pytest.mark.parametrize("profile", ["shop", "guidance"])
def test_the_printed_settings_say_the_same(profile: str) -> None:
    """What 'steadyrank settings' prints is the profile's defaults, each with a comment."""
    done = CliRunner().invoke(main, ["settings", "--profile", profile])
    assert done.exit_code == 0
    assert Settings.of(tomllib.loads(done.stdout)) == Settings.of({"profile": profile})
    lines = [line for line in done.stdout.splitlines() if "=" in line]
    assert len(lines) == 35
    assert [line for line in lines if "  # " not in line] == []


def test_all_faults_are_listed_with_the_nearest_key() -> None:
    """One error names each fault and its place, also in tables and concepts."""
    with pytest.raises(SettingsError) as caught:
        Settings.of(
            {
                "weightning": "bm25f",
                "gap": -1,
                "fetch": {"quota": {"faq": 1}, "quotas": {"faq": -1}},
                "take": {"count": 0},
                "concepts": [{"name": "x", "aliases": ["y"], "term": ["z"]}],
                "zzz": 1,
            }
        )
    assert isinstance(caught.value, ValueError)
    text = str(caught.value)
    assert "unknown setting 'weightning'; did you mean 'weighting'?" in text
    assert "unknown setting 'fetch.quota'; did you mean 'quotas'?" in text
    assert "unknown setting 'concepts.0.term'; did you mean 'terms'?" in text
    assert "concepts.0.terms: Field required" in text
    assert "unknown setting 'zzz' (known: concepts, confidence," in text
    for place in ("gap:", "fetch.quotas:", "take.count:"):
        assert place in text
    assert len(caught.value.faults) == 8


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"gap": float("nan")}, "gap"),
        ({"gap": float("inf")}, "gap"),
        ({"fields": {}}, "at least one field"),
        ({"fields": {"title": 0}}, "above 0"),
        ({"fields": {"title": float("inf")}}, "above 0"),
        ({"confidence": {"high": 24}}, "shares from 0 to 1"),
        ({"confidence": {"high": 0.1, "medium": 0.3}}, "not above high"),
        ({"take": {"at_least": {"faq": 3}, "at_most": {"faq": 2}}}, "cannot both hold"),
        ({"take": {"count": 2, "at_least": {"faq": 3}}}, "asks for 3"),
        ({"profile": "guidance", "statistics": "x.json"}, 'statistics is "live"'),
        ({"concepts": [{"name": "n", "aliases": ["a"], "terms": ["t"], "routes": [{}]}]}, "route"),
        ({"concepts": "no-such-file.json"}, "no-such-file.json"),
    ],
)
def test_values_that_make_no_sense_are_refused(given: dict[str, object], said: str) -> None:
    """Each with what is wrong."""
    with pytest.raises(SettingsError, match=said):
        Settings.of(given)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """Missing, not TOML, not UTF-8, and with faults inside."""
    for name, content in (("a.toml", b"x ="), ("b.toml", b"\xff"), ("c.toml", b"gapp = 1")):
        (tmp_path / name).write_bytes(content)
    for name in ("a.toml", "b.toml", "c.toml", "missing.toml"):
        with pytest.raises(SettingsError, match=name):
            Settings.load(tmp_path / name)


def test_a_profile_gives_defaults_and_takes_nothing_away() -> None:
    """What is set stays, whichever way the profile comes in; the rest is the profile's."""
    own = {"gap": 0.25, "take": {"per_document": 2}, "profile": "guidance"}
    guidance = Settings.of(own)
    assert (guidance.weighting, guidance.gap, guidance.take.count) == ("guidance", 0.25, 8)
    assert guidance.take.per_document == 2
    shop = Settings.of({"gap": 0.25, "take": {"per_document": 2}})
    assert shop.overlaid({"profile": "guidance"}) == guidance
    assert guidance.overlaid({"profile": "shop"}) == shop


def test_tables_are_laid_over_key_by_key() -> None:
    """Fields and quotas are single values; fetch, take, confidence and guidance are not."""
    base = Settings.of({"take": {"count": 6, "backfill": False}, "fields": {"title": 2.0}})
    over = base.overlaid({"take": {"count": 2}, "fields": {"text": 1.0}})
    assert (over.take.count, over.take.backfill) == (2, False)
    assert over.fields == {"text": 1.0}
    assert base.overlaid({}) is base


def test_settings_are_frozen() -> None:
    """Tables too."""
    with pytest.raises(ValidationError):
        Settings().gap = 1.0  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Settings().take.count = 1  # type: ignore[misc]


def test_concepts_of_a_file_are_relative_to_the_settings(tmp_path: Path) -> None:
    """And a broken file of them is one fault among the others."""
    concept = {"name": "n", "aliases": ["a"], "terms": ["t"]}
    (tmp_path / "c.json").write_text(json.dumps([concept]), "utf-8")
    (tmp_path / "s.toml").write_text('concepts = "c.json"\n', "utf-8")
    assert Settings.load(tmp_path / "s.toml").concepts[0].terms == ("t",)
    (tmp_path / "c.json").write_text("[", "utf-8")
    (tmp_path / "s.toml").write_text('concepts = "c.json"\ngapp = 1\n', "utf-8")
    with pytest.raises(SettingsError) as caught:
        Settings.load(tmp_path / "s.toml")
    assert len(caught.value.faults) == 2


@pytest.mark.whoosh
def test_a_field_that_the_index_does_not_have_is_refused(tmp_path: Path) -> None:
    """Rather than searched in vain."""
    folder = write(tmp_path / "i", [piece("a", "tent")])
    with (
        open_store(folder, {"fields": {"titel": 1.0, "text": 1.0}}) as store,
        pytest.raises(SettingsError, match="'titel'"),
    ):
        store.answer("tent")


@pytest.mark.whoosh
def test_pinned_statistics_keep_scores_and_count_unseen_words(tmp_path: Path) -> None:
    """Other documents move no score; a word that the file never saw is told."""
    folder = write(tmp_path / "i", [piece("a", "tent and stove"), piece("b", "lamp")])
    Statistics.pin(open_index(folder)).save(tmp_path / "pin.json")
    (tmp_path / "s.toml").write_text('statistics = "pin.json"\n', "utf-8")
    with open_store(folder, tmp_path / "s.toml") as store:
        before = store.answer("tent")
    write(folder, [piece("a", "tent and stove"), piece("b", "lamp"), piece("c", "anvil tent")])
    with open_store(folder, tmp_path / "s.toml") as store:
        after = store.answer("tent anvil")
        again = store.answer("tent")
    assert next(p.score for p in again.pieces if p.id == "a") == before.pieces[0].score
    assert before.statistics.startswith("pinned sha256:")
    assert (before.unseen, after.unseen) == (0.0, 0.5)
    assert again.fingerprint.settings == before.fingerprint.settings
    Statistics.pin(open_index(folder)).save(tmp_path / "pin.json")
    with open_store(folder, tmp_path / "s.toml") as store:
        other = store.answer("tent").fingerprint
    assert other.settings != before.fingerprint.settings  # another file at the same place


def test_every_setting_is_on_the_page() -> None:
    """Its tables name all keys; its TOML can be used."""
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "settings.md").read_text("utf-8")
    keys: set[str] = set()
    for name, field in Settings.model_fields.items():
        inner = getattr(field.default, "model_fields_set", None)
        tables = type(field.default).model_fields if inner is not None else None
        keys |= {f"{name}.{key}" for key in tables} if tables else {name}
    assert {key for key in keys if f"`{key}`" not in page} == set()
    (fetching, concepts) = re.findall(r"```toml\n(.*?)```", page, re.S)
    given = tomllib.loads(fetching.replace('statistics = "pinned.json"', ""))
    assert Settings.of(given).take.at_most == {"faq": 2}
    assert Settings.of(tomllib.loads(concepts)).concepts[0].routes[1].id == "faq:refund-time"
    assert f"{len(Settings().stop_words)} English words" in page
