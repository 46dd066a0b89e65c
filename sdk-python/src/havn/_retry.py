"""Decides whether a failed attempt is repeated, and after how long."""

from __future__ import annotations

import random
from typing import Any

import httpx

from ._request import Call
from ._response import read_error, retry_after
from .errors import ConnectionFailedError, HavnError, TimedOutError

FIRST_DELAY_SECONDS = 0.5
DELAY_SECONDS_MAX = 8.0
RETRY_AFTER_SECONDS_MAX = 60.0
"""A longer wait is left to the caller, who finds it in ``retry_after_seconds``."""

NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""The request has not left this machine: every operation may be repeated."""
NOTHING_DONE = (429, 503)
"""The service did nothing, unless it names a payment or payroll."""
GATEWAY_STATUSES = (502, 504)
"""A proxy lost the response: the request may have been executed."""


class Attempts:
    """The attempts of one call so far."""

    def __init__(self, call: Call[Any], max_retries: int) -> None:
        self._call = call
        self._retries_left = max_retries
        self._retries = 0
        self._response_lost = False
        self._token_renewed = False

    def may_renew_token(self, response: httpx.Response) -> bool:
        """A token that the service rejects is renewed once."""
        if (
            response.status_code != 401
            or self._token_renewed
            or not self._call.operation.needs_token
        ):
            return False
        self._token_renewed = True
        return True

    def after_failure(self, error: httpx.TransportError) -> float:
        """The delay until the next attempt; raises if there is none."""
        was_sent = not isinstance(error, NOT_SENT)
        self._response_lost = self._response_lost or was_sent
        if not was_sent or self._call.operation.is_repeatable:
            delay = self._next_delay(None)
            if delay is not None:
                return delay
        raise self._failure(error) from error

    def after_response(self, response: httpx.Response) -> float | None:
        """The delay until the next attempt; None if the response is a success; raises otherwise."""
        if response.status_code in self._call.operation.statuses:
            return None
        error = read_error(self._call, response)
        if self._is_repeatable(response, error.code, error.payment_id or error.payroll_id):
            delay = self._next_delay(retry_after(response))
            if delay is not None:
                return delay
        raise error

    def _is_repeatable(self, response: httpx.Response, code: str | None, order: str | None) -> bool:
        status, operation = response.status_code, self._call.operation
        if status in NOTHING_DONE:
            return order is None
        if status in GATEWAY_STATUSES:
            self._response_lost = True
            return operation.is_repeatable
        if status == 409 and self._response_lost and operation.accepts_key:
            # The attempt whose response was lost is still running: its response comes later.
            return code is None
        return status >= 500 and operation.method == "GET"

    def _next_delay(self, stated: float | None) -> float | None:
        if self._retries_left == 0 or (stated is not None and stated > RETRY_AFTER_SECONDS_MAX):
            return None
        self._retries_left -= 1
        longest = min(FIRST_DELAY_SECONDS * 2**self._retries, DELAY_SECONDS_MAX)
        self._retries += 1
        # Chance keeps clients apart that failed at the same time.
        return max(stated or 0.0, random.uniform(longest / 2, longest))

    def _failure(self, error: httpx.TransportError) -> HavnError:
        operation, key = self._call.operation, self._call.idempotency_key
        was_sent = self._response_lost
        reason = str(error) or type(error).__name__
        outcome = (
            " The request may have been executed"
            + (": repeat it with the same idempotency_key." if key else ".")
            if was_sent and operation.method != "GET"
            else ""
        )
        error_class = (
            TimedOutError if isinstance(error, httpx.TimeoutException) else ConnectionFailedError
        )
        return error_class(
            f"No response to {operation.id} from {self._call.url.split('?')[0]}: {reason}.{outcome}",
            operation=operation.id,
            idempotency_key=key,
            was_sent=was_sent,
        )
