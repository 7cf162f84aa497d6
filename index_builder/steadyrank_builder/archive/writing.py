"""Writing the outcomes of one source after another."""

from __future__ import annotations

import shutil
import tempfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from steadyrank_builder.archive.lines import line_of
from steadyrank_builder.records import Outcome

Block = tuple[int, int]  # offset and size in bytes, in the archive's file
_BATCH = 256  # lines; compressing each by itself costs twice as much


class Archive:
    """A recorder of what is read, in a temporary file without a name, until it is saved.

    Each source has a zlib stream of its own, with one line of JSON per outcome. ``blocks`` says
    where, by the source's name.
    """

    def __init__(self) -> None:
        self.blocks: dict[str, Block] = {}
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._name = ""
        self._start = 0
        self._lines: list[str] = []
        self._stream: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def begin(self, name: str) -> None:
        """The outcomes of the source ``name`` follow; those of it that came before are void."""
        if name in self.blocks:  # it was the last one
            self._start = self.blocks.pop(name)[0]
            self._file.seek(self._start)
            self._file.truncate()
        self._name = name
        self._stream = zlib.compressobj(1)

    def add(self, outcome: Outcome) -> None:
        """One more outcome of this source."""
        self._lines.append(line_of(outcome))
        if len(self._lines) >= _BATCH:
            self._flush()

    def end(self) -> None:
        """That was the last one."""
        self._flush()
        self._file.write(self._stream.flush())
        end = self._file.tell()
        self.blocks[self._name] = (self._start, end - self._start)
        self._start = end

    def save(self, path: Path) -> None:
        """Write the whole archive to ``path``."""
        self._file.flush()
        self._file.seek(0)
        with path.open("wb") as target:
            shutil.copyfileobj(self._file, target, 1 << 20)

    def _flush(self) -> None:
        text = "".join(f"{line}\n" for line in self._lines)
        self._file.write(self._stream.compress(text.encode("ascii")))
        self._lines.clear()
