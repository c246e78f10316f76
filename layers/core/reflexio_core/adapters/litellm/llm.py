"""The model port on LiteLLM: one question, at most two provider retries and one repair, every token counted."""

import json
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from reflexio_core.adapters.litellm.manners import KnownManners, Manners
from reflexio_core.adapters.litellm.offered import offered_model
from reflexio_core.adapters.litellm.parsing import UnfitAnswer, parse
from reflexio_core.adapters.litellm.provider import Failure, Reply, ask
from reflexio_core.adapters.litellm.schema import strict_schema
from reflexio_core.adapters.litellm.target import Target, choose
from reflexio_core.errors import LlmError, LlmInvalidOutput, LlmRejected, LlmUnavailable, LlmUsage
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task
from reflexio_core.tasks.render import Message, render

DEFAULT_TIMEOUT_SECONDS = 60.0
MOST_RETRIES = 2
"""Repetitions after throttling, server errors and time-outs, over a whole ``run``."""

LONGEST_WAIT_SECONDS = 20.0
"""A provider that asks for a longer pause is left to the caller's own, later attempt."""

_FIRST_PAUSE_SECONDS = 0.5
_MOST_REFUSALS = 4  # two steps down in form, one without temperature, one to spare
_MOST_REPAIR_CHARACTERS = 8_000


@dataclass(slots=True)
class _Run:
    """A question under way: what it has cost and what it may still try."""

    target: Target
    timeout: float
    usage: LlmUsage
    retries: int = MOST_RETRIES


class LiteLlm:
    """Runs tasks on the model that the environment or the tenant's settings name. Safe to share between threads."""

    def __init__(
        self,
        environ: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """``sleep`` and ``jitter`` (0 to 1) shape the pauses between retries."""
        self._environ = dict(environ)
        self._sleep = sleep
        self._jitter = jitter
        self._manners = KnownManners()
        self._offered: dict[tuple[str, str | None], str] = {}

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """LiteLLM's name of the model that would answer. Raises ``LlmRejected`` if none is configured."""
        return self._renamed(self._target(role, settings)).model

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """Ask, and once more with what was wrong if the answer does not fit.

        Raises ``LlmUnavailable``, ``LlmRejected`` or ``LlmInvalidOutput``, each with the usage of all calls.
        """
        target = self._target(task.role, settings)
        if target.wanted:
            raise LlmRejected(f"{target.model} needs a key: set {target.wanted}, or api_key_config")
        run = _Run(self._located(target), settings.timeout_seconds or DEFAULT_TIMEOUT_SECONDS, LlmUsage())
        messages = render(task, inputs)
        reply = self._reply(run, task, messages)
        try:
            parsed = parse(reply.text, task.output)
        except UnfitAnswer as unfit:
            reply = self._reply(run, task, [*messages, *_repair(task, reply, str(unfit))])
            try:
                parsed = parse(reply.text, task.output)
            except UnfitAnswer as again:
                raise LlmInvalidOutput(
                    f"{run.target.model} did not answer {task.name} in the asked form, even when told: {again}",
                    run.usage,
                ) from None
        return Answer(parsed.output, run.usage, run.target.model, task.prompt_version, parsed.dropped)

    def _target(self, role: str, settings: LlmSettings) -> Target:
        target = choose(role, self._environ, settings)
        if target is None:
            raise LlmRejected("no provider is configured: set a provider's key, or api_key_config")
        return target

    def _located(self, target: Target) -> Target:
        """The target with a model that its server offers, asked once for each server."""
        place = (target.model, target.api_base)
        if target.own_server and place not in self._offered:
            self._offered[place] = offered_model(target) or target.model
        return self._renamed(target)

    def _renamed(self, target: Target) -> Target:
        if not target.own_server:
            return target
        return replace(target, model=self._offered.get((target.model, target.api_base), target.model))

    def _reply(self, run: _Run, task: Task[Input, Output], messages: list[Message]) -> Reply:
        """Call until there is a reply, in the way that the model is known to accept or else the strictest."""
        target = run.target
        manners = self._manners.of(target.model, target.api_base)
        schema = strict_schema(task.output)
        for _ in range(MOST_RETRIES + _MOST_REFUSALS):
            told = messages if manners.form == "json_schema" else _with_schema(messages, schema)
            outcome = ask(
                target,
                told,
                manners.response_format(task.name, schema),
                0.0 if manners.temperature else None,
                run.timeout,
            )
            run.usage += outcome.usage
            if isinstance(outcome, Reply):
                self._manners.worked(target.model, target.api_base, manners)
                return outcome
            manners = self._next(run, manners, outcome)
        raise LlmRejected(f"{target.model}: the request was refused in every form", run.usage)

    def _next(self, run: _Run, manners: Manners, failure: Failure) -> Manners:
        """How to call again after a failure; waits where that is due. Raises if there is no way."""
        error: LlmError
        if failure.kind == "temperature" and manners.temperature:
            return replace(manners, temperature=False)
        looser = manners.looser()
        if failure.kind == "format" and looser is not None:
            return looser
        if failure.kind == "later":
            pause = self._pause(run, failure)
            if pause is not None:
                run.retries -= 1
                self._sleep(pause)
                # Some servers answer 500 to a response format that they do not know.
                return looser if failure.perhaps_format and looser is not None else manners
            error = LlmUnavailable(f"{run.target.model}: {failure.reason}", run.usage)
        else:
            error = LlmRejected(f"{run.target.model}: {failure.reason}", run.usage)
        raise error

    def _pause(self, run: _Run, failure: Failure) -> float | None:
        """Seconds until the next attempt; None if there is to be none."""
        if run.retries == 0:
            return None
        if failure.retry_after is not None:
            return failure.retry_after if failure.retry_after <= LONGEST_WAIT_SECONDS else None
        return _FIRST_PAUSE_SECONDS * 2.0 ** (MOST_RETRIES - run.retries) * (0.5 + self._jitter() / 2)


def _with_schema(messages: list[Message], schema: object) -> list[Message]:
    """The messages with the schema in words, for models that do not take it beside the prompt."""
    text = json.dumps(schema, separators=(",", ":"))
    first, *rest = messages
    return [{**first, "content": f"{first['content']}\n\nThe JSON object follows this JSON schema:\n{text}"}, *rest]


def _repair(task: Task[Input, Output], reply: Reply, problem: str) -> list[Message]:
    """The unfit answer and what is wrong with it."""
    reason = "it was cut off; answer more briefly" if reply.cut_off else problem
    schema = json.dumps(strict_schema(task.output), separators=(",", ":"))
    return [
        {"role": "assistant", "content": reply.text[:_MOST_REPAIR_CHARACTERS] or "(empty)"},
        {
            "role": "user",
            "content": f"That answer cannot be used: {reason}. Give the whole answer again, as one JSON object and "
            f"nothing else, by this JSON schema:\n{schema}",
        },
    ]
