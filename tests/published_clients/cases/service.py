"""The service about itself, and its configuration."""

import time
from collections.abc import Callable
from typing import Any

from cases.registry import client
from world import World

import reflexio


@client("whoami", "names the tenant and that storage is there")
def _(world: World) -> None:
    me = world.client.whoami()
    assert me.success, me
    assert me.org_id == world.http("GET", "/api/whoami")["org_id"]
    assert me.storage_configured, me


@client("storage_stats", "counts what is stored about the user")
def _(world: World) -> None:
    world.add_profile("Likes tea.")
    world.add_user_playbook("t", "be brief")
    stats = world.client.storage_stats(world.user)
    assert (stats.profile_count, stats.playbook_count) == (1, 1), stats
    assert abs(stats.newest_profile_modified.timestamp() - time.time()) < 60


def restoring_config(world: World, change: Callable[[], Any], expected: dict[str, Any]) -> None:
    """A change of the configuration takes effect; the former one is put back afterwards."""
    before = world.http("GET", "/api/get_config")
    try:
        answer = change()
        assert answer["success"], answer
        after = world.http("GET", "/api/get_config")
        assert after == {**before, **expected}
    finally:
        world.http("POST", "/api/set_config", before)


@client("update_config", "the named settings change, the others stay")
def _(world: World) -> None:
    changes = {"window_size": 20, "stride_size": 15}
    restoring_config(world, lambda: world.client.update_config(changes), changes)


@client("set_config", "the whole configuration is what was sent, as a dict or as the client's own model")
def _(world: World) -> None:
    known = reflexio.Config.model_fields  # a client refuses settings that are younger than it is
    stored = {name: value for name, value in world.http("GET", "/api/get_config").items() if name in known}
    context = {"agent_context_prompt": "A deployment bot."}
    restoring_config(world, lambda: world.client.set_config({**stored, **context}), context)
    model = reflexio.Config.model_validate({**stored, "window_size": 12, "stride_size": 6})
    restoring_config(world, lambda: world.client.set_config(model), {"window_size": 12, "stride_size": 6})


@client("get_config", "is the configuration in force")
def _(world: World) -> None:
    restoring_config(world, lambda: world.http("POST", "/api/update_config", {"window_size": 33}), {"window_size": 33})
    config = world.client.get_config()
    assert config.window_size == world.http("GET", "/api/get_config")["window_size"]
