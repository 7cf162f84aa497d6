"""How many of an index's answers are decided by how it happens to be stored."""

from steadyrank_builder.auditing.audit import audit_index
from steadyrank_builder.auditing.options import AuditOptions

__all__ = ["AuditOptions", "audit_index"]
