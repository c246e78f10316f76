"""A caller that does random things with one user's data and knows what must then be true.

Every turn says a word that nothing else says, so that a listing, a search hit or a learning tells which turns it
rests on, and whose they are. The rules, checked after every answer:

- what was acknowledged is listed exactly once, the newest publication first, whatever the page size;
- what a delete was answered for is nowhere any more: not listed, not found, not learned from;
- counts say what really happened;
- nothing of another user is ever seen.

An answer that never came (the service died) leaves open whether the call was carried out, so the same call is made
again before anything else: publishing is safe to repeat by its request id, and so is deleting.
"""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx

SEARCH_SECONDS = 5.0
"""How long a search may take to find what was published just now."""

SLOWEST_PUBLISH_SECONDS = 20.0

_STATEMENTS = (
    "My favorite editor is {word}.",
    "My favorite drink is {word}.",
    "I live in {word}.",
    "Always use {word} for deployments.",
    "No, do not use {word}. We never deploy to {word}.",
    "okay {word}",
    "Please remember that our staging database is called {word}.",
)
_LETTERS = "bcdfghjklmnpqrstvwxz"

Step = Callable[[], None]


class Gone(Exception):
    """The service did not answer: it died, or is not there yet."""


@dataclass
class Request:
    """A publication as it was acknowledged; ``turns`` maps words to what was said, and loses deleted ones."""

    request_id: str
    session_id: str
    body: dict[str, Any]
    turns: dict[str, str]


