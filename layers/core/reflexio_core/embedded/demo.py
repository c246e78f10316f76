"""``make demo``: publish a conversation to a service of its own, wait for what is learned from it, and find it again.

    python -m reflexio_core.embedded.demo [CONVERSATION.json]

Everything happens in a temporary folder. Exit code 1 with a reason if nothing was learned.
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reflexio.cli.conversation import Conversation, read_file
from reflexio.cli.failures import CommandFailed, failure_of
from reflexio.cli.output import printable
from reflexio_core.adapters.onnx import is_prepared, prepare
from reflexio_core.embedded.data_folder import DataFolder
from reflexio_core.errors import ReflexioError

if TYPE_CHECKING:
    from reflexio import ReflexioClient, UnifiedSearchViewResponse
    from reflexio.cli.learned import Learned
    from reflexio_core.embedded.state import ServiceState

USER = "demo-user"
SESSION = "demo-session"
START_SECONDS = 60.0
LEARN_SECONDS = 120.0
_POLL_SECONDS = 0.01
_STATUS_SECONDS = 0.5

DEPLOYMENT = Conversation(
    turns=(
        {"role": "user", "content": "Deploy the new service."},
        {"role": "assistant", "content": "Starting deployment to us-east-1..."},
        {
            "role": "user",
            "content": "Wait — we never deploy production to us-east-1. Always use us-west-2.",
        },
        {"role": "assistant", "content": "Understood. Switching to us-west-2."},
    ),
    query="deployment region",
)


def main(arguments: Sequence[str]) -> int:
    """Run the demo; 0 if something was learned, 1 if not, 2 for a file that cannot be read."""
    try:
        conversation = read_file(Path(arguments[0])).conversations[0] if arguments else DEPLOYMENT
        _prepare_model()
        with _service() as client:
            return _learn_and_search(client, conversation)
    except (ReflexioError, CommandFailed, ValueError) as error:
        return _explain(error)
    except Exception as error:
        from reflexio import ReflexioError as ClientError

        if not isinstance(error, ClientError):
            raise
        return _explain(error)


def _explain(error: Exception) -> int:
    failure = failure_of(error) if not isinstance(error, ReflexioError) else None
    _say(f"the demo failed: {error}")
    if failure and failure.hint:
        _say(failure.hint)
    return failure.exit_code if isinstance(error, CommandFailed) and failure else 1


def _prepare_model() -> None:
    if is_prepared():
        return
    _say("preparing the embedding model (once)")
    try:
        prepare(progress=_say)
    except ReflexioError as error:
        # Search by words alone still finds what is learned, and says so itself.
        _say(f"going on without it: {error}")


@contextmanager
def _service() -> Iterator["ReflexioClient"]:
    """A service on a free port that lives as long as the block, and a client of it."""
    scratch = Path(tempfile.mkdtemp(prefix="reflexio-demo-"))
    folder = DataFolder(scratch / "data")
    folder.make()
    command = [sys.executable, "-m", "reflexio_core.embedded.server"]
    command += ["--host", "127.0.0.1", "--port", "0", "--data", str(folder.root)]
    # A key of our own replaces whatever the environment or a file may set.
    key = secrets.token_urlsafe(16)
    environment = {**os.environ, "REFLEXIO_API_KEY": key}
    _say("starting the service")
    with folder.log.open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)  # noqa: S603 - our own interpreter and module
    try:
        # Imported while the service starts: both take their time.
        import reflexio._transport  # noqa: F401 - what the client would load when it is made
        from reflexio import ReflexioClient

        state = _wait_until_ready(process, folder)
        _say(f"it listens on {state.url}, data in {state.data}, learner {state.learner}")
        with ReflexioClient(api_key=key, url_endpoint=state.url) as client:
            yield client
    finally:
        # Nothing needs to be finished: what it stored is thrown away.
        process.kill()
        process.wait()
        shutil.rmtree(scratch, ignore_errors=True)


def _wait_until_ready(process: "subprocess.Popen[bytes]", folder: DataFolder) -> "ServiceState":
    from reflexio_core.embedded.state import ServiceState

    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        state = ServiceState.read(folder.state)
        if state is not None:
            return state
        time.sleep(_POLL_SECONDS)
    raise CommandFailed(f"the service did not start: {folder.log.read_text(errors='replace').strip()}")


def _learn_and_search(client: "ReflexioClient", conversation: Conversation) -> int:
    from reflexio.cli.learned import learned_from

    user = conversation.user_id or USER
    for turn in conversation.turns:
        _say(f"  {turn.get('role', 'user')}: {turn.get('content', '')}")
    _say(f"publishing {len(conversation.turns)} turns")
    answer = client.publish_interaction(
        user,
        conversation.turns,
        session_id=conversation.session_id or SESSION,
        source=conversation.source or "demo",
        agent_version=conversation.agent_version or "",
        wait_for_response=True,
        session_finished=True,
    )
    if not answer.success or answer.request_id is None:
        raise CommandFailed(f"the conversation was refused: {answer.message}")
    _say("learning")
    _wait_until_learned(client, answer.request_id)
    learned = learned_from(client, user, answer.request_id)
    if not learned.profiles and not learned.playbooks:
        raise CommandFailed(
            "nothing was learned: nothing in this conversation was worth it",
            "small talk teaches nothing; try one with a fact about the user, or a correction of the agent",
        )
    _show_learned(learned)
    query = conversation.query or _last_user_turn(conversation)
    _say(f"searching for {query!r}")
    _show_found(query, client.search(query=query, user_id=user))
    return 0


def _wait_until_learned(client: "ReflexioClient", request_id: str) -> None:
    deadline = time.monotonic() + LEARN_SECONDS
    while True:
        now = client.learning_status(request_id)
        if now.status == "done":
            return
        if now.status == "failed" or time.monotonic() > deadline:
            raise CommandFailed(f"learning did not finish: {now.status}, {now.reason}")
        time.sleep(_STATUS_SECONDS)


def _last_user_turn(conversation: Conversation) -> str:
    said = [str(turn.get("content", "")) for turn in conversation.turns]
    by_user = [
        text
        for turn, text in zip(conversation.turns, said, strict=True)
        if str(turn.get("role", "user")).lower() == "user" and text.strip()
    ]
    return (by_user or said)[-1]


def _show_learned(learned: "Learned") -> None:
    from reflexio.cli.learned import lesson

    for profile in learned.profiles:
        _print(f"Learned profile\n  {profile.content}")
    for playbook in learned.playbooks:
        _print(f"Learned playbook\n{lesson(playbook)}")


def _show_found(query: str, found: "UnifiedSearchViewResponse") -> None:
    from reflexio.cli.learned import lesson

    _print(f'Answer to the search "{query}"')
    for profile in found.profiles:
        _print(f"  profile: {profile.content}")
    for playbook in (*found.user_playbooks, *found.agent_playbooks):
        _print(f"  playbook:\n{lesson(playbook, indent='    ')}")
    if found.degraded:
        _say(f"without {', '.join(found.degraded_parts)}: something may be missing")
    if not (found.profiles or found.user_playbooks or found.agent_playbooks):
        _print("  nothing")


def _print(text: str) -> None:
    sys.stdout.write(printable(text) + "\n")


def _say(text: str) -> None:
    sys.stderr.write(printable(text) + "\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
