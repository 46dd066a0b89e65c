"""The token is shared by all calls, renewed before it expires, and renewed once when it is rejected."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

import anyio
import pytest

from havn import AsyncHavn, Havn, HavnAuthenticationError, HavnResponseError
from havn._token import AsyncTokenCache, TokenCache
from havn.models import Token

from .clients import Caller
from .conftest import CREDENTIALS, Connect
from .scripted_service import Answer, Received, ScriptedService, token_answer

CALLS = 8


def companies(havn: Havn) -> Any:
    return havn.list_companies()


def test_is_requested_once_by_client_credentials(client: Caller, service: ScriptedService) -> None:
    client.call(companies)
    client.call(companies)
    [request] = service.token_requests
    assert parse_qs(request.body.decode()) == {
        "grant_type": ["client_credentials"],
        "scope": ["api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default"],
        "client_id": ["demo-partner"],
        "client_secret": ["demo-partner-secret"],
    }
    assert request.headers["content-type"] == "application/x-www-form-urlencoded"
    assert "authorization" not in request.headers
    assert {each.headers["authorization"] for each in service.requests} == {"Bearer token-1"}


def test_that_is_rejected_is_renewed_once(client: Caller, service: ScriptedService) -> None:
    def script(received: Received) -> Answer:
        is_first = received.headers["authorization"] == "Bearer token-1"
        return Answer(401, {"message": "Expired"}) if is_first else Answer(200, [])

    service.answers_by(script)
    client.call(companies)
    assert len(service.token_requests) == 2
    service.answers(Answer(401, {"svcRequestId": "r-1", "message": "The token expired"}))
    with pytest.raises(HavnAuthenticationError, match="The token expired"):
        client.call(companies)
    assert len(service.token_requests) == 3
    assert len(service.requests) == 4


def test_with_a_wrong_secret_fails_as_the_service_says(
    client: Caller, service: ScriptedService
) -> None:
    body = {"error": "invalid_client", "error_description": "Unknown client id or wrong secret"}
    service.tokens_by(lambda _: Answer(401, body))
    with pytest.raises(HavnAuthenticationError, match="wrong secret") as caught:
        client.call(companies)
    assert (caught.value.operation, caught.value.code) == ("issueToken", "invalid_client")
    assert len(service.token_requests) == 1


def test_a_response_without_token_names_the_likely_mistake(
    client: Caller, service: ScriptedService
) -> None:
    service.tokens_by(lambda _: Answer(200, {"hello": "world"}))
    with pytest.raises(HavnResponseError, match="Is the base URL right"):
        client.call(companies)


def test_has_addresses_and_a_scope_of_its_own(connect: Connect, service: ScriptedService) -> None:
    client = connect("http://127.0.0.1:1", auth_url=service.url, environment=None, scope="mine")
    token = client.call(lambda havn: havn._request_token())  # pyright: ignore[reportPrivateUsage]
    assert token.access_token == "token-1"
    assert parse_qs(service.token_requests[0].body.decode())["scope"] == ["mine"]


def test_is_requested_once_by_many_threads(service: ScriptedService) -> None:
    gate = threading.Event()

    def slow(_: Received) -> Answer:
        gate.wait(30)
        return token_answer(1)

    service.tokens_by(slow)
    with (
        Havn(service.url, environment="sandbox", **CREDENTIALS) as havn,
        ThreadPoolExecutor(CALLS) as pool,
    ):
        calls = [pool.submit(havn.list_companies) for _ in range(CALLS)]
        gate.set()
        assert [call.result() for call in calls] == [[]] * CALLS
    assert len(service.token_requests) == 1


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_is_requested_once_by_many_tasks(service: ScriptedService, backend: str) -> None:
    async def run() -> None:
        async with (
            AsyncHavn(service.url, environment="sandbox", **CREDENTIALS) as havn,
            anyio.create_task_group() as group,
        ):
            for _ in range(CALLS):
                group.start_soon(havn.list_companies)

    anyio.run(run, backend=backend)
    assert len(service.token_requests) == 1
    assert len(service.requests) == CALLS


class Issuer:
    """Issues tokens of a given life, at a time that the test sets."""

    def __init__(self, expires_in: int) -> None:
        self.now = 1000.0
        self.issued = 0
        self.error: Exception | None = None
        self._expires_in = expires_in

    def clock(self) -> float:
        return self.now

    def issue(self) -> Token:
        self.issued += 1
        if self.error is not None:
            raise self.error
        return Token(
            expires_in=self._expires_in,
            ext_expires_in=self._expires_in,
            access_token=f"token-{self.issued}",
        )

    async def issue_async(self) -> Token:
        return self.issue()


@pytest.fixture(params=["sync", "async"])
def cache_form(request: pytest.FixtureRequest) -> str:
    return request.param


def _get(form: str, issuer: Issuer, times: list[float]) -> Iterator[str]:
    """The token at each of these times."""
    if form == "sync":
        cache = TokenCache(issuer.issue, issuer.clock)
        for now in times:
            issuer.now = now
            yield cache.get()
        return

    async def run() -> list[str]:
        cache = AsyncTokenCache(issuer.issue_async, issuer.clock)
        tokens: list[str] = []
        for now in times:
            issuer.now = now
            tokens.append(await cache.get())
        return tokens

    yield from anyio.run(run)


@pytest.mark.parametrize(
    ("expires_in", "times", "tokens"),
    [
        (3600, [0, 3539, 3540], ["token-1", "token-1", "token-2"]),
        (100, [0, 89, 90], ["token-1", "token-1", "token-2"]),
        (10, [0, 8.9, 9.1], ["token-1", "token-1", "token-2"]),
    ],
    ids=["a minute before its expiry", "at nine tenths of a short life", "of a very short one"],
)
def test_is_renewed(
    cache_form: str, expires_in: int, times: list[float], tokens: list[str]
) -> None:
    assert list(_get(cache_form, Issuer(expires_in), times)) == tokens


def test_that_cannot_be_obtained_fails_all_who_wait_and_is_requested_by_the_next() -> None:
    gate = threading.Event()
    issuer = CountingIssuer(gate)
    cache = TokenCache(issuer.issue, issuer.clock)
    with ThreadPoolExecutor(CALLS) as pool:
        calls = [pool.submit(cache.get) for _ in range(CALLS)]
        # Each thread reads the clock before it waits; the one that requests reads it twice more.
        while issuer.readings < CALLS + 2:
            threading.Event().wait(0.001)
        gate.set()
        failures = [call.exception() for call in calls]
    assert failures == [issuer.error] * CALLS
    assert issuer.issued == 1
    issuer.error = None
    assert cache.get() == "token-2"


class CountingIssuer(Issuer):
    """Fails once the gate is open, and counts the readings of its clock."""

    def __init__(self, gate: threading.Event) -> None:
        super().__init__(3600)
        self.error = RuntimeError("no token")
        self.readings = 0
        self._gate = gate
        self._counting = threading.Lock()

    def clock(self) -> float:
        with self._counting:
            self.readings += 1
        return super().clock()

    def issue(self) -> Token:
        self._gate.wait(30)
        return super().issue()
