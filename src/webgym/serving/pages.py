"""Web pages for a single user: protected by a token, a strict content security policy, and isolation from other sites.

The pages show untrusted content from websites and models. So only the package's own files may run or be loaded, the
browser refuses markup made from text (trusted types), and other sites can neither call, embed nor frame the pages.
"""

from __future__ import annotations

import hmac
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webgym.errors import ConfigError
from webgym.serving.bearer import bears, digest
from webgym.serving.strangers import admit

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Host names by which a browser reaches this machine, directly or through a tunnel."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_WITHOUT_TOKEN = "Open the link that the command printed: it holds the token that this page needs."  # noqa: S105 - says where it is
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class PageGuard:
    """ASGI middleware that admits requests with the token and adds the security headers to every response.

    `/?token=…` sets a cookie that other sites' requests do not carry and scripts cannot read. The page is served at
    that URL rather than redirected to, because a browser that follows a link from another site would not send the new
    cookie along; the page then removes the token from the address bar. Programs send `Authorization: Bearer …`.
    """

    def __init__(self, app: ASGIApp, *, token: str, name: str, hosts: tuple[str, ...] = LOOPBACK) -> None:
        self._app = app
        self._token = token
        self._digest = digest(token)
        # Cookies ignore the port: the names must differ between pages of several commands on one machine.
        self._cookie = f"webgym_{name}_{self._digest[:8]}"
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ConfigError(f"pages are served over HTTP, not {scope['type']}")
        headers = Headers(scope=scope)
        brings_token = scope["path"] == "/" and self._in_query(scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    sent[name] = value
                sent.setdefault("cache-control", "no-store")
                if brings_token:
                    sent.append("set-cookie", f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict")
            await send(message)

        refusal = self._refusal(scope, headers, brings_token)
        if refusal is None:
            admit(scope)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers, brings_token: bool) -> Response | None:
        if _host_name(headers.get("host", "")) not in self._hosts:
            return PlainTextResponse("This server does not accept that host name.", 421)  # DNS rebinding
        if scope["path"] != "/" and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return PlainTextResponse("Requests from other sites are not allowed.", 403)
        if brings_token or self._in_cookie(headers) or bears(headers.get("authorization"), self._digest):
            return None
        return PlainTextResponse(_WITHOUT_TOKEN, 401)

    def _in_query(self, scope: Scope) -> bool:
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return self._is_token(given)

    def _in_cookie(self, headers: Headers) -> bool:
        found = cookie_parser(headers.get("cookie", "")).get(self._cookie)
        return found is not None and self._is_token(found)

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(digest(given), self._digest)


def _host_name(host: str) -> str:
    """Return a Host header without its port."""
    end = host.rfind("]") + 1
    colon = host.find(":", end)
    return host[:colon].lower() if colon >= 0 else host.lower()


class PageFiles:
    """The files of a page, read into memory once. No request ever reads a path from disk."""

    def __init__(self, folder: Path) -> None:
        self._files = {
            path.relative_to(folder).as_posix(): (path.read_bytes(), _TYPES[path.suffix])
            for path in sorted(folder.rglob("*"))
            if path.suffix in _TYPES
        }

    def response(self, name: str) -> Response:
        """Return the file, or a 404 response."""
        if name not in self._files:
            return PlainTextResponse("There is no such file.", 404)
        data, media_type = self._files[name]
        return Response(data, media_type=media_type, headers={"cache-control": "no-cache"})


def tunnel_command(port: int, connection: str, user: str) -> str:
    """Return the SSH command to run on the user's machine to reach a port here; empty if `connection` is invalid."""
    parts = connection.split()
    if len(parts) != 4:
        return ""
    here, at = parts[2], int(parts[3]) if parts[3].isdecimal() else 22
    other_port = f" -p {at}" if at != 22 else ""
    return f"ssh -N -L {port}:127.0.0.1:{port}{other_port} {user}@{here}"
