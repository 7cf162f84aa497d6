"""tantivy-py, as it comes, and built by one thread in order of ids."""

from __future__ import annotations

from pathlib import Path

import tantivy

from race.corpus import Doc


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    # "freq" keeps frequencies and no positions, as the others do.
    builder.add_text_field("title", tokenizer_name="whitespace", index_option="freq")
    builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


class Default:
    """Documents in the order given, as many threads as it likes."""

    name = "tantivy-py"
    ordered = False
    folder_name = "tantivy"

    def __init__(self, folder: Path) -> None:
        self.schema = _schema()
        index = tantivy.Index(self.schema, path=str(folder / self.folder_name))
        index.reload()
        self.searcher = index.searcher()

    @classmethod
    def build(cls, docs: list[Doc], folder: Path) -> None:
        path = folder / cls.folder_name
        if path.exists():
            return
        path.mkdir()
        index = tantivy.Index(_schema(), path=str(path))
        writer = cls.writer(index)
        for doc in cls.in_order(docs):
            writer.add_document(tantivy.Document(id=[doc.id], title=[doc.title], text=[doc.text]))
        writer.commit()
        writer.wait_merging_threads()

    @staticmethod
    def writer(index: tantivy.Index) -> tantivy.IndexWriter:
        return index.writer(heap_size=512_000_000)

    @staticmethod
    def in_order(docs: list[Doc]) -> list[Doc]:
        return docs

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        occur = tantivy.Occur.Must if operator == "and" else tantivy.Occur.Should
        parts = []
        for word in words:
            either = [
                (tantivy.Occur.Should, tantivy.Query.term_query(self.schema, field, word))
                for field in ("title", "text")
            ]
            if operator == "and":
                parts.append((occur, tantivy.Query.boolean_query(either)))
            else:
                parts += either
        query = tantivy.Query.boolean_query(parts)
        hits = self.searcher.search(query, limit=k, count=False).hits
        return [self.searcher.doc(address)["id"][0] for _, address in hits]

    def close(self) -> None:
        pass


class InIdOrder(Default):
    """One thread, documents in order of ids: equal scores come by number, which is by id."""

    name = "tantivy-py, built in id order"
    ordered = True
    folder_name = "tantivy-id-order"

    @staticmethod
    def writer(index: tantivy.Index) -> tantivy.IndexWriter:
        return index.writer(heap_size=1_000_000_000, num_threads=1)

    @staticmethod
    def in_order(docs: list[Doc]) -> list[Doc]:
        return sorted(docs, key=lambda doc: doc.id)
