"""The settings that both clients share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ._generated.operations import SCOPES
from ._operation import Server
from ._version import VERSION

Environment = Literal["sandbox", "production"]

TIMEOUT_SECONDS = 60.0
"""Longer than any bank takes."""
MAX_RETRIES = 3


@dataclass(frozen=True)
class Settings:
    """What a client needs to know of the service and of itself."""

    base_url: str
    auth_url: str
    onboarding_url: str
    client_id: str
    client_secret: str
    scope: str
    timeout_seconds: float
    max_retries: int
    user_agent: str

    def url_of(self, server: Server) -> str:
        """The base URL of one of the three servers of an environment, without a slash at its end."""
        urls = {"base": self.base_url, "auth": self.auth_url, "onboarding": self.onboarding_url}
        return urls[server].rstrip("/")


def settings_of(
    base_url: str,
    *,
    client_id: str,
    client_secret: str,
    environment: Environment | None,
    scope: str | None,
    auth_url: str | None,
    onboarding_url: str | None,
    timeout_seconds: float,
    max_retries: int,
    user_agent: str | None,
) -> Settings:
    """Checks the arguments of a client."""
    _check_url("base_url", base_url)
    _check_url("auth_url", auth_url or base_url)
    _check_url("onboarding_url", onboarding_url or base_url)
    if not client_id or not client_secret:
        raise ValueError("client_id and client_secret must not be empty")
    if (environment is None) == (scope is None):
        raise ValueError("Give either environment ('sandbox' or 'production') or scope")
    if environment is not None and environment not in SCOPES:
        raise ValueError(f"environment must be 'sandbox' or 'production', not {environment!r}")
    if max_retries < 0:
        raise ValueError("max_retries must not be negative")
    own = f"havn-python/{VERSION}"
    return Settings(
        base_url=base_url,
        auth_url=auth_url or base_url,
        onboarding_url=onboarding_url or base_url,
        client_id=client_id,
        client_secret=client_secret,
        scope=scope or SCOPES[environment or "sandbox"],
        timeout_seconds=timeout_seconds,
        max_retries=max_retries,
        user_agent=own if user_agent is None else f"{user_agent} {own}",
    )


def _check_url(name: str, url: str) -> None:
    """Requests carry secrets, so a base URL is one of a server and nothing more."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"{name} must begin with https://, unlike {url!r}")
    parts = urlsplit(url)
    if parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(f"{name} must have neither a user nor a query nor a fragment")
