"""What the demo costs, counted by the server through the real LiteLLM."""

from reflexio_core.ports.llm import LlmSettings
from reflexio_core.tasks import CONSOLIDATE, EXTRACT
from tests.llm.conftest import Serve
from tests.llm.samples import DEMO_CONSOLIDATE, DEMO_EXTRACT


def test_the_demo_takes_two_calls_at_most_and_few_tokens(serve: Serve) -> None:
    asked = serve({})
    extracted = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings())
    consolidated = asked.llm.run(CONSOLIDATE, DEMO_CONSOLIDATE, LlmSettings())
    assert [request.task for request in asked.server.requests] == ["extract", "consolidate"]
    assert extracted.usage.prompt_tokens <= 1_200
    assert extracted.usage.prompt_tokens + consolidated.usage.prompt_tokens == asked.server.prompt_tokens < 4_000


def test_a_form_that_the_server_refuses_is_paid_for_once(serve: Serve) -> None:
    asked = serve({}, refuses=("json_schema",))
    first = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings())
    second = asked.llm.run(EXTRACT, DEMO_EXTRACT, LlmSettings())
    assert (first.usage.calls, second.usage.calls) == (2, 1)
    assert second.usage.prompt_tokens <= 1_200
