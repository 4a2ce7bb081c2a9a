"""Hermetic sites and the browser fleet together: attempts with exact verdicts, the sites' check, their gallery."""
