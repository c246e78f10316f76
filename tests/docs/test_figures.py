"""Every figure that a page gives is the code's."""

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from reflexio.models.base import MAX_QUERY_CHARACTERS
from reflexio.models.config import Config, ExtractionPreset
from reflexio.models.enums import ProfileTimeToLive
from reflexio.models.identifiers import MAX_ID_CHARACTERS
from reflexio.models.interactions import PublishUserInteractionRequest
from reflexio.models.search import UnifiedSearchRequest
from reflexio.models.turns import InteractionData
from reflexio_core.adapters.litellm import llm
from reflexio_core.adapters.onnx.pinned import MINILM, SOURCE_WEIGHTS
from reflexio_core.adapters.sqlite.connection import OLDEST_SQLITE
from reflexio_core.api import capacity, health
from reflexio_core.api.bodies import MAX_BODY_DEPTH
from reflexio_core.api.settings import DEFAULT_MAX_BODY_BYTES
from reflexio_core.embedded import background, server, workers
from reflexio_core.embedded.settings import EmbeddedSettings
from reflexio_core.engine import paging, query_vectors, requests
from reflexio_core.engine.context import EngineSettings
from reflexio_core.engine.learn import extraction, failure, known, transcript
from reflexio_core.engine.rows import expiry
from reflexio_core.engine.search import answers, fusion, served
from reflexio_core.keys import DUE_SHARDS
from reflexio_core.ports import store
from tests.docs.pages import README, ROOT

HTTP, LEARNING, ARCHITECTURE, CONFIGURATION, OPERATIONS = (
    ROOT / "docs" / f"{name}.md" for name in ("http", "learning", "architecture", "configuration", "operations")
)

CONFIG = Config()
ENGINE = EngineSettings(owner="", exclusive=True, storage_type="", storage_label="")
FIRST, STRIDE = CONFIG.window_size, CONFIG.stride_size
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 10: "ten"}


def most(model: type[BaseModel], field: str, bound: str = "max_length") -> int:
    """The largest value or length that a field's metadata allows."""
    found: list[int] = [
        getattr(part, bound) for part in model.model_fields[field].metadata if getattr(part, bound, None) is not None
    ]
    return min(found)


