"""The README lists what a publication's status can be: all that the engine answers, and no more."""

import inspect
import re

from reflexio_core.engine import status
from tests.docs.pages import README, rows


def test_every_status_and_reason_is_listed_and_every_listed_one_is_answered() -> None:
    answered = {(word, reason) for reason, word in status._MEANING.items()}
    answered |= set(re.findall(r'return "(\w+)", "(\w+)"', inspect.getsource(status)))
    after = README.read_text().split("`learning_status` says where a publication stands:")[1]
    table = rows(after.split("\n\nWhat is kept")[0])
    assert {(word.strip("`"), reason.strip("`")) for word, reason, _ in table} == answered
