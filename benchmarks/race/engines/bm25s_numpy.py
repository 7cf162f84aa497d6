"""bm25s with its numpy backend. It has one field, so title and text are indexed together."""

from __future__ import annotations

import json
from pathlib import Path

import bm25s
import numpy as np

from race.corpus import Doc
from race.question import Question


class Bm25s:
    """Its own scores over title and text as one field; it has no AND and no phrases."""

    name = "bm25s, numpy"
    index = "bm25s"

    def __init__(self, folder: Path) -> None:
        self.model = bm25s.BM25.load(str(folder / self.index), mmap=True)
        self.ids, kinds = json.loads((folder / self.index / "ids.json").read_text("utf-8"))
        self.kinds = np.array(kinds)
        self._masks: dict[str, np.ndarray] = {}

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        model = bm25s.BM25(method="lucene", backend="numpy")
        model.index([f"{d.title} {d.text}".split() for d in docs], show_progress=False)
        model.save(str(folder), show_progress=False)
        content = [[doc.id for doc in docs], [doc.kind for doc in docs]]
        (folder / "ids.json").write_text(json.dumps(content), "utf-8")

    def top(self, question: Question) -> list[str]:
        flat = question.flat()
        if flat is None or flat[1] != "or" or question.per_kind is not None:
            raise NotImplementedError("bm25s takes words, any of which may match")
        mask = None
        if question.kind is not None:
            if question.kind not in self._masks:
                self._masks[question.kind] = (self.kinds == question.kind).astype(np.float32)
            mask = self._masks[question.kind]
        found, _ = self.model.retrieve(
            [flat[0]], k=question.k, show_progress=False, n_threads=0, weight_mask=mask
        )
        return [self.ids[int(number)] for number in found[0]]

    def close(self) -> None:
        pass
