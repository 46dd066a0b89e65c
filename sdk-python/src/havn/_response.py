"""Reads the response of a call: its value, or its error."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, TypeVar, cast

import httpx
from pydantic import ValidationError

from ._operation import Operation
from ._request import Call
from .errors import (
    AccessForbiddenError,
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    FieldError,
    MalformedResponseError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    ServiceUnavailableError,
    UnknownOutcomeError,
    ValidationFailedError,
)

T = TypeVar("T")

ERRORS_LISTED_MAX = 20
"""How many errors are in the message: a payroll may have thousands, all of them in ``errors``."""
SECONDS = re.compile(r"[0-9]{1,9}")

CLASSES_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: AccessForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationFailedError,
    429: RateLimitedError,
    503: ServiceUnavailableError,
}


def read_value(call: Call[T], response: httpx.Response) -> T:
    """The value of a successful response."""
    if call.operation.answer is None:
        return cast(T, None)
    try:
        # Amounts are exact: a float never holds one.
        parsed = json.loads(response.content, parse_float=Decimal)
        return call.operation.adapter.validate_python(parsed)
    except (ValueError, ValidationError) as error:
        raise MalformedResponseError(
            f"The response of {call.operation.id} cannot be read: {error}. Is the base URL right?",
            operation=call.operation.id,
            text=response.text,
            idempotency_key=call.idempotency_key,
        ) from error


def read_error(call: Call[T], response: httpx.Response) -> ApiError:
    """The error of any other response, also of one that is not the service's own."""
    body = _parse(response.content)
    fields = _fields(body)
    errors = _field_errors(body)
    payment_id, payroll_id = _text(fields, "paymentId"), _text(fields, "payrollId")
    is_unknown = response.status_code in (409, 503) and (payment_id or payroll_id) is not None
    error_class = (
        UnknownOutcomeError
        if is_unknown
        else CLASSES_BY_STATUS.get(
            response.status_code, ServerError if response.status_code >= 500 else ApiError
        )
    )
    return error_class(
        _message(call.operation, response, fields, errors),
        operation=call.operation.id,
        status=response.status_code,
        code=_code(fields, errors),
        errors=errors,
        request_id=response.headers.get("svc-request-id") or _text(fields, "svcRequestId"),
        payment_id=payment_id,
        payroll_id=payroll_id,
        onboarding_id=_text(fields.get("additionalInformation"), "onboardingId"),
        retry_after_seconds=retry_after(response),
        docs=_text(fields, "docs") or (errors[0].docs if errors else None),
        idempotency_key=call.idempotency_key,
    )


def retry_after(response: httpx.Response) -> float | None:
    """The service sends seconds; a date, which a proxy might send, is ignored."""
    value = response.headers.get("retry-after", "")
    return float(value) if SECONDS.fullmatch(value) else None


def _parse(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError:
        return None


def _field_errors(body: Any) -> tuple[FieldError, ...]:
    """Of the documented list, of the list in an envelope, or of the one error of an exchange order."""
    return tuple(
        FieldError(
            code=_text(item, "code") or "InvalidRequest",
            path=_text(item, "path") or ".",
            message=_text(item, "message") or _text(item, "reason") or "",
            docs=_text(item, "docs"),
        )
        for item in _listed(body)
    )


def _listed(body: Any) -> list[Any]:
    for found in (body, _fields(body).get("errors")):
        if isinstance(found, list):
            return cast("list[Any]", found)
    return [body] if _text(body, "code") and _text(body, "path") else []


def _code(fields: dict[str, Any], errors: tuple[FieldError, ...]) -> str | None:
    stated = _text(fields, "failure") or _text(fields, "code") or _text(fields, "error")
    return stated or (errors[0].code if errors else None)


def _message(
    operation: Operation[Any],
    response: httpx.Response,
    fields: dict[str, Any],
    errors: tuple[FieldError, ...],
) -> str:
    if errors:
        more = len(errors) - ERRORS_LISTED_MAX
        listed = [str(error) for error in errors[:ERRORS_LISTED_MAX]]
        return "; ".join([*listed, *([f"and {more} more"] if more > 0 else [])])
    stated = (
        _text(fields, "message") or _text(fields, "error_description") or _text(fields, "error")
    )
    if stated is not None:
        return stated
    is_plain = response.headers.get("content-type", "").startswith("text/plain")
    if is_plain and response.text.strip():
        return response.text.strip()
    return f"The service answered {operation.id} with HTTP {response.status_code}"


def _text(value: Any, name: str) -> str | None:
    found = _fields(value).get(name)
    return found if isinstance(found, str) else None


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
