"""An environment for WebGym: any web application that a command starts."""

from __future__ import annotations

from webgym_webapp.application import Application, Ready, Reset, WebappTask
from webgym_webapp.attempt import Preparation, WebappAttempt
from webgym_webapp.environment import WebappEnvironment
from webgym_webapp.instance_view import WebappInstance
from webgym_webapp.script import Choose, Do, Go, Keys, Say, Script, Tap, Write

__all__ = [
    "Application",
    "Choose",
    "Do",
    "Go",
    "Keys",
    "Preparation",
    "Ready",
    "Reset",
    "Say",
    "Script",
    "Tap",
    "WebappAttempt",
    "WebappEnvironment",
    "WebappInstance",
    "WebappTask",
    "Write",
]
