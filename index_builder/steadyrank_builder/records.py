"""What becomes of a record: every reader yields these, and the build's report adds them up.

A record is a row, line, array element, feed item or page section; a page skipped or rejected
whole is one record. For each source

    read = accepted + merged + duplicates + skipped + rejected

where ``read`` is the sum of ``records`` over all that its reader yielded.
"""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank_builder.document import Document, Origin


@dataclass(frozen=True, slots=True)
class Accepted:
    """One document out of ``records`` records: one accepted, the others merged into it."""

    document: Document
    origin: Origin
    records: int = 1


@dataclass(frozen=True, slots=True)
class Skipped:
    """Records left out on purpose, with the reason as a short phrase (``draft``, ``archived``)."""

    origin: Origin
    reason: str
    records: int = 1


@dataclass(frozen=True, slots=True)
class Rejected:
    """Records that cannot be used as they are: nothing of them is in the index.

    ``code`` is a stable word for programs (``empty-field``, ``duplicate-id``), ``message`` a
    sentence for people that says what is wrong and what to do, ``raw`` the record as it stood
    in the source, as far as it can be had. ``ends`` says that the source was not read to its end
    because of it.
    """

    origin: Origin
    code: str
    message: str
    raw: str = ""
    records: int = 1
    ends: bool = False


Outcome = Accepted | Skipped | Rejected
