"""From a window to candidates whose evidence was checked by the program."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reflexio.models.config import Config
from reflexio_core.domain.likeness import folded, statement
from reflexio_core.domain.records import RequestRecord, Window
from reflexio_core.domain.secrets import contains_secret
from reflexio_core.engine.context import Engine
from reflexio_core.engine.learn.transcript import CitedTurn
from reflexio_core.errors import LlmError, LlmUsage
from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import EXTRACT, GATE
from reflexio_core.tasks.extract import (
    ExtractInputs,
    ExtractOutput,
    KnownProfile,
    PlaybookCandidate,
    ProfileCandidate,
)
from reflexio_core.tasks.gate import GateInputs
from reflexio_core.tasks.transcript import Evidence, LearningKind

MOST_PER_KIND = 18
"""Candidates of one kind that a window may bring; what is beyond is dropped and counted. With the ten rows that they
may replace and the window's own records they fit one commit of 100 items."""

MOST_CHARACTERS = 8_000
"""Of one field of a candidate. What is longer repeats a conversation and is no learning."""

_SLASH_COMMAND = re.compile(r"/\S+\s*")
_AGENT_ROLES = frozenset({"assistant", "agent", "system", "tool", "internal", "ai", "bot", "model"})


@dataclass(frozen=True, slots=True)
class Cited:
    """A candidate that may be learned, with the turns it rests on."""

    kind: LearningKind
    candidate: ProfileCandidate | PlaybookCandidate
    turns: tuple[CitedTurn, ...]
    span: str

    @property
    def request(self) -> RequestRecord:
        """The publication that holds the latest of its turns: the learning is of its source and agent version."""
        return max(self.turns, key=lambda turn: turn.stored.seq).request


@dataclass(frozen=True, slots=True)
class Extraction:
    """Outcome of a window: verdict per kind, candidates, what was dropped and what it cost."""

    useful: dict[LearningKind, bool]
    candidates: tuple[Cited, ...]
    dropped: int
    usage: LlmUsage
    model: str
    prompt_version: str


def extract(
    engine: Engine,
    settings: LlmSettings,
    config: Config,
    windows: Sequence[Window],
    turns: tuple[CitedTurn, ...],
    known: Sequence[str],
    judge: bool,
) -> Extraction:
    """Judge and extract for all kinds of ``windows``, which share their turns. Raises ``LlmError``."""
    kinds: tuple[LearningKind, ...] = tuple(window.kind for window in windows)
    if judge and _only_commands(turns):
        return _nothing(kinds, LlmUsage(), "", "")
    usage = LlmUsage()
    if judge and settings.should_run_model:
        verdict = engine.llm.run(GATE, _gate_inputs(kinds, turns, config), settings)
        usage += verdict.usage
        useful = {"profile": verdict.output.profile_useful, "playbook": verdict.output.playbook_useful}
        passed: tuple[LearningKind, ...] = tuple(kind for kind in kinds if useful[kind])
        if not passed:
            return _nothing(kinds, usage, verdict.model, verdict.prompt_version)
        kinds, judge, rejected = passed, False, tuple(kind for kind in kinds if not useful[kind])
    else:
        rejected = ()
    try:
        answer = engine.llm.run(EXTRACT, _extract_inputs(kinds, judge, turns, config, known), settings)
    except LlmError as error:
        error.usage = usage + error.usage
        raise
    verdicts = _verdicts(kinds, rejected, answer.output, judge)
    candidates, dropped = _checked(answer.output, verdicts, turns)
    return Extraction(
        useful=verdicts,
        candidates=candidates,
        dropped=dropped + answer.dropped,
        usage=usage + answer.usage,
        model=answer.model,
        prompt_version=answer.prompt_version,
    )


def _nothing(kinds: Sequence[LearningKind], usage: LlmUsage, model: str, prompt_version: str) -> Extraction:
    return Extraction(dict.fromkeys(kinds, False), (), 0, usage, model, prompt_version)


def _only_commands(turns: Sequence[CitedTurn]) -> bool:
    """Whether the users said nothing but bare slash commands."""
    said = [turn.shown.text.strip() for turn in turns if turn.shown.is_user and turn.shown.text.strip()]
    return bool(said) and all(_SLASH_COMMAND.fullmatch(text) for text in said)


def _verdicts(
    kinds: Sequence[LearningKind], rejected: Sequence[LearningKind], output: ExtractOutput, judge: bool
) -> dict[LearningKind, bool]:
    given = {"profile": output.profile_useful, "playbook": output.playbook_useful}
    verdicts: dict[LearningKind, bool] = dict.fromkeys(rejected, False)
    verdicts.update({kind: given[kind] or not judge for kind in kinds})
    return verdicts


