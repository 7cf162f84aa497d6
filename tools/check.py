"""Everything a contributor runs before a commit, in one command: ``python tools/check.py``.

Names of steps run only those: ``python tools/check.py lint types``. Every step runs even when an
earlier one failed; the last line says which failed. Exit code 0: all passed, 1: some failed,
2: there is no such step.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Tools are started as modules of this Python, so that no other environment's are picked up.
STEPS = {
    "lint": [sys.executable, "-m", "ruff", "check", "."],
    "format": [sys.executable, "-m", "ruff", "format", "--check", "."],
    "types": [sys.executable, "-m", "mypy"],
    "imports": [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as run; run()",
    ],
    "cli-reference": [sys.executable, "tools/cli_reference.py", "--check"],
    "tests": [sys.executable, "-m", "pytest"],
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(
            f"no such step: {', '.join(unknown)} (there are: {', '.join(STEPS)})", file=sys.stderr
        )
        return 2
    # The packages are found without an installation too.
    path = os.pathsep.join([str(ROOT / "plugin"), str(ROOT / "index_builder")])
    environment = {**os.environ, "PYTHONPATH": path}
    failed = []
    for name in names or STEPS:
        print(f"== {name}: {' '.join(STEPS[name][1:])}", flush=True)
        start = time.monotonic()
        code = subprocess.run(STEPS[name], cwd=ROOT, env=environment).returncode
        took = time.monotonic() - start
        print(
            f"-- {name}: {'passed' if code == 0 else f'FAILED ({code})'}, {took:.1f} s", flush=True
        )
        if code:
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
