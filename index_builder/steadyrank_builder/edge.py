"""Where errors become exit codes, once, for every command.

0 fine, 1 failed, 2 usage or bad input, 3 a check found what it looks for, 4 locked, 130 stopped
by Ctrl-C. One line on stderr says why; a traceback reaches nobody. Where nobody reads on, a command
ends without a word: with 0, but one that gives a verdict with 1, since unread is not passed.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from steadyrank.errors import PolicyError, SteadyRankError
from steadyrank_builder.failures import (
    AccountingError,
    GuardError,
    LockedError,
    ManifestError,
    StaleGenerationError,
    WrittenIndexError,
)
from steadyrank_builder.output import note

FAILED = 1
BAD_INPUT = 2
FOUND = 3
LOCKED = 4
INTERRUPTED = 130

# Commands whose exit code is a verdict.
_VERDICTS = {"audit", "check", "compare", "diff", "doctor", "evaluate", "replay", "verify"}

# What went wrong in the work; any other error of ours is about what was given to work on.
_FAILURES = (AccountingError, ManifestError, StaleGenerationError, WrittenIndexError)


def exit_code(error: SteadyRankError) -> int:
    """The exit code that ``error`` ends a command with."""
    if isinstance(error, LockedError):
        return LOCKED
    if isinstance(error, GuardError):
        return FOUND
    if isinstance(error, _FAILURES):
        return FAILED
    if isinstance(error, (ValueError, KeyError, LookupError, FileNotFoundError, PolicyError)):
        return BAD_INPUT
    return FAILED


class EdgeGroup(click.Group):
    """A group that turns errors into a line and an exit code."""

    _called: str | None = None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """As ``click.Group.main``; the process always ends with one of the codes above."""
        if sys.stderr is None:  # closed by whoever started us
            sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        try:
            return super().main(*args, **kwargs)
        except BrokenPipeError:
            _drop_stdout()
            sys.exit(_unread(self._called))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's; the name is kept for what is flushed at the very end."""
        found = super().resolve_command(ctx, args)
        self._called = found[0]
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand and convert what it raises."""
        try:
            with _warnings_in_a_line():
                return super().invoke(ctx)
        except SteadyRankError as error:
            _say(str(error))
            ctx.exit(exit_code(error))
        except BrokenPipeError:
            _drop_stdout()
            ctx.exit(_unread(self._called))
        except KeyboardInterrupt:
            _stopped(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            _say(f"{where}{error.strerror or error}{_what_helps(error)}")
            _drop_unwritten()
            ctx.exit(FAILED)
        except Exception as error:
            if os.environ.get("STEADYRANK_TRACEBACK"):
                raise
            if _interrupted(error):
                _stopped(ctx)
            _say(
                f"Unexpected: {type(error).__name__}: {error}. This is a bug; please report it "
                "with what STEADYRANK_TRACEBACK=1 prints."
            )
            ctx.exit(FAILED)


@contextmanager
def _warnings_in_a_line() -> Iterator[None]:
    # Python's form names a place in our code, and repeats what the index says unescaped.
    before = warnings.showwarning

    def shown(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__.partition(".")[0] == "steadyrank":  # its class may need Whoosh
            note(f"Warning: {message}")
        else:
            before(message, category, *place, **more)

    warnings.showwarning = shown
    try:
        yield
    finally:
        warnings.showwarning = before


def _what_helps(error: OSError) -> str:
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return ""
    place = tempfile.gettempdir()
    return f". Make room beside the index, and in {place} (TMPDIR) for temporary files"


def _unread(command: str | None) -> int:
    return FAILED if command in _VERDICTS else 0


def _stopped(ctx: click.Context) -> NoReturn:
    _say("Stopped. What was live still is.")
    ctx.exit(INTERRUPTED)


def _interrupted(error: BaseException | None) -> bool:
    # Some imports raise an error of their own from whatever stops them.
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _say(message: str) -> None:
    note(f"Error: {message}")


def _drop_unwritten() -> None:
    """No word of files that cannot be written at the end either: their error has been told.

    Whoosh leaves temporary files open, and from Python 3.13 on closing them says so.
    """
    before = sys.unraisablehook

    def told(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, OSError):
            before(unraisable)

    sys.unraisablehook = told


def _drop_stdout() -> None:
    """Send what is still buffered nowhere, or the interpreter complains at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
