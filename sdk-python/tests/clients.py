"""Calls both forms of the client in the same way, so that each test covers both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

from anyio.from_thread import BlockingPortal

from havn import AsyncHavn, Havn

T = TypeVar("T")


class SyncCaller:
    """The synchronous client."""

    name = "sync"

    def __init__(self, portal: BlockingPortal, url: str, **settings: Any) -> None:
        self._client = Havn(url, **settings)

    def call(self, use: Callable[[Havn], T]) -> T:
        """Calls the client as its types say."""
        return use(self._client)

    def all(self, use: Callable[[Havn], Iterable[T]]) -> Sequence[T]:
        """All items of an iterator."""
        return list(use(self._client))

    def close(self) -> None:
        self._client.close()


class AsyncCaller:
    """The asynchronous client; tests are typed for the synchronous one, which has the same methods."""

    name = "async"

    def __init__(self, portal: BlockingPortal, url: str, **settings: Any) -> None:
        self._portal = portal
        self._client = portal.call(lambda: AsyncHavn(url, **settings))

    def call(self, use: Callable[[Havn], T]) -> T:
        return self._portal.call(lambda: cast("Awaitable[T]", use(cast("Havn", self._client))))

    def all(self, use: Callable[[Havn], Iterable[T]]) -> Sequence[T]:
        async def read() -> Sequence[T]:
            return [item async for item in cast("Any", use(cast("Havn", self._client)))]

        return self._portal.call(read)

    def close(self) -> None:
        self._portal.call(self._client.aclose)


Caller = SyncCaller | AsyncCaller
