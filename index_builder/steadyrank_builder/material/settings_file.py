"""``steadyrank.toml``: what files are, where the files themselves do not say.

It lies beside the material and speaks of the files in its folder and below::

    exclude = ["drafts/**", "*.bak"]
    language = "de"

    [[source]]
    files = "export/*.csv"
    format = "csv"
    kind = "product"
    map = { title = "Name", text = "Beschreibung" }

The keys at the top count for all files, those of the first ``[[source]]`` that a file matches for
that file. ``*`` and ``?`` match within one folder, ``**`` matches across folders; a pattern
without a slash matches the file's name in any folder.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from steadyrank_builder.errors import MaterialSettingsError, listed
from steadyrank_builder.material.source import NO_SETTINGS, SourceSettings, shown

SETTINGS_NAME = "steadyrank.toml"
_SIZE_LIMIT = 1 << 20


@dataclass(frozen=True)
class Rule:
    """One ``[[source]]``: its patterns and what they say, with the keys at the top filled in."""

    files: tuple[str, ...]
    settings: SourceSettings


@dataclass(frozen=True)
class MaterialSettings:
    """The content of one ``steadyrank.toml``; ``folder`` is the folder that it lies in."""

    folder: Path
    exclude: tuple[str, ...]
    rules: tuple[Rule, ...]
    defaults: SourceSettings

    def of(self, path: str) -> SourceSettings:
        """What it says of a file; ``path`` is below ``folder``, in posix form."""
        if any(matches(pattern, path) for pattern in self.exclude):
            return SourceSettings(place=self.defaults.place, excluded=True)
        for rule in self.rules:
            if any(matches(pattern, path) for pattern in rule.files):
                return rule.settings
        return self.defaults

    def idle(self, paths: Sequence[str]) -> list[str]:
        """The places of the patterns under ``files`` that none of ``paths`` matches."""
        return [
            f"{rule.settings.place}.files: {pattern!r} matches no file; correct or remove it"
            for rule in self.rules
            for pattern in rule.files
            if not any(matches(pattern, path) for path in paths)
        ]


def settings_in(folder: Path) -> MaterialSettings | None:
    """The settings that lie in ``folder``, None where there are none.

    Raises MaterialSettingsError, which names file, key and what is expected of each fault.
    """
    path = folder / SETTINGS_NAME
    if not path.is_file():
        return None
    name = shown(path)
    try:
        with path.open("rb") as stream:
            content = stream.read(_SIZE_LIMIT + 1)
        if len(content) > _SIZE_LIMIT:
            raise MaterialSettingsError([f"{name}: more than 1 MB; expected a page of settings"])
        table = tomllib.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise MaterialSettingsError([f"{name}: {(error.strerror or str(error)).lower()}"]) from None
    except UnicodeDecodeError as error:
        fault = f"{name}: byte {error.start} is not UTF-8; save the file as UTF-8"
        raise MaterialSettingsError([fault]) from None
    except RecursionError:
        raise MaterialSettingsError([f"{name}: nested too deeply to be read"]) from None
    except tomllib.TOMLDecodeError as error:
        raise MaterialSettingsError([f"{name}: not TOML: {error}"]) from None
    return _checked(folder, name, table)


def settings_beside(path: Path) -> SourceSettings:
    """What the nearest settings say of a file that was read as material at this path.

    Raises MaterialSettingsError as ``settings_in``.
    """
    for folder in path.parents:
        settings = settings_in(folder)
        if settings is not None:
            said = settings.of(shown(path.relative_to(folder)))
            return NO_SETTINGS if said.excluded else said
    return NO_SETTINGS


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern matches a path below the settings' folder."""
    if "/" not in pattern.rstrip("/"):
        return bool(_compiled(pattern).fullmatch(path.rpartition("/")[2]))
    return bool(_compiled(pattern.lstrip("/")).fullmatch(path))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as an expression that never goes back into what a star has taken.

    Whatever follows a star, its first place that fits leaves the most for the rest; only what
    has to reach the end of the path is tried at every place. So the atomic groups cost no match,
    and a hundred stars no time.
    """
    first, *rest = re.split(r"(\*\*/?)", pattern.removeprefix("./"))
    runs = [("", first), *zip(rest[::2], rest[1::2], strict=True)]
    pieces = [f"(?>{_WILD[wild]}{_run(run, last=False)})" for wild, run in runs[:-1]]
    wild, run = runs[-1]
    return re.compile("".join((*pieces, _WILD[wild], _run(run, last=True))), re.DOTALL)


_WILD = {"": "", "**/": "(?:.*?/)??", "**": ".*?"}


def _run(run: str, *, last: bool) -> str:
    """What stands between two wildcards that cross folders; the last one ends the path."""
    first, *rest = (
        "".join("[^/]" if c == "?" else re.escape(c) for c in part) for part in run.split("*")
    )
    end = f"[^/]*{rest.pop()}" if last and rest else ""
    return first + "".join(f"(?>[^/]*?{part})" for part in rest) + end


_TEXTS = ("format", "kind", "encoding", "language", "language_of")
_TOP = ("exclude", "source", "kind", "encoding", "language", "language_of")
_SOURCE = ("files", "map", *_TEXTS)


class _Faults:
    """Collects what is wrong, so that all of it is told at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[str] = []

    def text(self, place: str, value: Any) -> str:
        if isinstance(value, str) and value.strip():
            return value.strip()
        self.add(place, value, 'a text such as "de"')
        return ""

    def texts(self, place: str, value: Any) -> tuple[str, ...]:
        values = [value] if isinstance(value, str) else value
        if isinstance(values, list) and values and all(isinstance(v, str) and v for v in values):
            return tuple(values)
        self.add(place, value, 'a pattern such as "export/*.csv", or a list of patterns')
        return ()

    def mapping(self, place: str, value: Any) -> dict[str, str]:
        if isinstance(value, dict) and all(isinstance(v, str) and v for v in value.values()):
            return value
        self.add(place, value, 'a table of texts such as { title = "Name" }')
        return {}

    def add(self, place: str, value: Any, expected: str) -> None:
        self.found.append(f"{self.name}: {place}: expected {expected}, got {value!r:.80}")

    def keys(self, place: str, table: dict[str, Any], known: Sequence[str]) -> None:
        for key in table:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"expected {listed(known)}"
                self.found.append(f"{self.name}: {place}{key}: unknown key; {hint}")


