"""Puts what ``steadyrank demo`` prints into README.md: ``python tools/readme_demo.py``.

The page shows a screen of it: of the first part the last line, of the questions the first, and
all of the comparison. ``...`` stands for what was left out and for the rest of a digest.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "README.md"
BLOCK = re.compile(r"(?<=^```text demo\n).*?(?=^```$)", re.M | re.S)


def demo() -> str:
    """What the demo prints, run from the checkout."""
    path = f"{ROOT / 'plugin'}:{ROOT / 'index_builder'}"
    code = "from steadyrank_builder.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, "demo"],
        cwd=ROOT,
        env={"PYTHONPATH": path, "PYTHONHASHSEED": "0"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout


def shown(printed: str) -> str:
    """The part of the demo's output that the page shows."""
    build, questions, comparison = re.split(r"^(?=[23]\. )", printed, flags=re.M)
    published = [line for line in build.splitlines() if line.strip().startswith("published")]
    end = re.sub(r"(sha256:).*", r"\1...", published[0])
    first_question = questions.strip().split("\n\n")[:2]
    parts = [
        build.splitlines()[0] + "\n...\n" + end,
        "\n\n".join(first_question) + "\n...",
        comparison.strip(),
    ]
    return "\n\n".join(parts).replace("...\n\n3.", "...\n3.") + "\n"


def main() -> int:
    page = PAGE.read_text(encoding="utf-8")
    if len(BLOCK.findall(page)) != 1:
        print("README.md: not exactly one 'text demo' block", file=sys.stderr)
        return 1
    text = shown(demo())
    PAGE.write_text(BLOCK.sub(lambda _: text, page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
