"""Small pages that do what harms their neighbours: each floods, blocks or burdens what sessions share."""

from __future__ import annotations

BUSY = "<script>setInterval(()=>{const t=Date.now();while(Date.now()-t<50);},51)</script>"
"""The control: a page that only uses its own processor time, 50 of every 51 ms."""

_EVERY_10_MS = "<script>{before};setInterval(()=>{{for(let i=0;i<200;i++){{{what}}}}},10)</script>"


def often(what: str, before: str = "") -> str:
    """A page that does something 20,000 times a second, as far as it gets."""
    return _EVERY_10_MS.format(what=what, before=before)


def in_worker(script: str) -> str:
    code = script.replace("\\", "\\\\").replace("`", "\\`")
    return f"<script>new Worker(URL.createObjectURL(new Blob([`{code}`])))</script>"


_LOGGING = "setInterval(()=>{for(let i=0;i<200;i++)console.log('hello')},10)"
_LAYER = (
    "position:fixed;left:0;top:0;width:3000px;height:3000px;backdrop-filter:blur(50px);"
    "animation:b 1s infinite alternate;background:rgba(9,9,9,.01)"
)

HOSTILE: dict[str, str] = {
    "console": often("console.log('hello')"),
    "console, 10 kB and an error each": (
        "<script>const s='x'.repeat(1e4);"
        "setInterval(()=>{for(let i=0;i<2000;i++)console.log(s,new Error(s))},1)</script>"
    ),
    "console of its own": often("mine.log('hello')", "const mine=console.context('mine')"),
    "console of a worker": in_worker(_LOGGING),
    "errors": often("reportError(new Error('hello'))"),
    "errors of 20 MB": "<script>const s='x'.repeat(2e7);setInterval(()=>{throw s},20)</script>",
    "rejections": often("Promise.reject(new Error('hello'))"),
    "requests that fail": often("fetch('/missing?'+Math.random()).catch(()=>0)"),
    "frames": often("const f=document.createElement('iframe');document.body.append(f);f.remove()", "onload=()=>0"),
    "workers": often("new Worker(u).terminate()", "const u=URL.createObjectURL(new Blob(['']))"),
    "addresses of 100 kB": often("history.pushState(0,'','?'+s+Math.random())", "const s='x'.repeat(1e5)"),
    "fragments": often("location.hash=Math.random()"),
    "titles of 50 MB": "<script>setInterval(()=>{document.title=Math.random()+'x'.repeat(5e7)},50)</script>",
    "dialogs of 20 MB": "<script>const s='x'.repeat(2e7);setInterval(()=>alert(s),1)</script>",
    "downloads": often(
        "a.click()",
        "const a=document.createElement('a');a.download='x';a.href=URL.createObjectURL(new Blob(['x']))",
    ),
    "messages": often("postMessage('x','*')"),
    "attributes": often("document.body.setAttribute('x'+i,Math.random())"),
    "windows": often("window.open('about:blank')"),
    "file choosers": often("f.click()", "const f=document.createElement('input');f.type='file'"),
    "permissions": often("Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>0)"),
    "blurred layers": "<style>@keyframes b{to{filter:blur(200px)}}</style>" + f"<div style='{_LAYER}'></div>" * 300,
    "leaving": (
        "<script>onbeforeunload=e=>{e.preventDefault();return 'x'};"
        "onpagehide=()=>{const t=Date.now();while(Date.now()-t<20000);}</script><input>"
    ),
}
HOSTILE["reloads"] = "<script>location.reload()</script>"
