"""Short hashes by which a log tells a ranking that changed from a model that chose other words."""

from __future__ import annotations

import hashlib
import json
import platform
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from steadyrank.answering.answer import Fingerprint, Piece
from steadyrank.answering.settings import Settings


def fingerprint(
    pieces: Sequence[Piece], settings: str, digest: str | None, generation: int
) -> Fingerprint:
    """Each part changes exactly when what it is made from does; ``settings`` is a part already."""
    return Fingerprint(
        pieces=_short([[p.id, p.score.hex(), p.title, p.heading, p.text] for p in pieces]),
        settings=settings,
        index=_short(digest or generation),
        versions=_versions(),
    )


def fingerprint_of(settings: Settings, statistics: str) -> str:
    """The part of the settings.

    ``statistics`` is their name, which has the digest of pinned ones, so that a pinned file
    counts for what is in it and not for where it lies.
    """
    return _short({**settings.model_dump(mode="json"), "statistics": statistics})


@cache
def _versions() -> str:
    import whoosh

    from steadyrank import __version__

    # The distributions that own the package whoosh write different versions into it.
    own = list(getattr(whoosh, "__version__", ()))
    return _short([__version__, own, platform.python_version(), unicodedata.unidata_version])


def _short(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
