"""Decides whether a failed attempt is repeated, and after how long."""

from __future__ import annotations

import random
from typing import Any

import httpx

from ._request import Call
from ._response import read_error
from .errors import (
    ErrorDetails,
    HavnConnectionError,
    HavnError,
    HavnTimeoutError,
    HavnUnknownOutcomeError,
)

FIRST_DELAY_SECONDS = 0.5
DELAY_SECONDS_MAX = 8.0
RETRY_AFTER_SECONDS_MAX = 60.0
"""A longer wait is left to the caller, who finds it in ``retry_after_seconds``."""

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""The request has not left this machine: every operation may be repeated."""
PROXY_STATUSES = frozenset({408, 502, 504})
"""A proxy lost the response: the request may have been executed."""
NOT_EXECUTED = frozenset({429, 503})
"""Unless the response names an order."""


class Attempts:
    """The attempts of one call so far."""

    def __init__(self, call: Call[Any], max_retries: int) -> None:
        self._call = call
        self._retries_left = max_retries
        self._retries = 0
        self._response_lost = False
        self._token_renewed = False
        self.failure: HavnError | None = None
        """The error of the request: of the last attempt that may have done something."""

    def may_renew_token(self, response: httpx.Response) -> bool:
        """A token that the service rejects is renewed once."""
        if response.status_code != 401 or self._token_renewed:
            return False
        self._token_renewed = True
        return True

    def after_failure(self, error: httpx.RequestError) -> float:
        """The delay until the next attempt; raises if there is none."""
        was_sent = not isinstance(error, NOT_SENT)
        self._response_lost = self._response_lost or was_sent
        self.failure = connection_error(self._call, error, was_sent=self._response_lost)
        self.failure.__cause__ = error
        if not was_sent or self._call.operation.is_repeatable:
            delay = self._next_delay(None)
            if delay is not None:
                return delay
        raise self.failure from error

    def after_response(self, response: httpx.Response) -> float | None:
        """The delay until the next attempt; None if the response is a success; raises otherwise."""
        if response.status_code in self._call.operation.statuses:
            return None
        error = read_error(self._call, response)
        failure = self.failure = self._failure_after(error, response.status_code)
        if self._may_repeat(error, response.status_code):
            delay = self._next_delay(error.retry_after_seconds)
            if delay is not None:
                return delay
        raise failure

    def _failure_after(self, error: HavnError, status: int) -> HavnError:
        """An attempt that did nothing does not say what became of an order whose response was lost."""
        did_nothing = status in NOT_EXECUTED and not isinstance(error, HavnUnknownOutcomeError)
        is_open = self._response_lost and self._call.operation.accepts_key
        return self.failure if did_nothing and is_open and self.failure is not None else error

    def _may_repeat(self, error: HavnError, status: int) -> bool:
        operation = self._call.operation
        if status == 429:
            return True
        if status == 409:
            # The attempt whose response was lost is still running: its response comes later.
            return self._response_lost and operation.accepts_key and error.failure is None
        if isinstance(error, HavnUnknownOutcomeError) or not operation.is_repeatable:
            return False
        self._response_lost = self._response_lost or status in PROXY_STATUSES
        is_temporary = status == 503 or status in PROXY_STATUSES
        return is_temporary or (status == 500 and operation.is_read)

    def _next_delay(self, stated: float | None) -> float | None:
        if self._retries_left == 0 or (stated is not None and stated > RETRY_AFTER_SECONDS_MAX):
            return None
        self._retries_left -= 1
        longest = min(FIRST_DELAY_SECONDS * 2**self._retries, DELAY_SECONDS_MAX)
        self._retries += 1
        # Chance keeps clients apart that failed at the same time.
        return max(stated or 0.0, random.uniform(longest / 2, longest))


def connection_error(
    call: Call[Any], error: httpx.RequestError, *, was_sent: bool
) -> HavnConnectionError:
    """The error of a call without a response, or with an incomplete one."""
    operation, key = call.operation, call.idempotency_key
    is_timeout = isinstance(error, httpx.TimeoutException)
    reason = str(error) or type(error).__name__
    outcome = ""
    if was_sent and not operation.is_read:
        repeat = "." if key is None else ": repeat it with the same idempotency_key."
        outcome = f" The request may have been executed{repeat}"
    error_class = HavnTimeoutError if is_timeout else HavnConnectionError
    return error_class(
        f"No response to {operation.id} from {call.url.split('?')[0]}: {reason}.{outcome}",
        ErrorDetails(
            operation=operation.id,
            code="TimedOut" if is_timeout else "ConnectionFailed",
            idempotency_key=key,
            was_sent=was_sent,
        ),
    )
