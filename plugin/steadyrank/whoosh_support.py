"""The one place that says what to do when no Whoosh is there."""

from __future__ import annotations

from steadyrank.errors import WhooshMissingError


def require_whoosh() -> None:
    """WhooshMissingError, in one sentence that names the extras, unless whoosh can be imported."""
    try:
        import whoosh.index  # noqa: F401 - a broken installation has whoosh but not this
    except ImportError as error:
        raise WhooshMissingError(
            "no usable Whoosh is installed: install one of the extras "
            "'steadyrank[whoosh]', 'steadyrank[whoosh-reloaded]' or 'steadyrank[whoosh3]' "
            "(exactly one; pip install --force-reinstall mends a mixed installation)"
        ) from error