@dataclass
class Caller:
    """One user's caller. ``number`` marks its words; ``url`` may change when the service is started again."""

    user: str
    number: int
    url: str
    random: random.Random
    live: dict[str, Request] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    unanswered: Step | None = None
    said: int = 0
    published: int = 0
    steps: int = 0

    def step(self) -> None:
        """Do one random thing and check what it must have brought about. Raises ``Gone``, ``AssertionError``."""
        if self.unanswered is not None:
            self.unanswered()
            self.unanswered = None
        action = self.random.choices(
            [
                self._publish,
                self._publish_again,
                self._reuse_id,
                self._delete_interaction,
                self._delete_request,
                self._delete_requests,
                self._delete_session,
                self._clear,
                self._finish,
                self.check_listings,
                self.check_searches,
                self.check_learnings,
                self._check_status,
            ],
            [30, 3, 2, 6, 4, 2, 3, 1, 4, 8, 8, 8, 4],
        )[0]
        action()
        self.steps += 1

    def settle(self, seconds: float) -> None:
        """Finish every session and wait until everything is learned from; then everything must be consistent."""
        for session in sorted({request.session_id for request in self.live.values()}):
            self._expect("POST", "finalize_session", {"user_id": self.user, "session_id": session})
        deadline = time.monotonic() + seconds
        for request in list(self.live.values()):
            while (status := self._status(request.request_id))["status"] != "done":
                assert status["status"] != "failed", (request.request_id, status)
                assert time.monotonic() < deadline, f"{request.request_id} is still {status}"
                time.sleep(0.05)
        self.check_listings()
        self.check_searches()
        self.check_learnings()

    # --- acting -----------------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        words = [self._word() for _ in range(self.random.choice((1, 1, 2, 4)))]
        turns = {word: self.random.choice(_STATEMENTS).format(word=word) for word in words}
        session = f"{self.user}/{self.random.randrange(4)}"
        self.published += 1
        body = {
            "user_id": self.user,
            "session_id": session,
            "request_id": f"{self.number}-{self.published}",
            "interaction_data_list": [{"role": "user", "content": text} for text in turns.values()],
            "session_finished": self.random.random() < 0.3,
            "force_extraction": self.random.random() < 0.1,
        }
        wait = self.random.random() < 0.1
        self._surely(lambda: self._send(body, turns, wait=wait))

    def _send(self, body: dict[str, Any], turns: dict[str, str], *, wait: bool) -> None:
        begun = time.monotonic()
        answer = self._expect("POST", f"publish_interaction?wait_for_response={str(wait).lower()}", body)
        took = time.monotonic() - begun
        assert answer["success"], answer
        assert answer["request_id"] == body["request_id"]
        assert wait or took < SLOWEST_PUBLISH_SECONDS, took
        self.live[body["request_id"]] = Request(body["request_id"], body["session_id"], body, dict(turns))

    def _publish_again(self) -> None:
        request = self._any()
        if request:
            answer = self._expect("POST", "publish_interaction", request.body)
            assert answer["success"], answer

    def _reuse_id(self) -> None:
        request = self._any()
        if request:
            other = {**request.body, "interaction_data_list": [{"content": "something else"}]}
            answer = self._expect("POST", "publish_interaction", other)
            assert (answer["success"], answer["error"]) == (False, "request_id_reused")

    def _delete_interaction(self) -> None:
        listed = self._interactions()
        if not listed:
            return
        turn = self.random.choice(listed)
        word = self._word_of(turn["content"])
        body = {"user_id": self.user, "interaction_id": turn["interaction_id"]}
        request = self.live[turn["request_id"]]

        def delete() -> None:
            self._expect("DELETE", "delete_interaction", body)
            request.turns.pop(word, None)
            self.dead.append(word)

        self._surely(delete)

    def _delete_request(self) -> None:
        request = self._any()
        if request:
            self._surely(
                lambda: self._remove([request], "DELETE", "delete_request", {"request_id": request.request_id})
            )

    def _delete_requests(self) -> None:
        doomed = self.random.sample(sorted(self.live), min(3, len(self.live)))
        if doomed:
            requests = [self.live[name] for name in doomed]
            self._counted(requests, "delete_requests_by_ids", {"request_ids": doomed}, "deleted_count")

    def _delete_session(self) -> None:
        request = self._any()
        if request:
            doomed = [other for other in self.live.values() if other.session_id == request.session_id]
            self._counted(doomed, "delete_session", {"session_id": request.session_id}, "deleted_requests_count")

    def _counted(self, doomed: list[Request], path: str, body: dict[str, Any], counter: str) -> None:
        first = [True]

        def delete() -> None:
            tried, first[0] = first[0], False
            answer = self._remove(doomed, "DELETE", path, body)
            assert not tried or answer[counter] == len(doomed), (answer, len(doomed))

        self._surely(delete)

    def _clear(self) -> None:
        doomed = list(self.live.values())
        turns = sum(len(request.turns) for request in doomed)
        first = [True]

        def clear() -> None:
            tried, first[0] = first[0], False
            answer = self._remove(doomed, "POST", "clear_user_data", {"user_id": self.user})
            counts = answer["deleted_counts"]
            assert not tried or (counts["interactions"], counts["requests"]) == (turns, len(doomed)), (answer, turns)

        self._surely(clear)

    def _remove(self, doomed: list[Request], method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._expect(method, path, body)
        for request in doomed:
            self.live.pop(request.request_id, None)
            self.dead += request.turns
            self.removed.append(request.request_id)
        return answer

    def _finish(self) -> None:
        request = self._any()
        if request:
            body = {"user_id": self.user, "session_id": request.session_id}
            assert self._expect("POST", "finalize_session", body)["accepted"]

    def _surely(self, call: Step) -> None:
        self.unanswered = call
        call()
        self.unanswered = None

    # --- checking ---------------------------------------------------------------------------------------------------

    def check_listings(self) -> None:
        """Every live turn is listed once, in every listing; nothing else is."""
        expected = sorted(word for request in self.live.values() for word in request.turns)
        listed = self._interactions()
        seen = sorted(self._word_of(turn["content"]) for turn in listed)
        assert seen == expected, (f"lost {set(expected) - set(seen)}, unexpected {set(seen) - set(expected)}", listed)
        order = [int(turn["request_id"].split("-")[1]) for turn in listed]
        assert order == sorted(order, reverse=True), "publications are not newest first"
        body = {"user_id": self.user, "top_k": self.random.choice((1, 2, 5, 100))}
        sessions = list(self._walk("POST", "get_requests", body, "sessions"))
        views = [view for session in sessions for view in session["requests"]]
        for view in views:
            assert view["request"]["user_id"] == self.user
        found = {view["request"]["request_id"]: view["interactions"] for view in views}
        assert len(found) == len(views), "a request is listed twice"
        kept = {name: sorted(request.turns) for name, request in self.live.items() if request.turns}
        shown = {
            name: sorted(self._word_of(turn["content"]) for turn in turns) for name, turns in found.items() if turns
        }
        assert shown == kept, (shown, kept)

    def check_searches(self) -> None:
        """A live turn is found soon, a dead one never, and never anything of another user."""
        living = sorted(word for request in self.live.values() for word in request.turns)
        if living:
            self._found_soon(self.random.choice(living))
        if self.dead:
            word = self.random.choice(self.dead)
            self._look(word)
            answer = self._expect("POST", "search", {"user_id": self.user, "query": word})
            for row in [*answer["profiles"], *answer["user_playbooks"]]:
                self._own(row)

    def check_learnings(self) -> None:
        """Learnings of every status rest on live turns alone, and none is there twice."""
        statuses = [None, "pending", "archived", "superseded", "merged"]
        listed: dict[str, list[dict[str, Any]]] = {}
        for path, rows in (("get_profiles", "user_profiles"), ("get_user_playbooks", "user_playbooks")):
            body = {"user_id": self.user, "status_filter": statuses, self._size(path): self.random.choice((1, 3, 100))}
            listed[path] = list(self._walk("POST", path, body, rows))
            for row in listed[path]:
                self._own(row)
        names = [row["profile_id"] for row in listed["get_profiles"]]
        assert len(names) == len(set(names)), "a profile is listed twice"

    def _check_status(self) -> None:
        request = self._any()
        if request:
            self._status(request.request_id)
        if self.removed:
            status, answer = self._call("GET", f"learning_status?request_id={self.random.choice(self.removed)}")
            assert status == 404, answer

    def _found_soon(self, word: str) -> None:
        deadline = time.monotonic() + SEARCH_SECONDS
        while not any(word in turn["content"] for turn in self._look(word)):
            assert time.monotonic() < deadline, f"{word} is not found"
            time.sleep(0.05)

    def _look(self, word: str) -> list[dict[str, Any]]:
        answer = self._expect("POST", "search_interactions", {"user_id": self.user, "query": word, "top_k": 20})
        dead = set(self.dead)
        for turn in answer["interactions"]:
            assert turn["user_id"] == self.user, turn
            assert self._word_of(turn["content"]) not in dead, f"found after its delete: {turn}"
        return list(answer["interactions"])

    def _own(self, row: dict[str, Any]) -> None:
        assert row["user_id"] == self.user, row
        text = " ".join(str(row.get(name) or "") for name in ("content", "trigger", "source_span", "rationale")).lower()
        for word in self.dead:
            assert word not in text, f"learned from a deleted turn: {row}"

    def _interactions(self) -> list[dict[str, Any]]:
        body = {"user_id": self.user, "top_k": self.random.choice((1, 2, 3, 7, 100))}
        return list(self._walk("POST", "get_interactions", body, "interactions"))

    def _walk(self, method: str, path: str, body: dict[str, Any], rows: str) -> Iterator[dict[str, Any]]:
        token: str | None = None
        while True:
            answer = self._expect(method, path, {**body, "next_token": token})
            yield from answer[rows]
            token = answer.get("next_token")
            if token is None:
                return

    @staticmethod
    def _size(path: str) -> str:
        return "limit" if path == "get_user_playbooks" else "top_k"

    def _status(self, request_id: str) -> dict[str, Any]:
        return self._expect("GET", f"learning_status?request_id={request_id}")

    def _any(self) -> Request | None:
        whole = [request for request in self.live.values() if request.turns]
        return self.random.choice(whole) if whole else None

    def _word(self) -> str:
        """A word of letters only: callers and words never share one, and no word is part of another."""
        self.said += 1
        code = self.number * 100_000 + self.said
        letters = ""
        for _ in range(6):
            code, place = divmod(code, len(_LETTERS))
            letters += _LETTERS[place]
        return f"ya{letters}ya"

    @staticmethod
    def _word_of(content: str) -> str:
        return next(word for word in content.replace(".", " ").split() if word.startswith("ya") and len(word) == 10)

    # --- calling ----------------------------------------------------------------------------------------------------

    def _expect(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        status, answer = self._call(method, path, body)
        assert status == 200, f"{method} {path} {body}: {status} {answer}"
        return answer

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        try:
            reply = httpx.request(method, f"{self.url}/api/{path}", json=body, timeout=60)
        except httpx.TransportError as error:
            raise Gone(repr(error)) from error
        return reply.status_code, reply.json()
