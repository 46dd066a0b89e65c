"""Reads a body within the timeout of its attempt: httpx limits the time between two parts only."""

from __future__ import annotations

import time
from collections.abc import Iterator

import anyio
import httpx

LATE = "the response was not complete within the timeout"


class DeadlineStream(httpx.SyncByteStream):
    """The parts of a body until ``deadline``, a time of ``time.monotonic``."""

    def __init__(self, stream: httpx.SyncByteStream, deadline: float) -> None:
        self._stream = stream
        self._deadline = deadline

    def __iter__(self) -> Iterator[bytes]:
        for part in self._stream:
            if time.monotonic() > self._deadline:
                raise httpx.ReadTimeout(LATE)
            yield part

    def close(self) -> None:
        self._stream.close()


def read(response: httpx.Response, deadline: float) -> None:
    """Reads the body of a response, and closes it in any case."""
    assert isinstance(response.stream, httpx.SyncByteStream)
    response.stream = DeadlineStream(response.stream, deadline)
    try:
        response.read()
    finally:
        response.close()


async def aread(response: httpx.Response, deadline: float) -> None:
    """The same of an asynchronous client."""
    try:
        with anyio.fail_after(max(0.0, deadline - time.monotonic())):
            await response.aread()
    except TimeoutError as error:
        raise httpx.ReadTimeout(LATE) from error
    finally:
        await response.aclose()