def _gate_inputs(kinds: tuple[LearningKind, ...], turns: Sequence[CitedTurn], config: Config) -> GateInputs:
    profile, playbook = config.profile_extractor_config, config.user_playbook_extractor_config
    return GateInputs(
        kinds=kinds,
        turns=tuple(turn.shown for turn in turns),
        profile_definition=profile.extraction_definition_prompt if profile else "",
        playbook_definition=playbook.extraction_definition_prompt if playbook else "",
    )


def _extract_inputs(
    kinds: tuple[LearningKind, ...],
    judge: bool,
    turns: Sequence[CitedTurn],
    config: Config,
    known: Sequence[str],
) -> ExtractInputs:
    profile = config.profile_extractor_config if "profile" in kinds else None
    playbook = config.user_playbook_extractor_config if "playbook" in kinds else None
    return ExtractInputs(
        kinds=kinds,
        judge=judge,
        turns=tuple(turn.shown for turn in turns),
        agent_context=config.agent_context_prompt or "",
        profile_definition=profile.extraction_definition_prompt if profile else "",
        profile_context=(profile.context_prompt or "") if profile else "",
        playbook_definition=playbook.extraction_definition_prompt if playbook else "",
        playbook_context=(playbook.context_prompt or "") if playbook else "",
        tools=tuple(f"{tool.tool_name}: {tool.tool_description}" for tool in config.tool_can_use or ()),
        known_profiles=tuple(KnownProfile(content=content) for content in known) if profile else (),
    )


def _checked(
    output: ExtractOutput, verdicts: dict[LearningKind, bool], turns: Sequence[CitedTurn]
) -> tuple[tuple[Cited, ...], int]:
    """Candidates with sound evidence, at most ``MOST_PER_KIND`` of a kind; and how many were dropped."""
    by_label = {turn.shown.label: turn for turn in turns}
    kept: list[Cited] = []
    dropped = 0
    offered: list[tuple[LearningKind, Sequence[ProfileCandidate | PlaybookCandidate]]] = [
        ("profile", output.profiles),
        ("playbook", output.playbooks),
    ]
    for kind, candidates in offered:
        if not verdicts.get(kind, False):
            continue
        seen: set[tuple[str, str]] = set()
        for candidate in candidates:
            cited = _cited(kind, candidate, by_label)
            identity = (folded(candidate.content), folded(getattr(candidate, "trigger", "")))
            if cited is None or identity in seen or len(seen) >= MOST_PER_KIND:
                dropped += 1
                continue
            seen.add(identity)
            kept.append(cited)
    return tuple(kept), dropped


def _cited(
    kind: LearningKind, candidate: ProfileCandidate | PlaybookCandidate, by_label: dict[str, CitedTurn]
) -> Cited | None:
    """The candidate with its turns, or None if its evidence does not hold or it carries a secret. A turn named without
    a quote proves nothing and is left out."""
    if not candidate.content.strip() or (isinstance(candidate, PlaybookCandidate) and not candidate.trigger.strip()):
        return None
    if any(len(text) > MOST_CHARACTERS or contains_secret(text) for text in _texts(candidate)):
        return None
    turns: dict[str, CitedTurn] = {}
    spans: list[str] = []
    for evidence in candidate.evidence:
        turn = by_label.get(evidence.turn)
        if turn is None or not _occurs(evidence, turn):
            return None
        if evidence.quote.strip():
            turns[evidence.turn] = turn
            spans.append(evidence.quote)
    if not any(turn.shown.new for turn in turns.values()):
        return None
    if kind == "profile" and all(_is_agents(turn) for turn in turns.values()):
        return None
    return Cited(kind, candidate, tuple(turns.values()), "\n".join(dict.fromkeys(spans)))


def _texts(candidate: ProfileCandidate | PlaybookCandidate) -> list[str]:
    texts = [candidate.content, *(evidence.quote for evidence in candidate.evidence)]
    if isinstance(candidate, PlaybookCandidate):
        texts += [candidate.trigger, candidate.rationale, candidate.pitfall or ""]
    return texts


def _occurs(evidence: Evidence, turn: CitedTurn) -> bool:
    """Whether the quote stands in the turn, outside what the service itself had served."""
    text = folded("\n".join((turn.shown.text, turn.shown.expert_text, turn.shown.action)))
    for served in sorted(turn.shown.quoted, key=len, reverse=True):
        text = text.replace(statement(served), "\0")  # a character that no stored text holds
    return folded(evidence.quote) in text


def _is_agents(turn: CitedTurn) -> bool:
    return turn.shown.role.strip().casefold() in _AGENT_ROLES
