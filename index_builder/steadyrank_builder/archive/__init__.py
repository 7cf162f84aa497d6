"""What every source was read as, kept beside the index, so that an update need not read it again.

The outcomes themselves are kept, before duplicates are decided and links resolved, since both
depend on what the other sources hold. An update that reads some sources and replays the others
then takes the same way as a build, and comes to the same index by construction.
"""

from steadyrank_builder.archive.reading import replay
from steadyrank_builder.archive.writing import Archive, Block

__all__ = ["Archive", "Block", "replay"]
