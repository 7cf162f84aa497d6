"""The rejects file: one JSON object per record that is not in the index, to mend and read again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from steadyrank_builder.records import Rejected


def reject_line(reject: Rejected, header: str = "") -> str:
    """``reject`` as one line of JSON: source, line, end_line, code, message, raw, records.

    ``header`` is the first line of the table that a row is from, where it is from one. Escaped to
    ASCII: what is wrong with a record may be a character that no encoding has.
    """
    return json.dumps(
        {
            **({"header": header} if header else {}),
            "source": reject.origin.source,
            "line": reject.origin.line,
            "end_line": reject.origin.end_line,
            "code": reject.code,
            "message": reject.message,
            "raw": reject.raw,
            "records": reject.records,
        },
        sort_keys=True,
    )


def write_rejects(
    path: Path, rejects: Iterable[Rejected], header: Callable[[str], str] = lambda _: ""
) -> None:
    """Replace ``path`` by the lines of ``rejects``; an empty file says that there were none.

    ``header`` gives the first line of the table that a source is.

    Written beside and renamed, so that nobody reads half of it. OSError as it comes. Something
    that is no regular file (``/dev/null``, a pipe) is written to directly.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    target = path if path.exists() and not path.is_file() else draft
    try:
        with target.open("w", encoding="ascii") as stream:
            for reject in rejects:
                stream.write(f"{reject_line(reject, header(reject.origin.source))}\n")
        if target is draft:
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
