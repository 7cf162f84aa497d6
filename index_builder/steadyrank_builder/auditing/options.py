"""How an index is audited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

# Called with the stage ("write again", "ask"), how much of it is done and how much there is.
Progress = Callable[[str, int, int | None], None]


def silent(_stage: str, _done: int, _total: int | None) -> None:
    """The progress of an audit that nobody watches."""


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """The choices of an audit.

    ``k`` is the length of an answer. ``id_field`` None without ``no_id``: ``id`` where there is
    such a field, else the only unique one, else none. ``fields`` None: all text fields.
    ``sample`` asks so many different questions, chosen by ``seed``. ``layouts`` is how many are
    written, and indexes of more than ``max_documents`` are not. ``stock`` judges an index that
    ``steadyrank build`` wrote by stock Whoosh's answers too. ``redact`` puts a hash in place of
    each question. ``examples`` is how many are kept. A search may take ``timeout`` seconds.
    """

    k: int = 10
    id_field: str | None = None
    no_id: bool = False
    fields: Mapping[str, float] | None = None
    syntax: Literal["words", "whoosh"] = "words"
    sample: int | None = None
    seed: int = 0
    layouts: int = 3
    max_documents: int = 100_000
    stock: bool = False
    redact: bool = False
    examples: int = 10
    timeout: float = 60.0
    progress: Progress = silent
