"""What ``steadyrank evaluate`` does beyond judging: whether the guard can fail, and rebuilds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from steadyrank.measure import Golden, Run
    from steadyrank_builder.evaluation import Asked
    from steadyrank_builder.proving import Proof, Rebuilt
    from steadyrank_builder.runs import Way


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checks found; None where one was not asked for."""

    proof: Proof | None = None
    rebuilt: Rebuilt | None = None

    @property
    def holds(self) -> bool:
        """Whether there is nothing to complain of."""
        return all(one is None or one.holds for one in (self.proof, self.rebuilt))

    def to_dict(self) -> dict[str, Any]:
        """For JSON, beside an evaluation's."""
        found: dict[str, Any] = {} if self.proof is None else self.proof.to_dict()
        return found if self.rebuilt is None else found | {"rebuild": self.rebuilt.to_dict()}

    def lines(self) -> Iterator[str]:
        """For people."""
        from steadyrank_builder.commands.prove_text import proof_lines, rebuilt_lines

        if self.proof is not None:
            yield from proof_lines(self.proof)
        if self.rebuilt is not None:
            yield from rebuilt_lines(self.rebuilt)


@dataclass(frozen=True, slots=True)
class Checks:
    """Which checks the options ask for."""

    prove: bool = False
    fresh: Path | None = None
    rebuild: int = 0
    material: tuple[Path, ...] = field(default=())

    def __bool__(self) -> bool:
        return self.prove or self.rebuild > 0

    def done(
        self,
        folder: Path,
        golden: Path,
        way: Way,
        over: Mapping[str, Any] | None,
        asked: Asked,
    ) -> Checked:
        """Proves and rebuilds what was asked in ``folder``."""
        from steadyrank_builder.evaluation import golden_asker
        from steadyrank_builder.proving import MUTATIONS, prove, rebuild

        def ask_in(index: Path) -> Callable[[Golden], Run]:
            def ask(cases: Golden) -> Run:
                with golden_asker(index, golden, way, over=over, golden=cases) as asker:
                    return asker.run()

            return ask

        def again(index: Path, backwards: bool) -> Run:
            order: Any = reversed if backwards else iter
            with golden_asker(index, golden, way, over=over, golden=asked.golden) as asker:
                return asker.run(order)

        proof = rebuilt = None
        if self.prove:
            with _steps("proving", len(MUTATIONS)) as step:
                proof = prove(
                    asked.golden,
                    ask_in(folder),
                    run=asked.run,
                    fresh=None if self.fresh is None else ask_in(self.fresh),
                    tick=step,
                )
        if self.rebuild:
            with _steps("rebuilding", 2 * self.rebuild) as step:
                rebuilt = rebuild(folder, asked.run, again, self.rebuild, self.material, tick=step)
        return Checked(proof, rebuilt)


def check_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--prove`` and ``--rebuild``; the command gets them as one ``checks``."""

    @wraps(command)
    def function(
        *arguments: Any,
        prove: bool,
        fresh: Path | None,
        rebuild: int | None,
        material: tuple[Path, ...],
        **others: Any,
    ) -> Any:
        if fresh is not None and not prove:
            raise click.UsageError("--fresh is for --prove: give both")
        if material and not rebuild:
            raise click.UsageError("--material is for --rebuild: give both")
        checks = Checks(prove, fresh, rebuild or 0, material)
        if checks and others.get("update"):
            raise click.UsageError("--update changes what is expected: prove and rebuild after it")
        return command(*arguments, checks=checks, **others)

    for option in reversed(_options()):
        function = option(function)
    return function


def _options() -> list[Callable[..., Any]]:
    path = click.Path(path_type=Path)
    return [
        click.option(
            "--prove", is_flag=True,
            help="Show that the cases can fail: get expectations and order wrong, and see.",
        ),
        click.option(
            "--fresh", type=path, metavar="DIR",
            help="With --prove: a later index, which pinned statistics are tried on.",
        ),
        click.option(
            "--rebuild", type=click.IntRange(min=1), metavar="N",
            help="Build the index N times in other layouts; any byte of difference fails.",
        ),
        click.option(
            "--material", type=path, multiple=True, metavar="PATH",
            help="With --rebuild: what DIR was built from. Repeat. (What DIR records.)",
        ),
    ]  # fmt: skip


@contextmanager
def _steps(label: str, count: int) -> Iterator[Callable[[str], None]]:
    # A bar on stderr, for people only. A step is told when it begins.
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    with click.progressbar(length=count, label=label, file=sys.stderr) as bar:
        begun = False

        def step(name: str) -> None:
            nonlocal begun
            bar.update(int(begun))
            begun = True

        yield step
        bar.update(1)
