"""Which names a pickle of a Whoosh index may use, and a scan that finds others unexecuted.

Unpickling imports what the pickle names and calls it, so a pickle can do whatever its author
likes. ``pickletools.genops`` walks the opcodes without executing any. What is allowed is what
schemas, analyzers and segments of Whoosh and of ours consist of: classes of certain modules, and
a few plain functions. A function of those modules that is not listed is refused as well.
"""

from __future__ import annotations

import pickletools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

# Plain names, by what the pickles of the three distributions were seen to have.
_NAMES = frozenset(
    {
        "copyreg _reconstructor",
        "copy_reg _reconstructor",
        "builtins object",
        "builtins set",
        "builtins frozenset",
        "builtins int",
        "builtins float",
        "builtins str",
        "builtins bytearray",
        "builtins complex",
        "builtins list",
        "builtins dict",
        "builtins tuple",
        "__builtin__ object",
        "__builtin__ set",
        "__builtin__ frozenset",
        "__builtin__ int",
        "__builtin__ long",
        "__builtin__ float",
        "__builtin__ unicode",
        "__builtin__ bytes",
        "__builtin__ bytearray",
        "_codecs encode",
        "collections defaultdict",
        "collections OrderedDict",
        "array array",
        "array _array_reconstructor",
        "re _compile",
        "datetime datetime",
        "datetime date",
        "datetime time",
        "datetime timedelta",
        "decimal Decimal",
        "whoosh.lang.porter stem",
        "whoosh.lang.porter2 stem",
        "whoosh.lang.paicehusk stem",
        "whoosh.codec.whoosh3 W3Codec",
        "whoosh.codec.whoosh3 W3Segment",
    }
)
# Modules of which every class may be used (a name with a capital, without a dot).
_MODULES = (
    "whoosh.fields",
    "whoosh.formats",
    "whoosh.columns",
    "whoosh.analysis",
    "whoosh.lang.snowball",
    "steadyrank.analysis",
    "steadyrank.schema",
)
_STRINGS = frozenset(
    {"UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "STRING", "SHORT_BINSTRING"}
)
_GETS = frozenset({"GET", "BINGET", "LONG_BINGET"})
_PUTS = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
_SILENT = frozenset({"PROTO", "FRAME"})
_OUTSIDE = frozenset({"EXT1", "EXT2", "EXT4", "PERSID", "BINPERSID"})


def is_allowed(module: str, name: str, own: Collection[str] = ()) -> bool:
    """Whether a pickle may use ``name`` of ``module``.

    ``own`` has what the index's owner vouches for, as ``module.name``.
    """
    if f"{module} {name}" in _NAMES or is_own(module, name, own):
        return True
    inside = any(module == allowed or module.startswith(f"{allowed}.") for allowed in _MODULES)
    return inside and name.isidentifier() and name.lstrip("_")[:1].isupper()


def is_own(module: str | None, name: str, own: Collection[str]) -> bool:
    """Whether ``own`` has just this name: not a part of it, nor an attribute of what it has."""
    return module is not None and "." not in name and f"{module}.{name}" in own


@dataclass
class _Strings:
    """The strings that are certainly on top of the unpickler's stack, and the memo.

    What is not certain is None, and a name made of it is refused. A pickler pushes module and
    name right before it uses them, so certainty costs no honest pickle anything; a pickle that
    pushes, pops and duplicates to make a scanner see other strings is refused.
    """

    top: list[str | None] = field(default_factory=list)
    memo: dict[int, str | None] = field(default_factory=dict)

    def follow(self, code: str, argument: object) -> None:
        if code in _STRINGS:
            self.top.append(str(argument))
        elif code in _GETS:
            self.top.append(self.memo.get(int(str(argument))))
        elif code == "MEMOIZE":
            self.memo[len(self.memo)] = self.top[-1] if self.top else None
        elif code in _PUTS:
            self.memo[int(str(argument))] = self.top[-1] if self.top else None
        elif code not in _SILENT:
            self.top.clear()


def forbidden_names(data: bytes, own: Collection[str] = ()) -> tuple[list[str], int]:
    """The names that the pickle at the start of ``data`` may not use, and the pickle's length.

    ``own`` are further names that it may use. ValueError where there is no well-formed pickle.
    """
    forbidden: list[str] = []
    end = 0
    for module, name, position in uses(data):
        end = position
        if module is None:
            if name:
                forbidden.append(name)
        elif not is_allowed(module, name, own):
            forbidden.append(f"{module}.{name}")
    return forbidden, end


def uses(data: bytes) -> Iterator[tuple[str | None, str, int]]:
    """Module, name and position behind it of everything that a pickle would look up.

    Without a module: a sentence on what cannot be told, or "" at the end of the pickle.
    ValueError, after what stands before it, where the pickle is not well-formed.
    """
    strings = _Strings()
    end = 0
    for opcode, argument, position in pickletools.genops(data):
        code = opcode.name
        end = (position or 0) + 1
        if code in ("GLOBAL", "INST"):
            module, _, name = str(argument).partition(" ")
            yield module, name, end
        elif code == "STACK_GLOBAL":
            below, top = ([None, None, *strings.top])[-2:]
            if below is None or top is None:
                yield None, "a name put together by the pickle itself", end
            else:
                yield below, top, end
        elif code in _OUTSIDE:
            yield None, f"opcode {code}", end
        strings.follow(code, argument)
    yield None, "", end
