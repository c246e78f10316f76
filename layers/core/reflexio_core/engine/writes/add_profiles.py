"""Adding facts by hand."""

from functools import partial

from reflexio.models.base import NEVER_EXPIRES
from reflexio.models.profiles import AddUserProfileRequest, UserProfile
from reflexio_core.domain.records import ProfileRecord, Provenance
from reflexio_core.engine.context import Engine
from reflexio_core.engine.rows import expiry
from reflexio_core.engine.writes.batches import JsonAnswer, NewRow, Outcome, add_rows


def add_user_profiles(engine: Engine, tenant: str, request: AddUserProfileRequest) -> JsonAnswer:
    """Store facts under the ids that they carry.

    An id that the tenant has used already, or that occurs twice, is not stored again: ``success`` is then false,
    ``error`` is ``already_exists``, and the message names each fact that is missing from ``added_count``.

    Raises ``StoreUnavailable`` if nothing is stored.
    """
    outcome = Outcome()
    rows: dict[str, NewRow] = {}
    for position, profile in enumerate(request.user_profiles):
        name = f"user_profiles[{position}] with profile_id {profile.profile_id!r}"
        if profile.profile_id in rows:
            outcome.fail(name, "an earlier entry has the same id", "already_exists")
        else:
            rows[profile.profile_id] = NewRow(name, profile.user_id, partial(_record, profile), salted=False)
    add_rows(engine, tenant, list(rows.values()), outcome)
    return outcome.answer("profile")


def _record(profile: UserProfile, generation: int, _: int) -> ProfileRecord:
    return ProfileRecord(
        profile_id=profile.profile_id,
        user_id=profile.user_id,
        content=profile.content,
        created_at=profile.last_modified_timestamp,
        last_modified_timestamp=profile.last_modified_timestamp,
        generated_from_request_id=profile.generated_from_request_id,
        profile_time_to_live=profile.profile_time_to_live,
        expiration_timestamp=_expiration(profile),
        custom_features=profile.custom_features,
        source=profile.source or "",
        status=profile.status,
        extractor_names=profile.extractor_names,
        tags=profile.tags,
        source_span=profile.source_span,
        notes=profile.notes,
        reader_angle=profile.reader_angle,
        merged_into=profile.merged_into,
        superseded_by=profile.superseded_by,
        generation=generation,
        provenance=Provenance(interaction_ids=tuple(profile.source_interaction_ids)),
    )


def _expiration(profile: UserProfile) -> int:
    """The given expiry; "never" beside a limited time to live is a default that nobody meant."""
    if profile.expiration_timestamp != NEVER_EXPIRES:
        return profile.expiration_timestamp
    return expiry(profile.profile_time_to_live, profile.last_modified_timestamp)
