"""One virtual environment for each published distribution, built once and kept under ``.cache/published``."""

import fcntl
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parents[1] / ".cache" / "published"
PYTHONS = ("3.12", "3.13", "3.14")
"""What the distributions run on, the one they were measured with first."""

BUILD_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Distribution:
    """A published distribution; ``requirements/<name>.txt`` pins it and everything it needs."""

    name: str
    has_sessions: bool

    @property
    def requirements(self) -> Path:
        """The file with every pin."""
        return HERE / "requirements" / f"{self.name}.txt"


DISTRIBUTIONS = (Distribution("client", has_sessions=False), Distribution("ai", has_sessions=True))


class NoPython(Exception):
    """No interpreter that the published distributions run on."""


def interpreter(distribution: Distribution) -> Path:
    """The Python of the distribution's environment, which is built if it is not there.

    Raises:
        NoPython: there is none to build it with.
    """
    base = _base_python()
    pins = distribution.requirements.read_bytes()
    key = hashlib.sha256(pins + str(base).encode()).hexdigest()[:16]
    home = CACHE / f"{distribution.name}-{key}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{home.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # parallel test processes build it once
        if not (home / "complete").exists():
            _build(home, base, distribution.requirements)
    return home / "bin" / "python"


def _build(home: Path, base: Path, requirements: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    _run(base, "-m", "venv", str(home))
    # Every need is pinned by name, so nothing is resolved: the full set of one distribution holds a GPU build of torch.
    pip = ("-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check")
    _run(home / "bin" / "python", *pip, "-r", str(requirements))
    (home / "complete").touch()


def _run(python: Path, *arguments: str) -> None:
    done = subprocess.run([python, *arguments], capture_output=True, text=True, timeout=BUILD_SECONDS, check=False)
    if done.returncode:
        raise RuntimeError(f"{python} {' '.join(arguments)} failed:\n{done.stdout}\n{done.stderr}")


def _base_python() -> Path:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in PYTHONS:
        candidates = sorted(pyenv.glob(f"{version}.*/bin/python"), reverse=True)
        on_path = shutil.which(f"python{version}")
        for candidate in [*candidates, *([Path(on_path)] if on_path else [])]:
            if _runs(candidate):
                return candidate
    raise NoPython(f"the published clients need one of Python {', '.join(PYTHONS)} (on PATH or from pyenv)")


def _runs(python: Path) -> bool:
    # A version manager's shim is on PATH also when the version behind it is not selected, and then fails.
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True, check=False).returncode == 0