def _checked(folder: Path, name: str, table: dict[str, Any]) -> MaterialSettings:
    faults = _Faults(name)
    faults.keys("", table, _TOP)
    top: dict[str, Any] = {
        key: faults.text(key, table[key]) for key in _TEXTS if key in table and key in _TOP
    }
    exclude = faults.texts("exclude", table["exclude"]) if table.get("exclude") else ()
    sources = table.get("source", [])
    if not (isinstance(sources, list) and all(isinstance(source, dict) for source in sources)):
        faults.add("source", sources, "tables, each headed [[source]]")
        sources = []
    rules = []
    for number, source in enumerate(sources, 1):
        place = f"source {number}"
        faults.keys(f"{place}.", source, _SOURCE)
        if "files" not in source:
            faults.found.append(f'{name}: {place}.files: missing; expected files = "*.csv"')
        files = faults.texts(f"{place}.files", source["files"]) if "files" in source else ()
        own: dict[str, Any] = {
            key: faults.text(f"{place}.{key}", source[key]) for key in _TEXTS if key in source
        }
        mapping = faults.mapping(f"{place}.map", source["map"]) if "map" in source else {}
        settings = SourceSettings(place=f"{name}: {place}", mapping=mapping, **{**top, **own})
        rules.append(Rule(files, settings))
    if faults.found:
        raise MaterialSettingsError(faults.found)
    defaults = SourceSettings(place=name, **top) if top else NO_SETTINGS
    return MaterialSettings(folder, exclude, tuple(rules), defaults)
