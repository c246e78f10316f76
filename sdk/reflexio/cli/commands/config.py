"""``reflexio config``: the configuration of the tenant."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.failures import BadInput
from reflexio.cli.outcome import require_success
from reflexio.cli.session import Session

app = new_group("config", "What is learned, with which model, in windows of which size.")

_Data = Annotated[str | None, typer.Argument(help="Settings as a JSON object.")]
_File = Annotated[Path | None, typer.Option("--file", "-f", help="Read the JSON object from a file.")]


@command(app, "show")
def show_config(session: Session) -> None:
    """Print the configuration in force as JSON."""
    config = session.client.get_config().model_dump(mode="json")
    session.output.result(config, json.dumps(config, indent=2, ensure_ascii=False))


@command(app, "set")
def set_config(session: Session, data: _Data = None, file: _File = None) -> None:
    """Replace the whole configuration; what is left out returns to its default."""
    settings = _object(data, file)
    answer = session.client.set_config(settings)
    require_success(answer, answer.msg)
    session.output.result(answer.model_dump(mode="json"), answer.msg or "configuration replaced")


@command(app, "update")
def update_config(
    session: Session,
    fields: Annotated[list[str] | None, typer.Argument(help="name=value, the value as JSON or as text.")] = None,
    data: Annotated[str | None, typer.Option(help="Settings as a JSON object.")] = None,
    file: _File = None,
) -> None:
    """Change some settings and leave the others; a nested object is replaced as a whole."""
    if fields and (data is not None or file is not None):
        raise BadInput("give settings as name=value, --data or --file, not in two ways")
    settings = dict(_assignment(field) for field in fields) if fields else _object(data, file)
    answer = session.client.update_config(settings)
    require_success(answer, answer.msg)
    session.output.result(answer.model_dump(mode="json"), answer.msg or f"updated {', '.join(settings)}")


def _object(data: str | None, file: Path | None) -> dict[str, Any]:
    if (data is None) == (file is None):
        raise BadInput("give the settings in one way: as JSON or with --file")
    try:
        text = data if data is not None else Path(file or "").read_text(encoding="utf-8")
        value = json.loads(text)
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"the settings are not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadInput("the settings are not a JSON object")
    return value


def _assignment(field: str) -> tuple[str, Any]:
    name, equals, text = field.partition("=")
    if not equals or not name:
        raise BadInput(f"{field!r} is not name=value")
    try:
        return name, json.loads(text)
    except ValueError:
        return name, text
