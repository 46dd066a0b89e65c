"""Caches the access token: calls share it, and it is renewed before it expires."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from . import models

REFRESH_MARGIN_SECONDS = 60.0
"""How long before its expiry a token is renewed, so that it does not expire on its way."""
USED_PART_MIN = 0.9
"""A token with a short life is used for this part of it at least."""

Clock = Callable[[], float]


@dataclass
class _State:
    """A token, and what became of the last request for one."""

    clock: Clock
    token: str | None = None
    usable_until: float = 0.0
    requests: int = 0
    failure: Exception | None = None

    def current(self) -> str | None:
        return self.token if self.clock() < self.usable_until else None

    def after_waiting(self, requests_before: int) -> str | None:
        """What a request in the meantime brought; its failure is that of all who waited for it."""
        token = self.current()
        if token is None and self.requests != requests_before and self.failure is not None:
            raise self.failure
        return token

    def store(self, token: models.Token, requested_at: float) -> str:
        life = token.expires_in
        self.token = token.access_token
        self.usable_until = requested_at + max(life - REFRESH_MARGIN_SECONDS, life * USED_PART_MIN)
        self.requests += 1
        self.failure = None
        return token.access_token

    def fail(self, error: Exception) -> None:
        self.requests += 1
        self.failure = error

    def discard(self, rejected: str) -> None:
        """Discards a token that the service rejected, unless it has been replaced already."""
        if self.token == rejected:
            self.token, self.usable_until = None, 0.0


class TokenCache:
    """The token of a synchronous client; its threads wait for one request."""

    def __init__(self, request: Callable[[], models.Token], clock: Clock = time.monotonic) -> None:
        self._request = request
        self._state = _State(clock)
        self._lock = threading.Lock()

    def get(self) -> str:
        """The current token, or a new one when it is about to expire."""
        before = self._state.requests
        token = self._state.current()
        if token is not None:
            return token
        with self._lock:
            token = self._state.after_waiting(before)
            if token is not None:
                return token
            # Read before the request: the life of the token begins while it runs.
            requested_at = self._state.clock()
            try:
                return self._state.store(self._request(), requested_at)
            except Exception as error:
                self._state.fail(error)
                raise

    def discard(self, rejected: str) -> None:
        with self._lock:
            self._state.discard(rejected)


class AsyncTokenCache:
    """The token of an asynchronous client; its tasks wait for one request."""

    def __init__(
        self, request: Callable[[], Awaitable[models.Token]], clock: Clock = time.monotonic
    ) -> None:
        self._request = request
        self._state = _State(clock)
        self._lock = anyio.Lock()

    async def get(self) -> str:
        """The current token, or a new one when it is about to expire."""
        before = self._state.requests
        token = self._state.current()
        if token is not None:
            return token
        async with self._lock:
            token = self._state.after_waiting(before)
            if token is not None:
                return token
            requested_at = self._state.clock()
            try:
                return self._state.store(await self._request(), requested_at)
            except Exception as error:
                self._state.fail(error)
                raise

    def discard(self, rejected: str) -> None:
        self._state.discard(rejected)
