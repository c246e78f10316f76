"""Names in learnings that are written by hand are exact or refused; none of them reaches the store as it should not."""

from typing import Any

import pytest
from pydantic import ValidationError

from reflexio.models.profiles import UserProfile

PROFILE: dict[str, Any] = {
    "profile_id": "p",
    "user_id": "u",
    "content": "Lives in Lisbon",
    "last_modified_timestamp": 1,
    "generated_from_request_id": "by hand",
}


@pytest.mark.parametrize("field", ["profile_id", "user_id", "merged_into", "superseded_by"])
def test_an_id_with_a_lone_surrogate_is_refused_by_name(field: str) -> None:
    with pytest.raises(ValidationError) as refused:
        UserProfile.model_validate({**PROFILE, field: "a\ud800"})
    assert refused.value.errors()[0]["loc"] == (field,)


def test_every_text_of_a_profile_can_be_written_as_utf8() -> None:
    strange = "\x00a\ud800"
    texts = ("content", "generated_from_request_id", "source", "source_span", "notes", "reader_angle")
    profile = UserProfile.model_validate(
        {**PROFILE, **dict.fromkeys(texts, strange), "tags": [strange], "extractor_names": [strange]}
    )
    written = profile.model_dump_json()
    assert written.encode()
    assert "\\u0000" not in written
