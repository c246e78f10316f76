"""Phrases that keep what is known about a user out of an answer, and such as only sound like it."""

import pytest

from reflexio_core.engine.search.opt_out import opts_out


@pytest.mark.parametrize(
    "query",
    [
        "Don't use my profile for this one",
        "Recommend a hotel without using my saved preferences",
        "please do not consider any of my preferences",
        "Ignore my memories and answer",
        "stop using my personal information",
        "Suggest dinner, don’t take into account my food preferences",
        "No uses mi perfil",
        "responde sin tener en cuenta mis preferencias",
        "Ignora mis datos personales",
        "不要使用我的个人资料",
        "请忽略我的偏好",
        "这次别参考我的记忆",
    ],
)
def test_a_plain_request_is_heard(query: str) -> None:
    assert opts_out(query)


@pytest.mark.parametrize(
    "query",
    [
        "Do not use my profile picture",
        "they don't use my profile",
        "how do I use my profile",
        "update my preferences",
        "don't use my memory card",
        "the app does not load my preferences",
        "what are my preferences?",
        "avoid us-east-1",
        "no uses mi coche",
        "¿cuál es mi perfil?",
        "不要使用我的密码",
        "我的偏好是什么",
        "don't " * 2_000,
        "ignore my " * 1_000,
    ],
)
def test_what_only_sounds_like_it_is_not(query: str) -> None:
    assert not opts_out(query)
