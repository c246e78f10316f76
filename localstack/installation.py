"""The emulator's own virtual environment, under ``.cache/emulator`` of the repository.

It stands apart from the product's: the emulator pins its own botocore, and functions that it runs must not find the
product's packages by accident. Its Python is 3.12, the functions' runtime, where that can be found.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
CACHE = REPOSITORY / ".cache" / "emulator"
REQUIREMENTS = Path(__file__).resolve().parent / "requirements-emulator.txt"


class EmulatorError(RuntimeError):
    """The emulator cannot be installed, started or stopped; the message says why."""


def emulator_python() -> Path:
    """The interpreter that has the emulator; installs it first if need be (seconds, once).

    Raises:
        EmulatorError: The installation failed.
    """
    CACHE.mkdir(parents=True, exist_ok=True)
    python = runtime_python()
    environment = CACHE / f"venv-{_fingerprint(python)}"
    complete = environment / "complete"
    with (CACHE / "install.lock").open("w") as lock:
        # Several test processes may start at once; one installs.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            shutil.rmtree(environment, ignore_errors=True)
            _install(python, environment)
            complete.touch()
    return environment / "bin" / "python"


def runtime_python() -> str:
    """Python 3.12 from PATH or pyenv, else the running interpreter."""
    pyenv = sorted((Path.home() / ".pyenv" / "versions").glob("3.12*/bin/python"), reverse=True)
    for candidate in ["python3.12", *map(str, pyenv)]:
        # pyenv puts a python3.12 on PATH that only says which versions have one.
        program = shutil.which(candidate)
        if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:  # noqa: S603
            return program
    return sys.executable


def _install(python: str, environment: Path) -> None:
    uv = shutil.which("uv") or shutil.which("uv", path=str(Path(sys.executable).parent))
    target = str(environment / "bin" / "python")
    if uv:
        _run([uv, "venv", "--quiet", "--python", python, str(environment)])
        _run([uv, "pip", "install", "--quiet", "--python", target, "--require-hashes", "-r", str(REQUIREMENTS)])
    else:
        _run([python, "-m", "venv", str(environment)])
        _run([target, "-m", "pip", "install", "--quiet", "--require-hashes", "-r", str(REQUIREMENTS)])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - no outside input
    if done.returncode:
        raise EmulatorError(f"installing the emulator failed: {' '.join(command)}\n{done.stderr[-2000:]}")


def _fingerprint(python: str) -> str:
    return hashlib.sha256(REQUIREMENTS.read_bytes() + python.encode()).hexdigest()[:12]
