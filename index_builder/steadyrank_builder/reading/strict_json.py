"""JSON that means one thing: no duplicate keys, no NaN or infinity, no half characters."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.reading.ids import is_encodable


class JsonError(Exception):
    """Why a text is not the JSON we take.

    ``code`` is ``json`` for text that is no JSON, else ``too-deep``, ``duplicate-key`` or
    ``bad-value``;
    ``position`` is an offset in the text, where it is known. ``syntax`` says that nothing
    after the fault can be found again.
    """

    def __init__(self, code: str, message: str, position: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.position = position
        self.syntax = code in ("json", "too-deep")


def parse(text: str) -> Any:
    """The value of one JSON text. Raises JsonError."""
    value, end = _raw_decode(text, _skip(text, 0))
    end = _skip(text, end)
    if end < len(text):
        raise JsonError("json", "text after the end of the value", end)
    return value


@dataclass(frozen=True)
class Element:
    """One element of an array: its value, or why it has none, and where it stands."""

    value: Any
    error: JsonError | None
    start: int
    end: int


def array_start(text: str, path: str) -> int | None:
    """Offset of the ``[`` of the array under ``path``: keys joined by dots, empty for the top.

    None where there is none. The text must be known to be JSON.
    """
    here = _skip(text, 0)
    for key in path.split(".") if path else ():
        found = _member(text, here, key)
        if found is None:
            return None
        here = found
    return here if text[here : here + 1] == "[" else None


def _member(text: str, here: int, key: str) -> int | None:
    """Offset of the value of ``key`` in the object that starts at ``here``."""
    if text[here : here + 1] != "{":
        return None
    here = _skip(text, here + 1)
    while text[here] != "}":
        name, here = json.decoder.scanstring(text, here + 1)  # type: ignore[attr-defined]
        here = _skip(text, _skip(text, here) + 1)  # past the colon
        if name == key:
            return here
        _, here = _LOOSE.raw_decode(text, here)
        here = _skip(text, here)
        if text[here] == ",":
            here = _skip(text, here + 1)
    return None


def elements(text: str, start: int) -> Iterator[Element]:
    """The elements of the array whose ``[`` is at ``start``; the text must be known to be JSON."""
    here = _skip(text, start + 1)
    while text[here] != "]":
        try:
            value, end = _raw_decode(text, here)
            yield Element(value, None, here, end)
        except JsonError as error:
            _, end = _LOOSE.raw_decode(text, here)
            yield Element(None, error, here, end)
        here = _skip(text, end)
        if text[here] == ",":
            here = _skip(text, here + 1)


def check_syntax(text: str) -> Any:
    """The value, loosely read, of a text that is JSON by its syntax. Raises JsonError."""
    try:
        here = _skip(text, 0)
        value, end = _LOOSE.raw_decode(text, here)
    except json.JSONDecodeError as error:
        raise JsonError("json", error.msg, error.pos) from None
    except (RecursionError, ValueError) as error:
        raise _other(error) from None
    end = _skip(text, end)
    if end < len(text):
        raise JsonError("json", "text after the end of the value", end)
    return value


def _raw_decode(text: str, start: int) -> tuple[Any, int]:
    try:
        value, end = _STRICT.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise JsonError("json", error.msg, error.pos) from None
    except (RecursionError, ValueError) as error:
        raise _other(error) from None
    # Escapes are the only way in for a lone surrogate, so most texts need no second look.
    if _ESCAPED_SURROGATE.search(text, start, end) and not is_encodable(_flat(value)):
        raise JsonError("bad-value", "an escape for half a character (a lone surrogate)")
    return value, end


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _other(error: Exception) -> JsonError:
    if isinstance(error, JsonError):
        return error
    if isinstance(error, RecursionError):
        return JsonError("too-deep", "nested too deeply to be read")
    return JsonError("bad-value", str(error).partition(";")[0])


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = min(name for name, count in counted.items() if count > 1)
        raise _RefusedError(
            "duplicate-key", f"the key {twice!r} stands more than once in an object"
        )
    return value


class _RefusedError(JsonError, ValueError):
    """Raised inside the decoder."""


def _constant(name: str) -> Any:
    raise _RefusedError("bad-value", f"{name} is not JSON and has no place in an order")


def _float(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise _RefusedError("bad-value", f"the number {digits} is too large")
    return value


_SPACE = re.compile(r"[ \t\r\n]*")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_STRICT = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
_LOOSE = json.JSONDecoder(parse_int=str)


def _skip(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start
