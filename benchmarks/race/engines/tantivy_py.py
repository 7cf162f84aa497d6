"""tantivy-py, as it comes, and built by one thread in order of ids."""

from __future__ import annotations

from pathlib import Path

import tantivy

from race.corpus import Doc
from race.question import Question, Tree

_FIELDS = ("title", "text")


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("kind", tokenizer_name="raw")
    for field in _FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace")
    return builder.build()


class Default:
    """Documents in the order given, as many threads as it likes."""

    name = "tantivy-py"
    index = "tantivy"

    def __init__(self, folder: Path) -> None:
        self.schema = _schema()
        index = tantivy.Index(self.schema, path=str(folder / self.index))
        index.reload()
        self.searcher = index.searcher()

    @classmethod
    def build(cls, docs: list[Doc], folder: Path) -> None:
        folder.mkdir()
        index = tantivy.Index(_schema(), path=str(folder))
        writer = cls.writer(index)
        for doc in cls.in_order(docs):
            writer.add_document(
                tantivy.Document(id=[doc.id], kind=[doc.kind], title=[doc.title], text=[doc.text])
            )
        writer.commit()
        writer.wait_merging_threads()

    @staticmethod
    def writer(index: tantivy.Index) -> tantivy.IndexWriter:
        return index.writer(heap_size=512_000_000)

    @staticmethod
    def in_order(docs: list[Doc]) -> list[Doc]:
        return docs

    def tree_of(self, tree: Tree) -> tantivy.Query:
        operator, *parts = tree
        query, occur = tantivy.Query, tantivy.Occur
        if operator == "word":
            return query.boolean_query(
                [(occur.Should, query.term_query(self.schema, f, parts[0])) for f in _FIELDS]
            )
        if operator == "phrase":
            return query.boolean_query(
                [(occur.Should, query.phrase_query(self.schema, f, parts)) for f in _FIELDS]
            )
        if operator == "or":
            flat = []
            for part in parts:
                if part[0] == "word":
                    flat += [query.term_query(self.schema, f, part[1]) for f in _FIELDS]
                else:
                    flat.append(self.tree_of(part))
            return query.boolean_query([(occur.Should, one) for one in flat])
        made = [self.tree_of(part) for part in parts]
        second = occur.MustNot if operator == "not" else occur.Must
        return query.boolean_query([(occur.Must, made[0]), *((second, one) for one in made[1:])])

    def top(self, question: Question) -> list[str]:
        if question.per_kind is not None:
            raise NotImplementedError("tantivy-py has no limit per kind")
        query = self.tree_of(question.tree)
        if question.kind is not None:
            kind = tantivy.Query.term_query(self.schema, "kind", question.kind)
            kept = tantivy.Query.const_score_query(kind, 0.0)
            query = tantivy.Query.boolean_query(
                [(tantivy.Occur.Must, query), (tantivy.Occur.Must, kept)]
            )
        hits = self.searcher.search(query, limit=question.k, count=False).hits
        return [self.searcher.doc(address)["id"][0] for _, address in hits]

    def close(self) -> None:
        pass


class InIdOrder(Default):
    """One thread, documents in order of ids: equal scores come by number, which is by id."""

    name = "tantivy-py, built in id order"
    index = "tantivy-id-order"

    @staticmethod
    def writer(index: tantivy.Index) -> tantivy.IndexWriter:
        return index.writer(heap_size=1_000_000_000, num_threads=1)

    @staticmethod
    def in_order(docs: list[Doc]) -> list[Doc]:
        return sorted(docs, key=lambda doc: doc.id)
