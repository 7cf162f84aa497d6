"""From sources to the documents of the index: every record accounted for, order-free.

``take_in`` is the one way in. What comes out depends on the sources and not on the order in
which they were named.
"""

from steadyrank_builder.intake.accounts import SourceAccount
from steadyrank_builder.intake.reading import Earlier
from steadyrank_builder.intake.settling import Intake
from steadyrank_builder.intake.take_in import take_in

__all__ = ["Earlier", "Intake", "SourceAccount", "take_in"]
