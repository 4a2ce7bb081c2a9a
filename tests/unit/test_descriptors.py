"""How many files a server may have open."""

from __future__ import annotations

import subprocess
import sys

from tests.child_environment import child_environment

TOLD = """
import resource
from webgym.serving.listen import SocketServer
SocketServer(lambda scope, receive, send: None)
print(*resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def test_a_server_raises_its_limit_as_far_as_it_may():
    shell = 'ulimit -S -n 300; ulimit -H -n 2000; exec "$@"'
    command = ["/bin/sh", "-c", shell, "sh", sys.executable, "-c", TOLD]
    done = subprocess.run(command, capture_output=True, text=True, env=child_environment(), timeout=60, check=True)
    assert done.stdout.split() == ["2000", "2000"]
