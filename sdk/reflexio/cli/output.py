"""What commands print: results on standard output, everything else on standard error.

On a terminal rows are a table; piped, each row is one line with tabs between its cells. With ``--json`` a command
prints one object: ``{"ok": true, "data": ..., "meta": {...}}``, or ``{"ok": false, "error": {...}}`` on standard error.
"""

import json
import os
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from pydantic_core import to_jsonable_python

from reflexio.cli.failures import Failure

KEPT_CONTROLS = "\n\t"
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Output:
    """The two streams of a command. ``as_json`` asks for one object instead of text."""

    def __init__(self, as_json: bool, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.as_json = as_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr

    def result(self, data: Any, text: str, **meta: Any) -> None:
        """The result, once: ``data`` for programs, ``text`` for people."""
        if self.as_json:
            self._write_json(self._out, {"ok": True, "data": to_jsonable_python(data), "meta": meta})
        elif text:
            self._out.write(printable(text) + "\n")

    def rows(self, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str], **meta: Any) -> None:
        """Rows as a result. ``columns`` maps the shown fields to their headings."""
        if self.as_json:
            self.result(list(rows), "", count=len(rows), **meta)
        elif self._out.isatty():
            self._table(rows, columns)
        else:
            for row in rows:
                self._out.write("\t".join(_cell(row.get(name)) for name in columns) + "\n")

    def notice(self, text: str) -> None:
        """A remark about the work, for people."""
        self._err.write(printable(text) + "\n")

    def failure(self, failure: Failure) -> None:
        """Why the command failed."""
        if self.as_json:
            self._write_json(self._err, {"ok": False, "error": failure.as_dict()})
            return
        self._err.write(f"Error: {printable(failure.message)}\n")
        if failure.hint:
            self._err.write(f"Hint: {printable(failure.hint)}\n")

    def _table(self, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        cells = [{name: _cell(row.get(name)) for name in columns} for row in rows]
        first = next(iter(columns))
        # A column without content takes room from the others; the first, an id, must stay whole to be copied.
        shown = [name for name in columns if name == first or any(row[name] for row in cells)]
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name in shown:
            table.add_column(columns[name], overflow="fold", no_wrap=name == first)
        for row in cells:
            # Text, not markup: stored brackets are no formatting.
            table.add_row(*(Text(row[name]) for name in shown))
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        Console(file=self._out, color_system=None if plain else "auto").print(table)

    def _write_json(self, stream: TextIO, value: Any) -> None:
        text = json.dumps(value, ensure_ascii=False)
        try:
            text.encode(stream.encoding or "utf-8")
        except UnicodeEncodeError:
            text = json.dumps(value)
        stream.write(text + "\n")


def printable(text: str) -> str:
    """``text`` without what would steer the terminal or reorder its line: stored text may hold such characters."""
    return "".join(
        character
        for character in text
        if character in KEPT_CONTROLS
        or (unicodedata.category(character) not in ("Cc", "Cs") and character not in _REORDERING)
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    return " ".join(printable(str(value)).split())
