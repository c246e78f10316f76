"""Which learner works: a provider's model where one is configured, else the rules that need none."""

from collections.abc import Mapping

from reflexio_core.adapters.litellm import LiteLlm, configured
from reflexio_core.adapters.offline import OfflineLlm
from reflexio_core.ports.llm import Answer, Input, LlmSettings, Output, Task


class ChosenLlm:
    """The Llm port. Chooses at every question, since a tenant may bring a key of its own at any time."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._provider = LiteLlm(environment)
        self._rules = OfflineLlm()

    def model_for(self, role: str, settings: LlmSettings) -> str:
        """The model that would answer."""
        return self._chosen(settings).model_for(role, settings)

    def run(self, task: Task[Input, Output], inputs: Input, settings: LlmSettings) -> Answer[Output]:
        """Ask the chosen learner."""
        return self._chosen(settings).run(task, inputs, settings)

    def _chosen(self, settings: LlmSettings) -> LiteLlm | OfflineLlm:
        return self._provider if configured(self._environment, settings) else self._rules
