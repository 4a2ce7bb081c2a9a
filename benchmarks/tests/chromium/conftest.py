"""Chromium and its sessions, as the integration tests of the core have them."""

from __future__ import annotations

from tests.integration.conftest import anyio_backend, bare_chromium, chromium, pages, session, site, tab

__all__ = ["anyio_backend", "bare_chromium", "chromium", "pages", "session", "site", "tab"]
