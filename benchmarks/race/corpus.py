"""What is searched: Debian's package descriptions, or a generated catalogue where they are absent.

Texts are lower-case words with spaces between, made once here, so that every engine indexes the
same tokens whatever its own analysis would be.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_WORD = re.compile(r"[a-z0-9]+")
_LETTERS = "aeiourstlnmdgpk"


@dataclass(frozen=True, slots=True)
class Doc:
    """One document; title and text are tokens with spaces between, kind is one token."""

    id: str
    title: str
    text: str
    kind: str = "other"


def words(text: str) -> str:
    """The tokens of a text."""
    return " ".join(_WORD.findall(text.lower()))


def corpus(lists: Path | None, size: int) -> tuple[list[Doc], str]:
    """The documents of a size in shuffled order, and what they are."""
    if lists is None:
        return sized(catalogue(size, 1), size, 2), "a generated catalogue"
    packages = debian(lists)
    if size <= len(packages):
        return sized(packages, size, 2), "Debian's package descriptions"
    return sized(lines_of(lists), size, 2), "lines of Debian's package descriptions"


def debian(lists: Path) -> list[Doc]:
    """Package descriptions from apt's Translation-en lists in a folder, in order of ids.

    Get them with ``apt-get -o Acquire::Languages=en -o Dir::State::Lists=FOLDER update``; lists
    may be compressed as apt keeps them. A package's first description counts; its kind is the
    section that the lists of packages beside name.
    """
    return [
        Doc(name, title, words(" ".join(lines)), kind)
        for name, title, lines, kind in _descriptions(lists)
    ]


def lines_of(lists: Path) -> list[Doc]:
    """The same descriptions with a document for each line of a long one, some 400,000.

    Real text in short documents: the title is the package's, the text is the line.
    """
    found = [
        Doc(f"{name}#{number:04}", title, words(line), kind)
        for name, title, lines, kind in _descriptions(lists)
        for number, line in enumerate(lines)
        if _WORD.search(line.lower())
    ]
    return sorted(found, key=lambda doc: doc.id)


def _descriptions(lists: Path) -> list[tuple[str, str, list[str], str]]:
    # Name, title, lines of the long text and kind of each package, by name.
    kinds = _sections(lists)
    found: dict[str, tuple[str, str, list[str], str]] = {}
    for paragraph in _unpacked(lists, "*_Translation-en*").split("\n\n"):
        lines = paragraph.split("\n")
        fields = dict(
            line.split(": ", 1) for line in lines if not line.startswith(" ") and ": " in line
        )
        if "Package" in fields and "Description-en" in fields:
            name = fields["Package"]
            body = [line for line in lines if line.startswith(" ")]
            title = words(fields["Description-en"])
            found.setdefault(name, (name, title, body, kinds.get(name, "other")))
    return [found[name] for name in sorted(found)]


def _sections(lists: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in _unpacked(lists, "*_Packages*").splitlines():
        if line.startswith("Package: "):
            name = line[9:]
        elif line.startswith("Section: "):
            found.setdefault(name, line[9:].rpartition("/")[2])
    return found


def _unpacked(lists: Path, pattern: str) -> str:
    files = sorted(str(path) for path in lists.glob(pattern))
    if not files:
        return ""
    done = subprocess.run(
        ["/usr/lib/apt/apt-helper", "cat-file", *files], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace")


def catalogue(count: int, seed: int) -> list[Doc]:
    """A generated catalogue: words by Zipf's law, titles of 2 to 6 and texts of 10 to 60."""
    chance = random.Random(seed)
    vocabulary = [
        "".join(chance.choice(_LETTERS) for _ in range(chance.randint(3, 9))) for _ in range(30_000)
    ]
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    docs = []
    for number in range(count):
        title = chance.choices(vocabulary, weights, k=chance.randint(2, 6))
        text = chance.choices(vocabulary, weights, k=chance.randint(10, 60))
        kind = f"kind{chance.randrange(20)}"
        docs.append(Doc(f"p{number:07}", " ".join(title), " ".join(text), kind))
    return docs


def alike(count: int) -> list[Doc]:
    """Documents that all have one score, their ids in no order."""
    docs = [Doc(f"p{number:07}", "cup", "blue cup") for number in range(count)]
    return sized(docs, count, 2)


def sized(docs: list[Doc], count: int, seed: int) -> list[Doc]:
    """So many of the documents, in shuffled order, so that numbers do not follow ids."""
    chance = random.Random(seed)
    chosen = docs if len(docs) <= count else chance.sample(docs, count)
    shuffled = list(chosen)
    chance.shuffle(shuffled)
    return shuffled


def questions(docs: list[Doc], count: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Word lists of one to eight words, each from one document's title or text, as people ask."""
    chance = random.Random(seed)
    for number in range(count):
        length = number % 8 + 1
        while True:
            doc = chance.choice(docs)
            pool = sorted(set(f"{doc.title} {doc.text}".split()))
            if len(pool) >= length:
                break
        yield tuple(chance.sample(pool, length))
