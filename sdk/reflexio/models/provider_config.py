"""Keys and endpoints of language model providers, and where data is stored."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from reflexio.models.strict import StrictModel


def _web_address(url: str) -> str:
    if not url.lower().startswith(("http://", "https://")):
        raise ValueError("an endpoint starts with http:// or https://")
    return url


Endpoint = Annotated[str, AfterValidator(_web_address)]


class CustomEndpointConfig(StrictModel):
    """Any server that speaks the OpenAI protocol; it answers every completion, whatever else is configured."""

    model: str
    api_key: str
    api_base: Endpoint


class AzureOpenAIConfig(StrictModel):
    """A deployment at Azure."""

    api_key: str
    endpoint: Endpoint
    api_version: str = "2024-02-15-preview"
    deployment_name: str | None = None


class OpenAIConfig(StrictModel):
    """OpenAI itself, or its models at Azure; at least one of the two."""

    api_key: str | None = None
    azure_config: AzureOpenAIConfig | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if self.api_key is None and self.azure_config is None:
            raise ValueError("openai needs an api_key or an azure_config")
        return self


class ProviderKey(StrictModel):
    """A provider that needs a key and nothing else."""

    api_key: str


class DashScopeConfig(ProviderKey):
    """DashScope, whose endpoint differs by region."""

    api_base: Endpoint | None = None


class ApiKeyConfig(StrictModel):
    """Provider keys of one tenant; they win over the environment's."""

    custom_endpoint: CustomEndpointConfig | None = None
    openai: OpenAIConfig | None = None
    anthropic: ProviderKey | None = None
    openrouter: ProviderKey | None = None
    gemini: ProviderKey | None = None
    minimax: ProviderKey | None = None
    deepseek: ProviderKey | None = None
    zai: ProviderKey | None = None
    moonshot: ProviderKey | None = None
    xai: ProviderKey | None = None
    dashscope: DashScopeConfig | None = None


class LlmConfig(StrictModel):
    """Model names by role; null leaves the choice to the service. The timeout is in seconds."""

    should_run_model_name: str | None = None
    generation_model_name: str | None = None
    embedding_model_name: str | None = None
    pre_retrieval_model_name: str | None = None
    generation_timeout_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)


class SqliteStorage(StrictModel):
    """The embedded store's file; null is the default place."""

    db_path: str | None = None


class SupabaseStorage(StrictModel):
    """A Supabase project. Read for compatibility: where data lives is decided by the deployment."""

    url: str
    key: str
    db_url: str
    schema_name: str | None = Field(default=None, alias="schema")
    read_url: str | None = None
    read_key: str | None = None


class PostgresStorage(StrictModel):
    """A Postgres database. Read for compatibility: where data lives is decided by the deployment."""

    type: Literal["postgres"]
    db_url: str
    schema_name: str | None = Field(default=None, alias="schema")
    pool_size: int = Field(default=10, ge=1)
    pool_acquire_timeout: float = Field(default=30, gt=0, allow_inf_nan=False)
    read_db_url: str | None = None


class ManagedStorage(StrictModel):
    """Storage that a platform manages."""

    managed_by: Literal["platform"]
    schema_present: bool


StorageConfig = SqliteStorage | SupabaseStorage | PostgresStorage | ManagedStorage
