"""The service and the clients of the tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

import havn._retry
from havn import PsuSession

from .clients import AsyncCaller, Caller, SyncCaller
from .scripted_service import ScriptedService

PSU = PsuSession(ip_address="127.0.0.1", user_agent="Mozilla/5.0")

CREDENTIALS: dict[str, Any] = {"client_id": "demo-partner", "client_secret": "demo-partner-secret"}

Connect = Callable[..., Caller]


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    started = ScriptedService()
    yield started
    started.close()


@pytest.fixture(params=["sync", "asyncio", "trio"])
def form(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def connect(form: str) -> Iterator[Connect]:
    """Creates clients of one form."""
    opened: list[Caller] = []
    with start_blocking_portal("trio" if form == "trio" else "asyncio") as portal:

        def create(url: str, **settings: Any) -> Caller:
            kind = SyncCaller if form == "sync" else AsyncCaller
            client = kind(portal, url, **{"environment": "sandbox", **CREDENTIALS, **settings})
            opened.append(client)
            return client

        yield create
        for client in opened:
            client.close()


@pytest.fixture
def client(connect: Connect, service: ScriptedService) -> Caller:
    """A client of the scripted service."""
    return connect(service.url)


@pytest.fixture
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Retries without waiting; the list has the delays that there would have been."""
    delays: list[float] = []

    def uniform(shortest: float, longest: float) -> float:
        delays.append(longest)
        assert shortest == longest / 2
        return 0.0

    monkeypatch.setattr(havn._retry.random, "uniform", uniform)
    return delays


@pytest.fixture(scope="session")
def gateway_url() -> str:
    """The URL of a real gateway in sandbox mode; ``npm run test:clients`` starts one."""
    url = os.environ.get("HAVN_URL")
    if url is None:
        pytest.fail(
            "Set HAVN_URL to the URL of a sandbox, or run: npm run test:clients -- sdk-python"
        )
    return url


@pytest.fixture(scope="session")
def documented_events(gateway_url: str) -> Mapping[str, dict[str, Any]]:
    """The example of each webhook event in the document that the gateway serves, by its name."""
    webhooks = httpx.get(f"{gateway_url}/openapi.json").json()["webhooks"]
    bodies = {name: hook["post"]["requestBody"]["content"] for name, hook in webhooks.items()}
    return {
        name: body["application/json"]["examples"]["event"]["value"]
        for name, body in bodies.items()
    }
