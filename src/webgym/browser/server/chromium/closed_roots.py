"""Closed shadow roots that are declared in HTML: only CDP can expose them to the injected functions."""

from __future__ import annotations

from playwright.async_api import Error

from webgym.browser.server.chromium.frame_calls import expression
from webgym.browser.server.chromium.tab import TabHandle

_ADOPT = "function (hub) { window[hub].adoptRoot(this.host, this); }"


async def adopt(tab: TabHandle) -> bool:
    """Inspect the elements that the injected functions suspect of having a closed root; return whether any had.

    Only the main frame's suspects are inspected, not those of out-of-process frames.
    """
    cdp = tab.cdp
    adopted = False
    try:
        for host in await _suspects(tab):
            node = (await cdp.send("DOM.describeNode", {"objectId": host}))["node"]
            for root in node.get("shadowRoots", ()):
                if root.get("shadowRootType") == "closed":
                    await _hand_over(tab, root["backendNodeId"])
                    adopted = True
    except Error:
        if tab.page.is_closed():
            raise
    return adopted


async def _suspects(tab: TabHandle) -> list[str]:
    cdp = tab.cdp
    array = (await cdp.send("Runtime.evaluate", {"expression": expression(tab, "takeSuspects")}))["result"]
    if "objectId" not in array:
        return []
    own = {"objectId": array["objectId"], "ownProperties": True}
    properties = (await cdp.send("Runtime.getProperties", own))["result"]
    return [entry["value"]["objectId"] for entry in properties if entry.get("value", {}).get("subtype") == "node"]


async def _hand_over(tab: TabHandle, backend_node: int) -> None:
    cdp = tab.cdp
    root = (await cdp.send("DOM.resolveNode", {"backendNodeId": backend_node}))["object"]["objectId"]
    call = {"objectId": root, "functionDeclaration": _ADOPT, "arguments": [{"value": tab.hub}]}
    await cdp.send("Runtime.callFunctionOn", call)