FIGURES = [
    (README, f"| {FIRST} turns have come | those {FIRST}: the first window |"),
    (README, f"| {STRIDE} more have come | those {STRIDE}, with the {FIRST - STRIDE} before them as context;"),
    (README, f"silent for {CONFIG.extraction_idle_timeout_seconds // 3600} hours"),
    (README, f"after 1, 2, 4 ... {failure.LONGEST_WAIT_SECONDS:.0f} s"),
    (README, f"| body of a call | {DEFAULT_MAX_BODY_BYTES >> 20} MiB"),
    (README, f"client_max_body_size {DEFAULT_MAX_BODY_BYTES >> 20}m"),
    (README, f"{most(PublishUserInteractionRequest, 'interaction_data_list'):,}; one turn's text"),
    (README, f"one turn's text {most(InteractionData, 'content'):,} characters"),
    (README, f"| ids | {MAX_ID_CHARACTERS} characters |"),
    (README, f"| search text | {MAX_QUERY_CHARACTERS:,} characters"),
    (README, f"reads the first {MINILM.encoding.token_limit} tokens"),
    (README, f"`top_k` up to {most(UnifiedSearchRequest, 'top_k', 'le')} of each kind"),
    (README, f"{answers.MOST_ROWS:,} elsewhere |"),
    (README, f"| page of a listing | {paging.MAX_ANSWER_BYTES // 1_000_000} MB;"),
    (README, f"| waiting for learning | {ENGINE.wait_seconds:.0f} s, {capacity.MAX_WAITERS_PER_TENANT} callers"),
    (README, f"turns of publications above {requests.INLINE_BYTES // 1_000} KB"),
    (README, f"3.11, {OLDEST_SQLITE[0]}.{OLDEST_SQLITE[1]} with FTS5"),
    (README, f"the model's threshold (cosine {MINILM.similarity_floor:.2f})"),
    (OPERATIONS, f"a log above {background.LARGEST_LOG_BYTES // 1_000_000} MB"),
    (README, f"the embedding model ({MINILM.files[SOURCE_WEIGHTS].size / 1e6:.0f} MB)"),
    (HTTP, f"and {MAX_BODY_DEPTH}\nlevels"),
    (HTTP, f"{paging.MAX_EXAMINED:,} rows looked at or {paging.MAX_ANSWER_BYTES // 1_000_000} MB"),
    (HTTP, f"within {ENGINE.query_embed_timeout_seconds:.0f} s"),
    (HTTP, f"k = {fusion.K}"),
    (HTTP, f"up to {served.MOST_REMEMBERED:,} rows, until {served.IDLE_SECONDS // 3600} hours"),
    (HTTP, f"stands for {health.REMEMBERED_SECONDS:.0f} s"),
    (HTTP, f"`waiter_capacity` ({capacity.MAX_WAITERS_PER_TENANT} callers"),
    (HTTP, f"({MINILM.similarity_floor:.2f}) unless given"),
    (HTTP, f"empty counts as `{ENGINE.default_agent_version}`"),
    (LEARNING, f"{transcript.TURN_CHARACTERS:,} characters and a window in up to {transcript.WINDOW_CHARACTERS:,}"),
    (LEARNING, f"longer than {extraction.MOST_CHARACTERS:,} characters, or it is the {extraction.MOST_PER_KIND + 1}th"),
    (LEARNING, f"{NUMBERS[known.NEIGHBOURS_PER_CANDIDATE]} for a candidate, {NUMBERS[known.MOST_NEIGHBOURS]} in all"),
    (LEARNING, f"most {NUMBERS[llm.MOST_RETRIES]} times more"),
    (LEARNING, f"kept up to {llm.LONGEST_WAIT_SECONDS:.0f} s"),
    (LEARNING, f"did not answer in {llm.DEFAULT_TIMEOUT_SECONDS:.0f} s"),
    (LEARNING, f"1, 2, 4 ... {failure.LONGEST_WAIT_SECONDS:.0f} seconds"),
    (LEARNING, f"month ({expiry(ProfileTimeToLive.ONE_MONTH, 0) // 86_400} days)"),
    (ARCHITECTURE, f"{store.MAX_ITEMS_PER_COMMIT} items and {store.MAX_BYTES_PER_COMMIT // 1_000_000} MB"),
    (ARCHITECTURE, f"an item {store.MAX_ITEM_BYTES:,} bytes"),
    (ARCHITECTURE, f"over {DUE_SHARDS} shards"),
    (ARCHITECTURE, f"Turns above {requests.INLINE_BYTES:,} bytes"),
    (ARCHITECTURE, f"within {query_vectors.LIFETIME_SECONDS / 60:.0f} minutes"),
    (ARCHITECTURE, f"for up to {server.DRAIN_SECONDS} s"),
    (ARCHITECTURE, f"for {workers.STOP_SECONDS:.0f} s"),
    (ARCHITECTURE, f"Learners ({NUMBERS[EmbeddedSettings().learners]})"),
    (CONFIGURATION, f"{llm.DEFAULT_TIMEOUT_SECONDS:.0f} s unless given"),
    *(
        (CONFIGURATION, f"`{preset.value}` ({'window ' * first}{window}, {'stride ' * first}{stride})")
        for preset in ExtractionPreset
        for window, stride in [preset.window_and_stride]
        for first in [preset is ExtractionPreset.QUICK_CHAT]
    ),
]


@pytest.mark.parametrize(("page", "sentence"), FIGURES, ids=[sentence.strip("| ") for _, sentence in FIGURES])
def test_a_figure_is_the_codes(page: Path, sentence: str) -> None:
    assert re.sub(r"\s+", " ", sentence) in re.sub(r"\s+", " ", page.read_text())


def test_what_is_said_of_the_offline_learner_holds_in_the_written_results() -> None:
    said = re.sub(r"\s+", " ", LEARNING.read_text())
    [[least, least_unseen, most_broken]] = re.findall(
        r"finds more than (\d+) % .*?, more than (\d+) % in the part .*?, and (\d+) promises are broken", said
    )
    results = (ROOT / "tests" / "corpus" / "RESULTS.md").read_text()
    measured = {
        name: [int(number) for number in numbers]
        for name, *numbers in re.findall(
            r"^\| \*\*(all|held out)\*\* \| all \| \d+ \| (\d+) \| (\d+) \| (\d+) \| offline-rules \|$",
            results,
            re.MULTILINE,
        )
    }
    for name, percent in (("all", least), ("held out", least_unseen)):
        expected, found, broken = measured[name]
        assert found / expected > int(percent) / 100
        assert broken <= int(most_broken)
