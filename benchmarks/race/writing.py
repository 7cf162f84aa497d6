"""Saves 100 documents again and commits, twice a second: python -m race.writing FOLDER.

Until its input ends; prints a line for each commit. Segments merge as Whoosh has it.
"""

from __future__ import annotations

import random
import select
import sys

from whoosh import index


def main() -> None:
    opened = index.open_dir(sys.argv[1])
    chance = random.Random(5)
    with opened.reader() as reader:
        ids = [stored["id"] for stored in reader.all_stored_fields()]
        words = [term.decode() for term in list(reader.lexicon("text"))[:5000]]
    while True:
        writer = opened.writer()
        for id in chance.sample(ids, 100):
            text = " ".join(chance.sample(words, 40))
            writer.update_document(id=id, kind="other", title=chance.choice(words), text=text)
        writer.commit()
        print("committed", flush=True)
        if select.select([sys.stdin], [], [], 0.5)[0]:
            return


if __name__ == "__main__":
    main()
