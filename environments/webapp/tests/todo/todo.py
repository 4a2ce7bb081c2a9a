"""A to-do list as a web application: its files are its database."""

import html
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

LIST = Path("list.txt")
PAGE = """<title>To do</title><h1>{greeting}: {count} to do</h1><ul>{items}</ul>
<form method=post action=/add><label>New <input name=item></label> <button data-testid=add>Add</button></form>"""
ITEM = "<li>{0} <form method=post action=/remove><button name=item value='{0}'>Remove {0}</button></form>"


def items():
    return LIST.read_text().splitlines() if LIST.exists() else []


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/die":
            os._exit(7)
        shown = "".join(ITEM.format(html.escape(one)) for one in items())
        page = PAGE.format(greeting=os.environ["TODO_GREETING"], count=len(items()), items=shown)
        self.reply(200 if path in {"/", "/list"} else 404, page + self.headers.get("X-Instance", ""))

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
        item = parse_qs(form).get("item", [""])[0]
        match self.path:
            case "/add":
                LIST.write_text("".join(f"{one}\n" for one in [*items(), item]))
            case "/remove":
                LIST.write_text("".join(f"{one}\n" for one in items() if one != item))
            case "/reset":
                LIST.write_text("bread\nrice\n")
        self.reply(303, "", ("Location", "/list"))

    def reply(self, status, page, *headers):
        self.send_response(status)
        for header in (
            *headers,
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(page.encode()))),
        ):
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(page.encode())


if __name__ == "__main__":
    print("a to-do list with secrets of", os.environ.get("SECRET", "nobody"), flush=True)
    if LIST.exists() and "broken" in items():
        sys.exit("the list is broken")
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
