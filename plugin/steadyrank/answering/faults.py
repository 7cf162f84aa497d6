"""What is wrong with settings, all of it, in words."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from steadyrank.errors import SteadyRankError


class SettingsError(SteadyRankError, ValueError):
    """Settings that cannot be used. The message lists all that is wrong; ``faults`` has each."""

    def __init__(self, *faults: str) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults

    def within(self, place: str) -> SettingsError:
        """The same faults with the file or case they are in, said once in front."""
        first, *rest = self.faults
        return SettingsError(f"{place}: {first}", *rest)


def faults_of(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Each fault with its place and, for an unknown key, the nearest known one."""
    found = []
    for fault in error.errors():
        place = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            known = _keys_at(model, fault["loc"][:-1])
            near = difflib.get_close_matches(str(fault["loc"][-1]), known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f" (known: {', '.join(known)})"
            found.append(f"unknown setting {place!r}{hint}")
        else:
            message = fault["msg"].removeprefix("Value error, ")
            got = f", got {fault['input']!r}" if place else ""
            found.append(f"{place or 'settings'}: {message}{got}")
    return found


def _keys_at(model: Any, place: Sequence[int | str]) -> list[str]:
    for part in place:
        if isinstance(part, int):
            continue
        annotation = model.model_fields[part].annotation
        inner = [
            kind
            for kind in (annotation, *getattr(annotation, "__args__", ()))
            if isinstance(kind, type) and issubclass(kind, BaseModel)
        ]
        if not inner:
            return []
        model = inner[0]
    return sorted(model.model_fields)
