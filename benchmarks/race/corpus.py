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
    """One document; title and text are tokens with spaces between."""

    id: str
    title: str
    text: str


def words(text: str) -> str:
    """The tokens of a text."""
    return " ".join(_WORD.findall(text.lower()))


def debian(lists: Path) -> list[Doc]:
    """Package descriptions from apt's Translation-en lists in a folder.

    Get them with ``apt-get -o Acquire::Languages=en -o Dir::State::Lists=FOLDER update``; lists
    may be compressed as apt keeps them. A package's last description counts. In order of ids.
    """
    files = sorted(str(path) for path in lists.glob("*_Translation-en*"))
    if not files:
        return []
    done = subprocess.run(
        ["/usr/lib/apt/apt-helper", "cat-file", *files], capture_output=True, check=True
    )
    found: dict[str, Doc] = {}
    for paragraph in done.stdout.decode("utf-8", "replace").split("\n\n"):
        lines = paragraph.split("\n")
        fields = dict(
            line.split(": ", 1) for line in lines if not line.startswith(" ") and ": " in line
        )
        if "Package" in fields and "Description-en" in fields:
            body = " ".join(line for line in lines if line.startswith(" "))
            name = fields["Package"]
            found[name] = Doc(name, words(fields["Description-en"]), words(body))
    return [found[name] for name in sorted(found)]


def lines_of(lists: Path) -> list[Doc]:
    """The same descriptions with a document for each line of a long one, some 500,000.

    Real text in short documents: the title is the package's, the text is the line.
    """
    found = []
    files = sorted(str(path) for path in lists.glob("*_Translation-en*"))
    done = subprocess.run(
        ["/usr/lib/apt/apt-helper", "cat-file", *files], capture_output=True, check=True
    )
    seen: set[str] = set()
    for paragraph in done.stdout.decode("utf-8", "replace").split("\n\n"):
        lines = paragraph.split("\n")
        fields = dict(
            line.split(": ", 1) for line in lines if not line.startswith(" ") and ": " in line
        )
        name = fields.get("Package")
        if name is None or name in seen:
            continue
        seen.add(name)
        title = words(fields.get("Description-en", ""))
        for number, line in enumerate(line for line in lines if line.startswith(" ")):
            if _WORD.search(line.lower()):
                found.append(Doc(f"{name}#{number:04}", title, words(line)))
    return sorted(found, key=lambda doc: doc.id)


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
        docs.append(Doc(f"p{number:07}", " ".join(title), " ".join(text)))
    return docs


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
