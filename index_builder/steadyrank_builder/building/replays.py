"""A rejects file as material: its raw records, mended, in files of the shape they came in."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from steadyrank_builder.building.wording import few
from steadyrank_builder.formats.google import NAMESPACE
from steadyrank_builder.material import Source, settings_beside
from steadyrank_builder.material.source import unpacked_name

# What every line of a rejects file has.
_KEYS = frozenset({"code", "end_line", "line", "message", "raw", "records", "source"})
# An item that is whole: of a long one the rejects file has the beginning.
_XML_ITEM = re.compile(r"<(item|entry)\b.*</\1>", re.DOTALL)
_YAML_LIST = re.compile(r"\.ya?ml(?:\.gz)?$", re.IGNORECASE)


def replayed(sources: list[Source], stack: ExitStack) -> tuple[list[Source], list[str]]:
    """``sources`` with each rejects file that was named replaced by what it holds, and notes.

    The records go to temporary files, which end with ``stack``: JSON objects as JSON lines, on the
    lines that they have in the rejects file, rows under the header of their table, items of feeds
    and of YAML lists as a feed and a list. A note tells of those that can only be mended in their
    source: whole files, and sections of pages.
    """
    found: list[Source] = []
    notes: list[str] = []
    folder: Path | None = None
    for number, source in enumerate(sources):
        lines = _rejects(source)
        if lines is None:
            found.append(source)
            continue
        if folder is None:
            made = stack.enter_context(TemporaryDirectory(prefix="steadyrank-replay-"))
            folder = Path(made)
        files, rest = _shapes(lines)
        if rest:
            notes.append(
                f"{len(rest)} rejects in {source.name} are no records that can be read by "
                f"themselves; mend them where they are: {few(sorted(set(rest)))}"
            )
        for place, ((origin, suffix), text) in enumerate(sorted(files.items())):
            path = folder / f"{number}-{place}{suffix}"
            path.write_text(text, encoding="utf-8", newline="")
            name = f"{source.name}:{origin}"
            found.append(
                Source(
                    path, name, PurePosixPath(origin).name, "file",
                    settings=settings_beside(Path(origin)), passing=True, encoding="utf-8",
                )
            )  # fmt: skip
    return sorted(found, key=lambda source: source.name), notes


def _rejects(source: Source) -> list[Mapping[str, Any] | None] | None:
    """The lines of a rejects file, None for a blank one; None for any other file."""
    if source.root != "file" or source.suffix != ".jsonl" or source.member:
        return None
    try:
        with source.path.open(encoding="utf-8") as stream:
            if not _is_reject(_parsed(stream.readline(1 << 20))):
                return None
            stream.seek(0)
            lines = [_parsed(line) if line.strip() else None for line in stream]
    except (OSError, ValueError):  # no such file, or none that is read as text
        return None
    # A line that was broken while it was mended: then the file is read as what it is, and told.
    return lines if all(line is None or _is_reject(line) for line in lines) else None


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return ""


def _is_reject(value: Any) -> bool:
    return isinstance(value, dict) and value.keys() >= _KEYS


def _shapes(
    lines: list[Mapping[str, Any] | None],
) -> tuple[dict[tuple[str, str], str], list[str]]:
    """The texts of the files to read, by source and suffix; and the places of the others."""
    objects: dict[tuple[str, str], dict[int, str]] = {}
    tables: dict[tuple[str, str], list[str]] = {}
    items: dict[tuple[str, str], list[str]] = {}
    rest: list[str] = []
    for number, line in _numbered(lines):
        origin, raw = str(line["source"]), str(line["raw"])
        value = _parsed(raw)
        if isinstance(value, dict):
            shape = "questions" if "question" in value else "records"
            objects.setdefault((origin, f".{shape}.jsonl"), {})[number] = json.dumps(value)
        elif raw.strip() and line.get("header"):
            suffix = PurePosixPath(unpacked_name(origin)).suffix.lower() or ".csv"
            tables.setdefault((origin, suffix), [str(line["header"])]).append(raw)
        elif _XML_ITEM.fullmatch(raw.strip()):
            items.setdefault((origin, ".xml"), []).append(raw)
        elif _YAML_LIST.search(origin) and raw.lstrip().startswith("- "):
            items.setdefault((origin, ".yaml"), []).append(textwrap.dedent(raw))
        else:
            rest.append(f"{origin}:{line['line']}")
    files = {
        key: "".join(f"{row}\n" for row in rows) for key, rows in (*tables.items(), *items.items())
    }
    for key, text in files.items():
        if key[1] == ".xml":
            files[key] = f'<feed xmlns:g="{NAMESPACE}">\n{text}</feed>\n'
    for key, placed in objects.items():
        files[key] = "".join(f"{placed.get(at, '')}\n" for at in range(1, max(placed) + 1))
    return files, rest


def _numbered(
    lines: list[Mapping[str, Any] | None],
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        if line is not None:
            yield number, line
