"""Any Whoosh index as one segment in id order, with every posting as it was.

For an index whose material is gone and whose fields are not all stored. What is written depends
on the live documents and on nothing else: not on segments, deleted leftovers or the order in which
documents once came. ``content`` reads, ``writing`` writes, ``digesting`` proves that both agree.
"""

from steadyrank_builder.canonical.content import Content
from steadyrank_builder.canonical.digesting import Digests, digests
from steadyrank_builder.canonical.ids import Ordered, in_id_order
from steadyrank_builder.canonical.writing import write_segment

__all__ = ["Content", "Digests", "Ordered", "digests", "in_id_order", "write_segment"]
