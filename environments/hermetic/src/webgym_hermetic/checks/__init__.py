"""Hermetic sites combined with the browser fleet: exactly judged attempts, site checks, and the gallery."""
