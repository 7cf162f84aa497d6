"""Short hashes by which a log tells a ranking that changed from a model that chose other words."""

from __future__ import annotations

import hashlib
import json
import platform
import unicodedata
from collections.abc import Sequence
from typing import Any

from steadyrank.answering.answer import Fingerprint, Piece
from steadyrank.answering.settings import Settings


def fingerprint(
    pieces: Sequence[Piece],
    settings: Settings,
    statistics: str,
    digest: str | None,
    generation: int,
) -> Fingerprint:
    """Each part changes exactly when what it is made from does.

    ``statistics`` is their name, which has the digest of pinned ones, so that a pinned file
    counts for what is in it and not for where it lies.
    """
    from steadyrank import __version__

    chosen = {**settings.model_dump(mode="json"), "statistics": statistics}
    return Fingerprint(
        pieces=_short([[p.id, p.score.hex(), p.title, p.heading, p.text] for p in pieces]),
        settings=_short(chosen),
        index=_short(digest or generation),
        versions=_short([__version__, _whoosh(), platform.python_version(), _UNICODE]),
    )


_UNICODE = unicodedata.unidata_version


def _whoosh() -> list[Any]:
    import whoosh

    # The distributions that own this package write different versions into it.
    return list(getattr(whoosh, "__version__", ()))


def _short(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
