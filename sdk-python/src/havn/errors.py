"""The errors of failed calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field of a request."""

    code: str
    """The error code, for example ``InvalidBBAN``."""
    path: str
    """The field, for example ``.from.account.bban`` or ``.transactions[3].amount.amount``."""
    message: str
    """What is wrong, and what to do."""
    docs: str | None = None
    """Where the code is documented."""

    def __str__(self) -> str:
        return f"{self.path}: {self.message} ({self.code})"


class HavnError(Exception):
    """Any error of a call."""

    def __init__(self, message: str, *, operation: str, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.operation = operation
        """The operation that failed, by its id; ``issueToken`` when no token could be obtained."""
        self.idempotency_key = idempotency_key
        """The key of the request: to repeat it safely, call the method again with this key."""


class ConnectionFailedError(HavnError):
    """There is no response: the service could not be reached, or its response was lost.

    The request may have been executed, unless ``was_sent`` is false.
    """

    def __init__(
        self,
        message: str,
        *,
        operation: str,
        idempotency_key: str | None = None,
        was_sent: bool = True,
    ) -> None:
        super().__init__(message, operation=operation, idempotency_key=idempotency_key)
        self.was_sent = was_sent
        """Whether the request may have reached the service."""


class TimedOutError(ConnectionFailedError):
    """The response took longer than the timeout; the request may have been executed."""


class MalformedResponseError(HavnError):
    """The response is not one of this API, although its status reports success."""

    def __init__(
        self, message: str, *, operation: str, text: str, idempotency_key: str | None = None
    ) -> None:
        super().__init__(message, operation=operation, idempotency_key=idempotency_key)
        self.text = text
        """The body of the response."""


class ApiError(HavnError):
    """The service answered with an error."""

    def __init__(
        self,
        message: str,
        *,
        operation: str,
        status: int,
        code: str | None = None,
        errors: Sequence[FieldError] = (),
        request_id: str | None = None,
        payment_id: str | None = None,
        payroll_id: str | None = None,
        onboarding_id: str | None = None,
        retry_after_seconds: float | None = None,
        docs: str | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message, operation=operation, idempotency_key=idempotency_key)
        self.status = status
        """The HTTP status."""
        self.code = code
        """The error code: that of the response, or of its first field error; None if it has none."""
        self.errors = tuple(errors)
        """What is wrong with the fields of the request."""
        self.request_id = request_id
        """The id to quote to support."""
        self.payment_id = payment_id
        """The payment whose outcome is unknown."""
        self.payroll_id = payroll_id
        """The payroll whose outcome is unknown."""
        self.onboarding_id = onboarding_id
        """The onboarding of the company that exists already."""
        self.retry_after_seconds = retry_after_seconds
        """How long to wait before the next attempt."""
        self.docs = docs
        """Where the code is documented."""

    @property
    def path(self) -> str | None:
        """The field of the first error, if it concerns one."""
        return self.errors[0].path if self.errors else None

    def __str__(self) -> str:
        request = "" if self.request_id is None else f" [request {self.request_id}]"
        return f"{self.message} (HTTP {self.status}){request}"


class BadRequestError(ApiError):
    """400: the request is not possible; see ``code``."""


class ValidationFailedError(ApiError):
    """422: fields of the request are wrong; all of them are in ``errors``."""


class AuthenticationError(ApiError):
    """401: the credentials or the token were not accepted."""


class AccessForbiddenError(ApiError):
    """403: the partner or the company may not do this."""


class NotFoundError(ApiError):
    """404: there is no such resource, or it belongs to another partner."""


class ConflictError(ApiError):
    """409: the request conflicts with the state of a resource, or with another request."""


class RateLimitedError(ApiError):
    """429: too many requests; see ``retry_after_seconds``."""


class ServiceUnavailableError(ApiError):
    """503: nothing was done; the request may be sent again."""


class ServerError(ApiError):
    """500 and other statuses from 500: something went wrong at the service."""


class UnknownOutcomeError(ApiError):
    """The bank may or may not have the order: read its status, and do not order it again.

    ``payment_id`` or ``payroll_id`` names it.
    """
