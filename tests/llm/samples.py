"""Inputs of every task: the four-turn demo, and samples in which every field is filled."""

from reflexio.models.extraction_config import DEFAULT_PLAYBOOK_DEFINITION, DEFAULT_PROFILE_DEFINITION
from reflexio_core.tasks.consolidate import ConsolidateInputs, ConsolidationItem
from reflexio_core.tasks.extract import ExtractInputs, KnownProfile
from reflexio_core.tasks.gate import GateInputs
from reflexio_core.tasks.transcript import ToolCall, Turn

DEMO_TURNS = tuple(
    Turn(
        label=f"T{number}",
        role=role,
        text=text,
        time=f"2026-12-01T09:30:0{number}+00:00",
        session="demo-5f3a9c1e",
    )
    for number, (role, text) in enumerate(
        [
            ("user", "Deploy the new service."),
            ("assistant", "Starting deployment to us-east-1..."),
            ("user", "Wait — we never deploy production to us-east-1. Always use us-west-2."),
            ("assistant", "Understood. Switching to us-west-2."),
        ],
        start=1,
    )
)

DEMO_EXTRACT = ExtractInputs(
    kinds=("profile", "playbook"),
    judge=True,
    turns=DEMO_TURNS,
    profile_definition=DEFAULT_PROFILE_DEFINITION,
    playbook_definition=DEFAULT_PLAYBOOK_DEFINITION,
)

DEMO_CONSOLIDATE = ConsolidateInputs(
    new=(
        ConsolidationItem(
            label="NEW-1",
            kind="profile",
            content="Production is deployed to us-west-2, never to us-east-1.",
            said="2026-12-01T09:30:03+00:00",
        ),
        ConsolidationItem(
            label="NEW-2",
            kind="playbook",
            trigger="Before starting a production deployment",
            content="Confirm the target region with the user before deploying.",
            pitfall="Deploying to a default region that the user has ruled out.",
            said="2026-12-01T09:30:03+00:00",
        ),
    ),
    old=tuple(
        ConsolidationItem(
            label=f"OLD-{number}",
            kind="profile" if number <= 5 else "playbook",
            content=f"Deployments of service {number} run from the release branch after review.",
            trigger="" if number <= 5 else "When a release branch is cut",
            said="2026-11-02T10:00:00+00:00",
        )
        for number in range(1, 11)
    ),
)

FULL_TURNS = (
    Turn(
        label="T1",
        role="user",
        text="Book the ferry for tomorrow.",
        time="2026-03-04T23:10:00+09:00",
        session="session-one",
        new=False,
        action="click: pressed the booking button",
    ),
    Turn(
        label="T2",
        role="assistant",
        text="You prefer window seats. Booked.",
        time="2026-03-04T23:11:00+09:00",
        session="session-two",
        tools=(
            ToolCall(name="book_ferry", data={"input": {"seat": "window"}}, status="ok"),
            ToolCall(name="send_mail", data={"output": "queued"}, status="failed"),
        ),
        expert_text="Check the sailing times first.",
        quoted=("You prefer window seats.",),
    ),
)

FULL_EXTRACT = ExtractInputs(
    kinds=("profile", "playbook"),
    judge=True,
    turns=FULL_TURNS,
    agent_context="A travel desk.",
    profile_definition="Facts about travel.",
    profile_context="Travellers are staff.",
    playbook_definition="Lessons about booking.",
    playbook_context="Agents book by tool.",
    tools=("book_ferry: books", "send_mail: sends"),
    known_profiles=(KnownProfile(content="Prefers window seats."), KnownProfile(content="Travels on Fridays.")),
)

FULL_GATE = GateInputs(
    kinds=("profile", "playbook"),
    turns=FULL_TURNS,
    profile_definition="Facts about travel.",
    playbook_definition="Lessons about booking.",
)

FULL_CONSOLIDATE = ConsolidateInputs(
    new=(
        ConsolidationItem(
            label="NEW-1",
            kind="profile",
            content="Prefers the aisle.",
            said="2026-03-04",
            time_to_live="one_year",
            forget=True,
        ),
        ConsolidationItem(
            label="NEW-2", kind="playbook", content="Ask first.", said="2026-03-05", trigger="Booking", pitfall="Full."
        ),
    ),
    old=(
        ConsolidationItem(
            label="OLD-1", kind="profile", content="Prefers windows.", said="2025-01-01", time_to_live="one_month"
        ),
        ConsolidationItem(
            label="OLD-2", kind="playbook", content="Ask last.", said="2025-01-02", trigger="Paying", pitfall="Late."
        ),
    ),
)
