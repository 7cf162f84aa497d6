"""Which index an answer came from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def index_digest(index: Any, generation: int) -> str | None:
    """The logical digest that the builder recorded for this generation, None where it did not.

    Read from the manifest beside the index files and not checked here: ``steadyrank verify``
    checks it.
    """
    folder = getattr(index.storage, "folder", None)
    if folder is None:
        return None
    path = Path(folder) / f"steadyrank-{generation}.json"
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    digest = content.get("digest") if isinstance(content, dict) else None
    return digest if isinstance(digest, str) else None
