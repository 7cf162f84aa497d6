"""Reads the project's own pages and runs what stands in them.

A fenced block is run by its info string: ``python`` blocks of a page run one after another in
one namespace; ``sh run`` blocks run in bash, and a ``text output`` block right after one is what
it has to print, where a line of ``...`` stands for any lines and ``...`` in a line for anything.
Other blocks (``sh``, ``text``) are only read, but for the README's ``text demo``, which a test
compares with the demo. Where a page needs the sample corpus, it is at
``sample_corpus`` in the folder that all of the page runs in.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^```(?P<info>[^\n`]+)\n(?P<text>.*?)^```\s*$", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """A fenced block: its info string, its text, and the line in the page its text starts on."""

    page: Path
    info: str
    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page that have an info string, in their order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(page, found["info"].strip(), found["text"], text.count("\n", 0, found.start()) + 2)
        for found in _FENCE.finditer(text)
    ]


def runs(page: Path) -> bool:
    return any(block.info in ("python", "sh run") for block in blocks(page))


def run_page(page: Path, folder: Path) -> None:
    """Runs the page's blocks in ``folder``; AssertionError that names the page and line."""
    (folder / "sample_corpus").symlink_to(ROOT / "sample_corpus")
    namespace: dict[str, Any] = {"__name__": page.stem}
    printed: str | None = None
    for block in blocks(page):
        if block.info == "python":
            # Line numbers in a traceback are the page's.
            code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
            exec(code, namespace)
        elif block.info == "sh run":
            printed = shell(block.text, folder, str(block))
            continue
        elif block.info == "text output":
            assert printed is not None, f"{block}: no 'sh run' block right before this output"
            assert matches(block.text, printed), f"{block}: the command printed\n{printed}"
        printed = None


def shell(text: str, folder: Path, where: str) -> str:
    """Stdout of the commands, which may call ``steadyrank`` and ``python`` of this Python."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, f"{where}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def environment(folder: Path) -> dict[str, str]:
    """An environment whose PATH starts with this Python and a ``steadyrank`` that runs in it.

    The script is made rather than found, so that the tests run from a checkout that is only on
    PYTHONPATH too.
    """
    scripts = folder / ".scripts"
    scripts.mkdir(exist_ok=True)
    calls = {"python": '"$@"', "steadyrank": '-c "$STEADYRANK" "$@"'}
    for name, call in calls.items():
        script = scripts / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call}\n', encoding="utf-8")
        script.chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": import_path(),
        "STEADYRANK": "from steadyrank_builder.cli import main; main()",
    }


def import_path() -> str:
    """A PYTHONPATH on which a new process finds what this one finds."""
    return os.pathsep.join([str(ROOT / "plugin"), str(ROOT / "index_builder")])


def matches(expected: str, printed: str) -> bool:
    """Whether the text is as expected, with ``...`` for what may differ."""
    lines = [line.rstrip() for line in expected.strip().splitlines()]
    pattern = "\n".join(
        "(?:.*\n?)*" if line.strip() == "..." else re.escape(line).replace(re.escape("..."), ".*")
        for line in lines
    )
    pattern = pattern.replace("(?:.*\n?)*\n", "(?:.*\n)*")
    shown = "\n".join(line.rstrip() for line in printed.strip().splitlines())
    return re.fullmatch(pattern, shown) is not None
