"""Reads the response of a call: its value, or its error."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, TypeVar, cast

import httpx

from ._request import Call
from .errors import (
    ErrorDetails,
    ErrorItem,
    HavnAuthenticationError,
    HavnConflictError,
    HavnError,
    HavnNotFoundError,
    HavnPermissionError,
    HavnRateLimitError,
    HavnRejectedError,
    HavnResponseError,
    HavnServerError,
    HavnUnknownOutcomeError,
    HavnValidationError,
)

T = TypeVar("T")

ERRORS_LISTED_MAX = 20
"""How many errors are in the message: a payroll may have thousands, all of them in ``errors``."""
SECONDS = re.compile(r"[0-9]{1,9}")

CODES_BY_STATUS = {
    400: "BadRequest",
    401: "invalid_token",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    422: "InvalidRequest",
    429: "TooManyRequests",
    500: "InternalServerError",
    503: "ServiceUnavailable",
}
CLASSES_BY_STATUS: dict[int, type[HavnError]] = {
    401: HavnAuthenticationError,
    403: HavnPermissionError,
    404: HavnNotFoundError,
    409: HavnConflictError,
    429: HavnRateLimitError,
}


def read_value(call: Call[T], response: httpx.Response) -> T:
    """The value of a successful response."""
    if call.operation.answer is None:
        return cast(T, None)
    try:
        # Amounts are exact: a float never holds one.
        parsed = json.loads(response.content, parse_float=Decimal)
        return call.operation.adapter.validate_python(parsed)
    except ValueError as error:
        raise response_error(call, response, error, response.text) from error


def response_error(
    call: Call[Any], response: httpx.Response, reason: Exception, text: str | None = None
) -> HavnError:
    """The error of a response that cannot be read, although its status reports success."""
    return HavnResponseError(
        f"The response of {call.operation.id} cannot be read: {reason}. Is the base URL right?",
        ErrorDetails(
            operation=call.operation.id,
            code="MalformedResponse",
            status=response.status_code,
            svc_request_id=response.headers.get("svc-request-id"),
            idempotency_key=call.idempotency_key,
            text=text,
        ),
    )


def read_error(call: Call[Any], response: httpx.Response) -> HavnError:
    """The error of any other response, also of one that is not the service's own."""
    body = _parse(response.content)
    fields, errors = _fields(body), _errors(body)
    message = _message(response, fields, errors)
    failure = _text(fields, "failure") or _text(fields, "error")
    code = (
        (errors[0].code if errors else None)
        or _text(fields, "code")
        or failure
        or CODES_BY_STATUS.get(response.status_code, f"Http{response.status_code}")
    )
    details = ErrorDetails(
        operation=call.operation.id,
        code=code,
        status=response.status_code,
        svc_request_id=response.headers.get("svc-request-id") or _text(fields, "svcRequestId"),
        errors=errors or [ErrorItem(code, message, docs=_text(fields, "docs"))],
        failure=failure,
        payment_id=_text(fields, "paymentId"),
        payroll_id=_text(fields, "payrollId"),
        onboarding_id=_text(fields.get("additionalInformation"), "onboardingId"),
        retry_after_seconds=_retry_after(response),
        idempotency_key=call.idempotency_key,
    )
    return _class_of(details, response.status_code)(message, details)


def _class_of(details: ErrorDetails, status: int) -> type[HavnError]:
    names_order = (details.payment_id or details.payroll_id) is not None
    if names_order and (status == 409 or status >= 500):
        return HavnUnknownOutcomeError
    if details.operation == "issueToken" and status == 400:
        return HavnAuthenticationError
    if status in CLASSES_BY_STATUS:
        return CLASSES_BY_STATUS[status]
    if status >= 500:
        return HavnServerError
    if status >= 400:
        return HavnValidationError if details.failure is None else HavnRejectedError
    return HavnError


def _retry_after(response: httpx.Response) -> float | None:
    """The service sends seconds; a date, which a proxy might send, is ignored."""
    value = response.headers.get("retry-after", "")
    return float(value) if SECONDS.fullmatch(value) else None


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _errors(body: Any) -> list[ErrorItem]:
    """Of the list in an envelope, of the documented list, or of one error alone."""
    return [
        ErrorItem(
            code=_text(item, "code") or "InvalidRequest",
            message=_text(item, "message") or _text(item, "reason") or "",
            path=_text(item, "path"),
            value=item.get("value"),
            rule=item.get("rule"),
            docs=_text(item, "docs"),
        )
        for item in map(_fields, _listed(body))
        if _text(item, "code") is not None
    ]


def _listed(body: Any) -> list[Any]:
    for found in (_fields(body).get("errors"), body):
        if isinstance(found, list):
            return cast("list[Any]", found)
    return [body] if _text(body, "code") and _text(body, "path") else []


def _message(response: httpx.Response, fields: dict[str, Any], errors: list[ErrorItem]) -> str:
    names = ("message", "error_description", "error")
    stated = next((text for text in (_text(fields, name) for name in names) if text), None)
    if stated is not None and not any(error.is_about_field for error in errors):
        return stated
    if any(error.path is not None for error in errors):
        more = len(errors) - ERRORS_LISTED_MAX
        listed = [str(error) for error in errors[:ERRORS_LISTED_MAX]]
        return "; ".join([*listed, *([f"and {more} more"] if more > 0 else [])])
    is_plain = response.headers.get("content-type", "").startswith("text/plain")
    if is_plain and response.text.strip():
        return response.text.strip()
    return f"The service answered HTTP {response.status_code}"


def _text(value: Any, name: str) -> str | None:
    found = _fields(value).get(name)
    return found if isinstance(found, str) else None


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
