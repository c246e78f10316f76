"""Settings come from the environment, once, and a bad one is named."""

import pytest

from reflexio_core.api.settings import AccessSettings, ApiSettings


def test_an_empty_environment_gives_the_defaults() -> None:
    blank = dict.fromkeys(["REFLEXIO_API_KEY", "REFLEXIO_DEFAULT_ORG_ID", "REFLEXIO_MAX_BODY_BYTES"], "  ")
    for environment in ({}, blank):
        assert AccessSettings.from_environment(environment) == AccessSettings()
        assert ApiSettings.from_environment(environment) == ApiSettings()
    assert AccessSettings().tenant == "self-host-org"


def test_every_setting_is_read() -> None:
    access = AccessSettings.from_environment({"REFLEXIO_API_KEY": " k ", "REFLEXIO_DEFAULT_ORG_ID": "acme"}, "0.0.0.0")
    assert access == AccessSettings(api_key="k", tenant="acme", host="0.0.0.0")
    settings = ApiSettings.from_environment(
        {
            "REFLEXIO_MAX_BODY_BYTES": "2048",
            "REFLEXIO_RATE_LIMITS": "off",
            "REFLEXIO_ALLOWED_ORIGINS": "https://a.example, https://b.example/",
            "REFLEXIO_BLOCK_PRIVATE_URLS": "true",
            "REFLEXIO_SEARCH_CONCURRENCY_LIMIT": "3",
            "REFLEXIO_SEARCH_CONCURRENCY_TIMEOUT_SECONDS": "4.5",
            "REFLEXIO_PUBLISH_CONCURRENCY_LIMIT": "5",
            "REFLEXIO_PUBLISH_CONCURRENCY_TIMEOUT_SECONDS": "6",
        }
    )
    assert settings == ApiSettings(2048, False, ("https://a.example", "https://b.example"), True, 3, 4.5, 5, 6.0)
    assert ApiSettings.from_environment({"FRONTEND_URL": "https://c.example"}).allowed_origins == ("https://c.example",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REFLEXIO_MAX_BODY_BYTES", "ten"),
        ("REFLEXIO_MAX_BODY_BYTES", "0"),
        ("REFLEXIO_MAX_BODY_BYTES", "nan"),
        ("REFLEXIO_PUBLISH_CONCURRENCY_LIMIT", "-1"),
        ("REFLEXIO_RATE_LIMITS", "maybe"),
        ("REFLEXIO_BLOCK_PRIVATE_URLS", "2"),
    ],
)
def test_a_bad_setting_is_named(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=name):
        ApiSettings.from_environment({name: value})
