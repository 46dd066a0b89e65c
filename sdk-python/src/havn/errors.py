"""The errors of failed calls: one base class, and one class per way in which a call can fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ErrorItem:
    """One thing that is wrong with a request."""

    code: str
    """The error code, for example ``InvalidBBAN``; newer services may send new ones."""
    message: str
    """What is wrong, and what to do."""
    path: str | None = None
    """The field, for example ``.from.account.bban``; ``.`` is the request as a whole."""
    value: object = None
    """The rejected value, where the service shows it."""
    rule: object = None
    """The rule that the value violates, where the service names it."""
    docs: str | None = None
    """The URL of the code in the documentation."""

    @property
    def is_about_field(self) -> bool:
        """Whether it concerns a field, not the request as a whole."""
        return self.path not in (None, ".")

    def __str__(self) -> str:
        where = f"{self.path}: " if self.is_about_field else ""
        return f"{where}{self.message} ({self.code})"


@dataclass(frozen=True)
class ErrorDetails:
    """What an error is made of."""

    operation: str
    code: str
    status: int | None = None
    svc_request_id: str | None = None
    errors: Sequence[ErrorItem] = field(default_factory=tuple[ErrorItem])
    failure: str | None = None
    payment_id: str | None = None
    payroll_id: str | None = None
    onboarding_id: str | None = None
    retry_after_seconds: float | None = None
    idempotency_key: str | None = None
    was_sent: bool = True
    text: str | None = None


class HavnError(Exception):
    """The base class of all errors of calls."""

    def __init__(self, message: str, details: ErrorDetails) -> None:
        super().__init__(message)
        self.message = message
        self.operation = details.operation
        """The operation that failed, by its id; ``issueToken`` when no token could be obtained."""
        self.code = details.code
        """The code of the first error, for example ``InvalidAmount`` or ``ACCESS_DENIED``."""
        self.status = details.status
        """The HTTP status; None without a response."""
        self.svc_request_id = details.svc_request_id
        """The id to quote to support; None without a response."""
        self.errors = tuple(details.errors)
        """Everything that is wrong with the request."""
        self.failure = details.failure
        """The ``failure`` code of the response, if any."""
        self.payment_id = details.payment_id
        """The payment that the error is about, if it names one."""
        self.payroll_id = details.payroll_id
        """The payroll that the error is about, if it names one."""
        self.onboarding_id = details.onboarding_id
        """The onboarding of a company that exists already."""
        self.retry_after_seconds = details.retry_after_seconds
        """After how many seconds to try again, where the service says so."""
        self.idempotency_key = details.idempotency_key
        """The key of the request: to repeat it safely, call the method again with this key."""

    @property
    def path(self) -> str | None:
        """The field of the first error, if it concerns one."""
        return self.errors[0].path if self.errors else None

    @property
    def docs(self) -> str | None:
        """Where the code is documented."""
        return self.errors[0].docs if self.errors else None

    def __str__(self) -> str:
        status = "" if self.status is None else f" (HTTP {self.status})"
        request = "" if self.svc_request_id is None else f" [request {self.svc_request_id}]"
        return f"{self.message}{status}{request}"


class HavnAuthenticationError(HavnError):
    """401, or a token that could not be obtained: id, secret or environment are wrong."""


class HavnPermissionError(HavnError):
    """403: the partner, the company or the credentials may not do this."""


class HavnNotFoundError(HavnError):
    """404: the resource does not exist, or it belongs to another partner."""


class HavnValidationError(HavnError):
    """400, 422 and similar: the request is wrong; everything that is wrong is in ``errors``."""


class HavnRejectedError(HavnError):
    """400 with a ``failure``: consent, bank or service do not allow the request."""


class HavnConflictError(HavnError):
    """409: the request conflicts with another one, or with the state of what it is about."""


class HavnRateLimitError(HavnError):
    """429: too many requests; see ``retry_after_seconds``."""


class HavnUnknownOutcomeError(HavnError):
    """The bank was asked and its answer is not known: it may hold the order.

    Read the status of ``payment_id`` or ``payroll_id``; never order again.
    """


class HavnServerError(HavnError):
    """5xx without an order; with 503 nothing was ordered, signed or cancelled."""


class HavnConnectionError(HavnError):
    """There is no response, or an incomplete one; ``__cause__`` says why.

    The request may have been executed, unless ``was_sent`` is false: repeat an order with its
    ``idempotency_key``, or look for it in the list.
    """

    def __init__(self, message: str, details: ErrorDetails) -> None:
        super().__init__(message, details)
        self.was_sent = details.was_sent
        """Whether the request may have reached the service."""


class HavnTimeoutError(HavnConnectionError):
    """No response within ``timeout_seconds``."""


class HavnResponseError(HavnError):
    """The response is not one of this API, although its status reports success."""

    def __init__(self, message: str, details: ErrorDetails) -> None:
        super().__init__(message, details)
        self.text = details.text or ""
        """The body of the response; empty if it was read in parts."""
