"""Runs the emulator until its parent is gone.

Started by the emulator's own interpreter with a pipe as stdin. When the parent closes the pipe, or dies however
hard, reading ends and the process stops and removes its folder: no run of the tests leaves anything behind.
"""

import os
import runpy
import shutil
import signal
import sys
import threading


def _stop_with_parent() -> None:
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    sys.argv = ["ministack"]
    try:
        runpy.run_module("ministack", run_name="__main__")
    finally:
        shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
