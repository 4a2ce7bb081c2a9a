"""The accessibility tree as compact indented text, including frames."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.surrogates import mended
from webgym.browser.server.chromium.tab import TabHandle

MOST_CHARACTERS = 60_000
_LONGEST_TEXT = 300
_FRAME_SECONDS = 2.0
"""Timeout per frame: a frame whose process hangs is omitted rather than holding up its page."""
_DETACH_SECONDS = 0.5
_FLAGS = ("disabled", "expanded", "focused", "modal", "multiselectable", "readonly", "required", "selected")
_TOKENS = ("checked", "invalid", "pressed", "level")
_FOLDED = {"none", "generic", "InlineTextBox", "LineBreak", "LabelText", "ListMarker", "MenuListPopup"}
_NAMES = {"RootWebArea": "document", "StaticText": "text", "Iframe": "iframe", "DescriptionList": "list"}

Node = dict[str, Any]


@dataclass(slots=True)
class _FrameDocument:
    """The tree of one frame's document. Node ids are unique only within the CDP session they come from."""

    session: int
    nodes: dict[str, Node]
    root: Node
    frames: dict[int, _FrameDocument] = field(default_factory=dict[int, "_FrameDocument"])
    """Documents of child frames, by the backend node id of their owner element."""


async def tree(tab: TabHandle) -> str:
    """Return the page's accessibility tree as text; very long trees are truncated, with a note."""
    async with AsyncExitStack() as stack:
        document = await _read(tab, stack)
    lines: list[str] = []
    length = 0
    for line in _lines(document, document.root, 0, ""):
        length += len(line) + 1
        if length > MOST_CHARACTERS:
            lines.append("… (the rest is left out)")
            break
        lines.append(line)
    return mended("\n".join(lines))  # Playwright, which queries out-of-process frames, keeps lone surrogates


async def _read(tab: TabHandle, stack: AsyncExitStack) -> _FrameDocument:
    sessions: list[Any] = [tab.cdp]
    if len(tab.page.frames) == 1:
        return await _document(tab.cdp, 0, None)
    for frame in tab.page.frames[1:]:
        session = await _own_session(tab, frame)
        if session is not None:
            stack.push_async_callback(_let_go, session)
            sessions.append(session)
    found = await _frames_of(tab.cdp, 0)
    if not found:
        raise Error("the page went away while it was read")
    for number, session in enumerate(sessions[1:], start=1):
        with anyio.move_on_after(_FRAME_SECONDS):
            found += await _frames_of(session, number)
    documents = [document for _, document in found]
    answering = {document.session: sessions[document.session] for document in documents}
    await _join(answering, documents, found[1:])
    return documents[0]


async def _frames_of(session: Any, number: int) -> list[tuple[str, _FrameDocument]]:
    """Return the documents that a CDP session reaches, each with its frame id."""
    found: list[tuple[str, _FrameDocument]] = []
    for frame_id in _frame_ids((await session.send("Page.getFrameTree"))["frameTree"]):
        try:
            found.append((frame_id, await _document(session, number, frame_id)))
        except Error:  # the frame was detached
            continue
    return found


async def _own_session(tab: TabHandle, frame: Any) -> Any:
    """Return a CDP session for an out-of-process frame; None for others, which their parent's session reaches."""
    session = None
    with anyio.move_on_after(_FRAME_SECONDS), suppress(Error):
        session = await tab.page.context.new_cdp_session(frame)
    return session


async def _let_go(session: Any) -> None:
    with anyio.move_on_after(_DETACH_SECONDS), suppress(Error):
        await session.detach()


def _frame_ids(frame_tree: dict[str, Any]) -> list[str]:
    below = [frame_id for inner in frame_tree.get("childFrames", ()) for frame_id in _frame_ids(inner)]
    return [frame_tree["frame"]["id"], *below]


async def _document(session: Any, number: int, frame_id: str | None) -> _FrameDocument:
    parameters = {"frameId": frame_id} if frame_id else {}
    nodes = (await session.send("Accessibility.getFullAXTree", parameters))["nodes"]
    return _FrameDocument(number, {node["nodeId"]: node for node in nodes}, nodes[0])


async def _join(
    sessions: dict[int, Any], documents: list[_FrameDocument], inner: list[tuple[str, _FrameDocument]]
) -> None:
    for frame_id, document in inner:
        for number, session in sessions.items():
            try:
                owner = (await session.send("DOM.getFrameOwner", {"frameId": frame_id}))["backendNodeId"]
            except Error:  # its owner element belongs to another session
                continue
            for outer in documents:
                if outer.session == number and outer is not document:
                    outer.frames[owner] = document
            break


def _lines(document: _FrameDocument, node: Node, depth: int, above: str) -> Iterator[str]:
    """Yield a subtree's lines. `above`: name and value of the nearest printed ancestor, which text need not repeat."""
    role = _value(node, "role")
    name = _squeezed(_value(node, "name"))
    if not _is_folded(node, role, name, above):
        value = _squeezed(_value(node, "value"))
        yield _line(node, role, name, value, depth)
        depth += 1
        above = f"{name} {value}"
    for child_id in node.get("childIds", ()):
        child = document.nodes.get(child_id)
        if child is not None:
            yield from _lines(document, child, depth, above)
    inner = document.frames.get(node.get("backendDOMNodeId", -1))
    if inner is not None and role == "Iframe":
        yield from _lines(inner, inner.root, depth, above)


def _is_folded(node: Node, role: str, name: str, above: str) -> bool:
    if node.get("ignored") or role in _FOLDED:
        return True
    return role == "StaticText" and (not name or name in above)


def _line(node: Node, role: str, name: str, value: str, depth: int) -> str:
    said = f' "{name}"' if name else ""
    states = _states(node)
    told = f" [{', '.join(states)}]" if states else ""
    return f"{'  ' * depth}{_NAMES.get(role, role)}{said}{told}{f': {value}' if value else ''}"


def _states(node: Node) -> list[str]:
    properties = {entry["name"]: entry["value"].get("value") for entry in node.get("properties", ())}
    flags = [name for name in _FLAGS if properties.get(name) is True]
    tokens = [(name, properties.get(name)) for name in _TOKENS]
    return flags + [
        name if str(value).lower() == "true" else f"{name}={value}"
        for name, value in tokens
        if value is not None and str(value).lower() != "false"
    ]


def _value(node: Node, key: str) -> str:
    value = node.get(key, {}).get("value", "")
    return value if isinstance(value, str) else str(value)


def _squeezed(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_TEXT]
