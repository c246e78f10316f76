"""Whether the provider that is configured can answer, found without asking a model anything."""

from collections.abc import Mapping
from importlib.util import find_spec
from urllib.parse import urlsplit, urlunsplit

from reflexio.cli.plugins import Check
from reflexio_core.adapters.learner import ChosenLlm
from reflexio_core.adapters.litellm import MODEL_VARIABLE
from reflexio_core.adapters.litellm.families import BY_NAME
from reflexio_core.adapters.litellm.target import Target, choose
from reflexio_core.adapters.offline import MODEL as OFFLINE
from reflexio_core.ports.llm import LlmSettings

REACH_SECONDS = 3.0
"""A server that lists its models slower than this would be no help in learning either."""

_OPENAI = BY_NAME["openai"]


def learner_of(environment: Mapping[str, str]) -> str:
    """The model that a service of this environment learns with."""
    return ChosenLlm(environment).model_for("generation", LlmSettings())


def provider_check(environment: Mapping[str, str]) -> Check:
    """What stands against learning with this environment. Keys are looked at, sent to their server, never shown.

    A server of the OpenAI protocol at an address of one's own is asked for its models, within ``REACH_SECONDS``.
    """
    target = choose("generation", environment, LlmSettings())
    if target is None:
        note = "no provider is configured; set a key such as OPENAI_API_KEY for more"
        return Check("learner", True, f"{OFFLINE} ({note})")
    if find_spec("litellm") is None:
        found = f"{target.model} is configured, but LiteLLM is not installed"
        return Check("learner", False, found, 'pip install "reflexio-serverless[llm]"')
    if target.wanted:
        found = f"{target.model} is named, but {target.wanted} is not set"
        return Check("learner", False, found, f"set {target.wanted}, or name another model with {MODEL_VARIABLE}")
    family = target.model.partition("/")[0]
    if family == target.model:
        found = f"{target.model} is named, but no provider has a key"
        return Check("learner", False, found, f"set {MODEL_VARIABLE} to provider/model, and that provider's key")
    if family == _OPENAI.name and target.api_base:
        return _reached(target, target.api_base, _set_variable(environment, _OPENAI.bases))
    how = "its key is set" if family in BY_NAME else "LiteLLM reads the variables of that provider"
    return Check("learner", True, f"{target.model} ({how})")


def _reached(target: Target, base: str, variable: str) -> Check:
    """Whether the server at ``base`` lists its models to this key."""
    import httpx

    place = _without_login(base)
    unreachable = f"start the server at that address, or correct {variable}"
    try:
        with httpx.stream(
            "GET",
            f"{base.rstrip('/')}/models",
            headers={"Authorization": f"Bearer {target.api_key}"},
            timeout=REACH_SECONDS,
            follow_redirects=False,  # the key is meant for this server alone
        ) as response:
            status = response.status_code
    except httpx.TimeoutException:
        return Check("learner", False, f"{place} does not answer within {REACH_SECONDS:.0f} s", unreachable)
    except httpx.LocalProtocolError:
        return _unusable_key()
    except httpx.TransportError as error:
        # The error's own words may quote the request, and the key with it.
        return Check("learner", False, f"{place} cannot be reached ({type(error).__name__})", unreachable)
    except httpx.InvalidURL:
        return Check("learner", False, f"{variable} is no address", f"correct {variable}")
    except UnicodeError:
        return _unusable_key()
    if status in (401, 403):
        found = f"{place} refuses the key (HTTP {status})"
        return Check("learner", False, found, f"set {_OPENAI.keys[0]} to a key of that server")
    if status >= 500 or 300 <= status < 400:
        return Check("learner", False, f"{place} answers HTTP {status}", unreachable)
    # Some servers answer questions and keep no list of their models.
    return Check("learner", True, f"{target.model} at {place}, which answers")


def _unusable_key() -> Check:
    name = _OPENAI.keys[0]
    return Check("learner", False, f"{name} holds characters that cannot be sent", f"set {name} to the key alone")


def _set_variable(environment: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((name for name in names if environment.get(name, "").strip()), names[0])


def _without_login(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
