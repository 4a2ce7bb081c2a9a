"""Self-contained web pages in one file."""

from __future__ import annotations

import base64
import hashlib
import html

_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
{script}</body>
</html>
"""


def standalone_page(title: str, style: str, body: str, script: str = "") -> str:
    """Return the page as HTML. Its policy forbids loading anything, and any style or script but the given ones."""
    may_run = f"script-src {_hash(script)}; " if script else ""
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; {may_run}img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    ending = f"<script>{script}</script>\n" if script else ""
    return _SHELL.format(policy=policy, title=html.escape(title), style=style, body=body, script=ending)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
