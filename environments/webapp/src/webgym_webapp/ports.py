"""Ports for instances, which keep theirs while they are restarted."""

from __future__ import annotations

import contextlib
import errno
import secrets
import socket
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from webgym.errors import ConfigError

LOOPBACK = "127.0.0.1"
_FIRST = 20000
_EPHEMERAL = Path("/proc/sys/net/ipv4/ip_local_port_range")


@contextmanager
def reserved_ports(count: int, first: int = 0) -> Generator[list[int]]:
    """Provide free ports on the loopback interface that no other run on this machine takes as long.

    They lie below the ports that the kernel gives to outgoing connections: one of these could hold a port while its
    instance restarts.

    Args:
        count: How many.
        first: Take exactly these: this one and the following; 0: any.

    Raises:
        ConfigError: They are not free.
    """
    with contextlib.ExitStack() as held:
        yield [*_fixed(count, first, held)] if first else [*_chosen(count, held)]


def _fixed(count: int, first: int, held: contextlib.ExitStack) -> Generator[int]:
    for port in range(first, first + count):
        if not _reserve(port, held):
            raise ConfigError(f"env.options.first_port = {first}: port {port} of this machine is in use")
        yield port


def _chosen(count: int, held: contextlib.ExitStack) -> Generator[int]:
    last = _last()
    start = secrets.randbelow(last - _FIRST)
    left = count
    for step in range(last - _FIRST):
        if not left:
            return
        port = _FIRST + (start + step) % (last - _FIRST)
        if _reserve(port, held):
            left -= 1
            yield port
    if left:
        raise ConfigError(f"there are no {count} free ports from {_FIRST} to {last} on this machine")


def _last() -> int:
    with contextlib.suppress(OSError, ValueError):
        first_of_kernel = int(_EPHEMERAL.read_text().split()[0])
        if first_of_kernel > _FIRST + 1000:
            return first_of_kernel
    return 32768


def _reserve(port: int, held: contextlib.ExitStack) -> bool:
    """Reserve a port among runs by a name in the kernel, which is gone with this process, however it ends."""
    name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        name.bind(f"\0webgym-webapp-{port}")
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((LOOPBACK, port))
    except OSError as error:
        name.close()
        if error.errno in {errno.EADDRINUSE, errno.EACCES}:
            return False
        raise
    held.enter_context(name)
    return True
