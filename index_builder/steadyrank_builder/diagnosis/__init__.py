"""What may be wrong around an index: the installation, the index, its statistics."""

from steadyrank_builder.diagnosis.diagnose import Diagnosis, diagnose
from steadyrank_builder.diagnosis.finding import Finding

__all__ = ["Diagnosis", "Finding", "diagnose"]
