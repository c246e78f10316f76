"""All help of the command line as one Markdown page: ``python -m reflexio.cli.reference > docs/cli.md``."""

import os
import sys
from collections.abc import Iterator
from typing import Any

from reflexio.cli.failures import ExitCode

WIDTH = 80

_HEAD = """# The command line

Installed with the client: `reflexio`, or `python -m reflexio.cli`. `services` and `model` come with the service.

Results go to standard output, progress and notices to standard error. On a terminal rows are a table; piped, each row
is one line with tabs between its cells. `NO_COLOR` turns styling off.

With `--json` every command prints one object: `{"ok": true, "data": ..., "meta": {...}}` on standard output, or
`{"ok": false, "error": {"type", "message", "hint"}}` on standard error. `type` is stable, for branching.

`--json`, `--url` and `--api-key` may stand before the command or after it. What is not given comes from the
environment, then from `.env` in the current folder, then from `~/.reflexio/.env`:

| variable | meaning | default |
|---|---|---|
| `REFLEXIO_URL` | address of the service | see below |
| `REFLEXIO_API_KEY` | key to send | none |
| `REFLEXIO_USER_ID` | user of commands without `--user-id` | `user-default` |
| `REFLEXIO_DEBUG` | any value: show where an unforeseen error happened | |

The service is looked for, in this order: `--url`, `REFLEXIO_URL`, the service that runs on the data folder
(`REFLEXIO_DATA`, else `~/.reflexio`), `REFLEXIO_HOST` and `REFLEXIO_PORT`, `http://127.0.0.1:8061`.

## Exit codes
"""

_MEANING = {
    ExitCode.DONE: "done",
    ExitCode.FAILED: "refused or failed; `services status`, `model status` and `doctor`: not in order; "
    "`publish --wait`: stored, not learned from yet",
    ExitCode.BAD_INPUT: "bad input: arguments, a file or a value that cannot be used",
    ExitCode.NO_ACCESS: "no key, a wrong key, or one that may not do this",
    ExitCode.NO_CONNECTION: "the service cannot be reached, or not in time",
    ExitCode.INTERRUPTED: "interrupted",
}


def render() -> str:
    """The page. It shows the commands of every installed package."""
    from typer.main import get_command

    from reflexio.cli.app import build_app

    # Help is as wide as the terminal unless told otherwise, and the page must not depend on that.
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(WIDTH)
    try:
        sections = list(_sections(get_command(build_app()), "reflexio", None))
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before
    codes = "\n".join(f"| {code.value} | {meaning} |" for code, meaning in _MEANING.items())
    return f"{_HEAD}\n| code | meaning |\n|---|---|\n{codes}\n\n## Commands\n\n" + "\n".join(sections)


def _sections(command: Any, path: str, parent: Any) -> Iterator[str]:
    """A command's help, then that of the commands below it. Typer has its own classes for these or click's."""
    context = command.make_context(path, [], parent=parent, resilient_parsing=True)
    context.info_name = path.rsplit(" ", 1)[-1]
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    yield f"### `{path}`\n\n```text\n{text.strip()}\n```\n"
    if hasattr(command, "list_commands"):
        for name in command.list_commands(context):
            yield from _sections(command.get_command(context, name), f"{path} {name}", context)


if __name__ == "__main__":
    sys.stdout.write(render())
