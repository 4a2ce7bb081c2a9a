"""The number of files and connections that this process may have open."""

from __future__ import annotations

import contextlib
import resource

_MOST = 2**20
"""Where the hard limit is higher still, some programs that inherit it take seconds to close what is not open."""


def raise_descriptor_limit() -> int:
    """Raise the soft limit to the hard one, as far as the system allows, and return the limit that holds now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if soft == resource.RLIM_INFINITY else soft
