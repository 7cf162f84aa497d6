"""Writes the vectors of this folder anew: ``python tests/conformance/generate.py``.

With ``--check`` it writes nothing and exits 1 where a file is not what it would write.

The texts and questions are here; postings and statistics are counted from the texts, and the
expected rankings are the reference's. A change in the files it writes is a change of the
contract, to be read line by line.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from struct import pack, unpack
from typing import Any

from reference import answers
from topics import TOPICS, Topic

FOLDER = Path(__file__).parent


def single(x: float) -> float:
    """As single precision holds it, which is how an index stores a posting's weight."""
    return float(unpack("f", pack("f", x))[0])


def stored_length(tokens: int) -> int:
    """A number of tokens as the one byte that Whoosh stores for it decodes."""
    from whoosh.util.numeric import byte_to_length, length_to_byte

    return int(byte_to_length(length_to_byte(tokens)))


def counted(topic: Topic) -> dict[str, Any]:
    """The topic as a vector, without expected rankings."""
    fields: dict[str, Any] = {}
    for field, boost in topic.fields.items():
        postings: dict[str, dict[str, Any]] = {}
        lengths = {}
        for id, document in topic.documents.items():
            words = document.get(field, "").split()
            lengths[id] = stored_length(len(words))
            for word in sorted(set(words)):
                places = [place for place, found in enumerate(words) if found == word]
                postings.setdefault(word, {})[id] = [single(len(places) * boost), places]
        fields[field] = {
            "boost": boost,
            "lengths": lengths,
            "postings": dict(sorted(postings.items())),
        }
    live = {
        "documents": len(topic.documents),
        "fields": {
            name: {
                "length": sum(field["lengths"].values()),
                "document_frequency": {word: len(f) for word, f in field["postings"].items()},
            }
            for name, field in fields.items()
        },
    }
    return {
        "schema": 1,
        "about": topic.about,
        "documents": {id: each.get("document", id) for id, each in topic.documents.items()},
        "fields": fields,
        "statistics": {"kind": "pinned", **topic.pinned}
        if topic.pinned
        else {"kind": "live", **live},
    }


def vector(topic: Topic) -> dict[str, Any]:
    """The topic as a whole vector."""
    bare = {**counted(topic), "cases": topic.cases}
    found = answers(bare)
    cases = [{**case, "expected": one} for case, one in zip(topic.cases, found, strict=True)]
    return {**bare, "cases": cases}


def text_of(value: Any, indent: int = 0) -> str:
    """JSON with short lists and objects on one line, so that a person can read it."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= 96 or not isinstance(value, dict | list) or not value:
        return flat
    inner = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {text_of(item, indent + 1)}"
            for key, item in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    parts = [f"{inner}{text_of(item, indent + 1)}" for item in value]
    return "[\n" + ",\n".join(parts) + "\n" + " " * indent + "]"


def main(check: bool) -> int:
    wrong = []
    for name, topic in TOPICS.items():
        path, text = FOLDER / f"{name}.json", text_of(vector(topic)) + "\n"
        if not check:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            wrong.append(path.name)
    print(f"not as generated: {', '.join(wrong)}" if wrong else "as generated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
