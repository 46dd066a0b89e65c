"""Errors have a class, a code, a path and the id to quote to support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from havn import (
    Havn,
    HavnAuthenticationError,
    HavnConflictError,
    HavnConnectionError,
    HavnError,
    HavnNotFoundError,
    HavnPermissionError,
    HavnRateLimitError,
    HavnRejectedError,
    HavnResponseError,
    HavnServerError,
    HavnTimeoutError,
    HavnUnknownOutcomeError,
    HavnValidationError,
    PsuSession,
)
from havn.models import PaymentInitiated

from .clients import Caller
from .conftest import CREDENTIALS, PSU, Connect
from .samples import CONSENT_ID, INVOICE, PAYMENT_ID
from .scripted_service import LOST, Answer, ScriptedService

REQUEST_ID = "01a207a7-0000-7000-8000-000000000000"


def pay(havn: Havn) -> PaymentInitiated:
    return havn.initiate_domestic_payment(
        INVOICE, consent_id=CONSENT_ID, psu=PSU, idempotency_key="key-1"
    )


def failure(client: Caller, use: Callable[[Havn], object] = pay) -> Any:
    with pytest.raises(HavnError) as caught:
        client.call(use)
    return caught.value


@pytest.mark.parametrize(
    ("status", "error_class", "code"),
    [
        (400, HavnValidationError, "BadRequest"),
        (401, HavnAuthenticationError, "invalid_token"),
        (403, HavnPermissionError, "Forbidden"),
        (404, HavnNotFoundError, "NotFound"),
        (409, HavnConflictError, "Conflict"),
        (418, HavnValidationError, "Http418"),
        (422, HavnValidationError, "InvalidRequest"),
        (429, HavnRateLimitError, "TooManyRequests"),
        (500, HavnServerError, "InternalServerError"),
        (502, HavnServerError, "Http502"),
        (503, HavnServerError, "ServiceUnavailable"),
    ],
)
def test_the_class_follows_from_the_status(
    connect: Connect,
    service: ScriptedService,
    status: int,
    error_class: type[HavnError],
    code: str,
) -> None:
    service.answers(Answer(status, {"svcRequestId": REQUEST_ID, "message": "Not now"}))
    error = failure(connect(service.url, max_retries=0))
    assert type(error) is error_class
    assert (error.status, error.message, error.code) == (status, "Not now", code)
    assert (error.operation, error.svc_request_id) == ("initiateDomesticPayment", REQUEST_ID)
    assert error.idempotency_key == "key-1"
    assert str(error) == f"Not now (HTTP {status}) [request {REQUEST_ID}]"


def test_a_failure_has_its_code(client: Caller, service: ScriptedService) -> None:
    body = {"failure": "ACCESS_DENIED", "svcRequestId": REQUEST_ID, "message": "Not on the consent"}
    service.answers(Answer(400, {**body, "docs": "https://havn.example/docs/errors#ACCESS_DENIED"}))
    error = failure(client)
    assert type(error) is HavnRejectedError
    assert (error.code, error.failure, error.path) == ("ACCESS_DENIED", "ACCESS_DENIED", None)
    assert [each.message for each in error.errors] == ["Not on the consent"]
    assert error.docs == "https://havn.example/docs/errors#ACCESS_DENIED"


def test_a_422_has_every_field_error(client: Caller, service: ScriptedService) -> None:
    listed = [
        {"code": "InvalidAmount", "reason": "must be above zero", "path": ".amount.amount"},
        {"code": "FromTheFuture", "reason": "is new", "path": ".dueDate", "message": "Is new."},
    ]
    service.answers(Answer(422, listed, {"svc-request-id": REQUEST_ID}))
    error = failure(client)
    assert [each.code for each in error.errors] == ["InvalidAmount", "FromTheFuture"]
    assert (error.code, error.path, error.svc_request_id) == (
        "InvalidAmount",
        ".amount.amount",
        REQUEST_ID,
    )
    assert error.message == (
        ".amount.amount: must be above zero (InvalidAmount); .dueDate: Is new. (FromTheFuture)"
    )


def test_an_envelope_may_have_the_field_errors(client: Caller, service: ScriptedService) -> None:
    item = {"code": "InvalidBBAN", "path": ".to.account.bban", "message": "No number.", "docs": "d"}
    body = {"svcRequestId": REQUEST_ID, "message": "Invalid", "code": "InvalidBBAN"}
    service.answers(Answer(422, {**body, "errors": [item]}))
    error = failure(client)
    assert (error.code, error.path, error.docs) == ("InvalidBBAN", ".to.account.bban", "d")


def test_an_error_of_the_whole_request_has_no_path_in_its_text(
    client: Caller, service: ScriptedService
) -> None:
    item = {"code": "NotFound", "path": ".", "message": "There is none.", "docs": "d"}
    envelope = {"svcRequestId": REQUEST_ID, "message": "There is none.", "code": "NotFound"}
    listed = [{"code": "InvalidRequest", "reason": "Used.", "path": "."}]
    service.answers(Answer(404, {**envelope, "errors": [item]}), Answer(422, listed))
    error = failure(client)
    assert (error.message, error.path) == ("There is none.", ".")
    assert str(error.errors[0]) == "There is none. (NotFound)"
    assert failure(client).message == "Used. (InvalidRequest)"


def test_an_exchange_order_has_its_first_error(client: Caller, service: ScriptedService) -> None:
    body = {"code": "MissingField", "reason": "is required", "path": ".from.bic"}
    service.answers(Answer(400, body))
    error = failure(client, lambda havn: havn.list_companies())
    assert (error.code, error.path, len(error.errors)) == ("MissingField", ".from.bic", 1)


def test_the_message_lists_the_first_errors_of_many(
    client: Caller, service: ScriptedService
) -> None:
    listed = [
        {"code": "InvalidRequest", "reason": "wrong", "path": f".t[{n}]"} for n in range(1001)
    ]
    service.answers(Answer(422, listed))
    error = failure(client)
    assert len(error.errors) == 1001
    assert error.message.endswith(".t[19]: wrong (InvalidRequest); and 981 more")


@pytest.mark.parametrize("status", [409, 503])
def test_an_unknown_outcome_names_the_order_and_is_not_repeated(
    client: Caller, service: ScriptedService, status: int
) -> None:
    body = {"svcRequestId": REQUEST_ID, "message": "The outcome is not known"}
    service.answers(Answer(status, {**body, "paymentId": PAYMENT_ID}, {"retry-after": "30"}))
    error = failure(client)
    assert type(error) is HavnUnknownOutcomeError
    assert (error.status, error.payment_id, error.payroll_id) == (status, PAYMENT_ID, None)
    assert error.retry_after_seconds == 30
    assert len(service.requests) == 1
    service.answers(Answer(status, {**body, "payrollId": PAYMENT_ID}))
    assert failure(client).payroll_id == PAYMENT_ID


def test_an_existing_company_names_its_onboarding(client: Caller, service: ScriptedService) -> None:
    body = {
        "failure": "COMPANY_ALREADY_EXISTS",
        "svcRequestId": REQUEST_ID,
        "message": "The company exists",
        "additionalInformation": {"onboardingId": PAYMENT_ID},
    }
    service.answers(Answer(409, body))
    error = failure(client)
    assert type(error) is HavnConflictError
    assert error.onboarding_id == PAYMENT_ID


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("The company is not onboarded", "The company is not onboarded"),
        ([1, None], "The service answered HTTP 403"),
        (None, "The service answered HTTP 403"),
    ],
)
def test_any_error_response_is_readable(
    client: Caller, service: ScriptedService, body: Any, message: str
) -> None:
    service.answers(Answer(403, body))
    assert failure(client, lambda havn: havn.list_companies()).message == message


def test_a_response_that_is_no_json_is_reported_with_its_text(
    client: Caller, service: ScriptedService
) -> None:
    service.answers(Answer(200, "<h1>Welcome</h1>"))
    error = failure(client)
    assert isinstance(error, HavnResponseError)
    assert error.text == "<h1>Welcome</h1>"
    assert "Is the base URL right?" in str(error)


def test_an_unreachable_service_was_sent_nothing(connect: Connect) -> None:
    service = ScriptedService()
    url = service.url
    service.close()
    error = failure(connect(url, max_retries=0))
    assert isinstance(error, HavnConnectionError)
    assert (error.operation, error.was_sent) == ("issueToken", False)


def test_a_lost_response_names_the_key_to_repeat_with(
    connect: Connect, service: ScriptedService
) -> None:
    service.answers(LOST)
    error = failure(connect(service.url, max_retries=0))
    assert isinstance(error, HavnConnectionError)
    assert (error.was_sent, error.idempotency_key) == (True, "key-1")
    assert "repeat it with the same idempotency_key" in str(error)


def test_a_timeout_has_a_class_of_its_own(connect: Connect, service: ScriptedService) -> None:
    client = connect(service.url, max_retries=0)
    client.call(lambda havn: havn.list_companies())
    service.hold()
    error = failure(client, lambda havn: havn.list_companies(timeout=0.05))
    assert isinstance(error, HavnTimeoutError)


@pytest.mark.parametrize("status", [200, 500])
def test_a_response_that_arrives_byte_by_byte_times_out_as_well(
    connect: Connect, service: ScriptedService, status: int
) -> None:
    client = connect(service.url, max_retries=0)
    client.call(lambda havn: havn.list_companies())
    service.answers(Answer(status, " " * 100, byte_seconds=0.1))
    error = failure(client, lambda havn: havn.list_companies(timeout=0.5))
    assert isinstance(error, HavnTimeoutError)


def test_a_session_has_headers_of_the_psu_only() -> None:
    with pytest.raises(ValueError, match="begin with PSU-, unlike Cookie"):
        PsuSession("127.0.0.1", "Mozilla/5.0", {"Cookie": "a"})


def test_a_response_in_another_encoding_than_it_says_is_an_incomplete_one(
    service: ScriptedService,
) -> None:
    service.answers(Answer(200, "no gzip", {"content-encoding": "gzip"}))
    havn = Havn(service.url, environment="sandbox", max_retries=0, **CREDENTIALS)
    with havn, pytest.raises(HavnConnectionError) as caught:
        havn.list_companies()
    assert caught.value.was_sent
