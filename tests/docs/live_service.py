"""A real service on a free port, and a shell in which the README's commands meet it."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from reflexio._settings import DEFAULT_URL
from tests.docs.pages import ROOT
from tests.embedded.services import Service, clean_environment

COMMAND_SECONDS = 120


class Shell:
    """A folder that looks like a clone with its ``.venv``, a home of its own, and the service's address in place of
    the usual one. Services that the commands start use the home and a free port; ``close`` stops them."""

    def __init__(self, folder: Path, service: Service) -> None:
        self._url = service.state.url
        self._clone = folder / "clone"
        self._home = folder / "home"
        self._clone.mkdir()
        self._home.mkdir()
        (self._clone / ".venv").symlink_to(sys.prefix)
        (self._clone / "Makefile").symlink_to(ROOT / "Makefile")

    @property
    def environment(self) -> Mapping[str, str]:
        """What the commands see."""
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        return clean_environment(self._home, PATH=programs, REFLEXIO_URL=self._url, REFLEXIO_PORT="0")

    def sh(self, commands: str) -> "subprocess.CompletedProcess[str]":
        """Run commands; the first that fails ends them."""
        return self._run("sh", "-ec", commands.replace(DEFAULT_URL, self._url))

    def python(self, program: str) -> "subprocess.CompletedProcess[str]":
        """Run a program."""
        return self._run(sys.executable, "-c", program)

    def close(self) -> None:
        """Stop a service that the commands left running."""
        self._run(sys.executable, "-m", "reflexio.cli", "services", "stop")

    def _run(self, *command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            cwd=self._clone,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=COMMAND_SECONDS,
            check=False,
        )
