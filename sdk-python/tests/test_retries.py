"""Requests are repeated only where that is safe, and with one idempotency key."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from havn import (
    Havn,
    HavnConflictError,
    HavnConnectionError,
    HavnError,
    HavnRateLimitError,
    HavnServerError,
    HavnUnknownOutcomeError,
)
from havn._generated.operations import LIST_COMPANIES
from havn._operation import Arguments
from havn._request import prepare
from havn._retry import Attempts
from havn.models import PaymentInitiated

from .clients import Caller
from .conftest import CREDENTIALS, PSU
from .samples import CONSENT_ID, INVOICE, PAYMENT_ID
from .scripted_service import LOST, Answer, ScriptedService, token_answer

INITIATED = Answer(
    200,
    {
        "paymentId": PAYMENT_ID,
        "paymentStatus": {"status": "Unsigned", "timestamp": "2026-11-23T10:00:00.000Z"},
    },
)
ENVELOPE: dict[str, Any] = {"svcRequestId": "r-1", "message": "Not now"}
STILL_RUNNING = Answer(409, {**ENVELOPE, "paymentId": PAYMENT_ID})
UNAVAILABLE = Answer(503, ENVELOPE)
TOO_MANY = Answer(429, ENVELOPE, {"retry-after": "0"})


def pay(havn: Havn) -> PaymentInitiated:
    return havn.initiate_domestic_payment(INVOICE, consent_id=CONSENT_ID, psu=PSU)


@pytest.mark.parametrize(
    "failures",
    [
        [LOST],
        [LOST, LOST, LOST],
        [UNAVAILABLE],
        [TOO_MANY, UNAVAILABLE],
        [Answer(502)],
        [Answer(504)],
        [LOST, STILL_RUNNING, STILL_RUNNING],
        [LOST, Answer(409, ENVELOPE)],
    ],
    ids=[
        "lost",
        "lost three times",
        "unavailable",
        "too many, then unavailable",
        "bad gateway",
        "gateway timeout",
        "lost, and still running",
        "lost, and still running without a payment",
    ],
)
def test_an_order_is_repeated_with_the_key_that_the_client_made(
    client: Caller, service: ScriptedService, quick_retries: list[float], failures: list[Answer]
) -> None:
    service.answers(*failures, INITIATED)
    assert client.call(pay).payment_id == PAYMENT_ID
    keys = {request.headers["idempotency-key"] for request in service.requests}
    bodies = {request.body for request in service.requests}
    assert len(service.requests) == len(failures) + 1
    assert (len(keys), len(bodies)) == (1, 1)
    assert len(keys.pop()) >= 32


def test_each_order_has_a_key_of_its_own(client: Caller, service: ScriptedService) -> None:
    service.answers(INITIATED)
    client.call(pay)
    client.call(pay)
    assert len({request.headers["idempotency-key"] for request in service.requests}) == 2


@pytest.mark.parametrize(
    ("answer", "error_class"),
    [
        (Answer(500, ENVELOPE), HavnServerError),
        (STILL_RUNNING, HavnUnknownOutcomeError),
        (Answer(409, ENVELOPE), HavnConflictError),
        (Answer(503, {**ENVELOPE, "paymentId": PAYMENT_ID}), HavnUnknownOutcomeError),
        (Answer(400, {**ENVELOPE, "failure": "ACCESS_DENIED"}), HavnError),
    ],
    ids=["500", "409 with a payment", "409", "503 with a payment", "400"],
)
def test_an_order_is_not_repeated_after(
    client: Caller,
    service: ScriptedService,
    quick_retries: list[float],
    answer: Answer,
    error_class: type[HavnError],
) -> None:
    service.answers(answer, INITIATED)
    with pytest.raises(error_class):
        client.call(pay)
    assert len(service.requests) == 1


def test_a_conflict_with_a_code_is_final_also_after_a_lost_response(
    client: Caller, service: ScriptedService, quick_retries: list[float]
) -> None:
    service.answers(LOST, Answer(409, {**ENVELOPE, "failure": "COMPANY_ALREADY_EXISTS"}))
    with pytest.raises(HavnConflictError):
        client.call(pay)
    assert len(service.requests) == 2


def test_the_last_error_is_raised_after_three_retries(
    client: Caller, service: ScriptedService, quick_retries: list[float]
) -> None:
    service.answers(LOST)
    with pytest.raises(HavnConnectionError) as caught:
        client.call(pay)
    assert len(service.requests) == 4
    assert caught.value.idempotency_key == service.requests[0].headers["idempotency-key"]
    assert quick_retries == [0.5, 1.0, 2.0]


@pytest.mark.parametrize("answer", [LOST, Answer(500, ENVELOPE), Answer(502), UNAVAILABLE])
def test_reading_is_repeated_after_any_failure(
    client: Caller, service: ScriptedService, quick_retries: list[float], answer: Answer
) -> None:
    service.answers(answer, Answer(200, []))
    assert client.call(lambda havn: havn.list_companies()) == []
    assert len(service.requests) == 2


@pytest.mark.parametrize(
    ("answer", "requests"), [(LOST, 1), (Answer(502), 1), (UNAVAILABLE, 1), (TOO_MANY, 2)]
)
def test_an_operation_without_key_is_repeated_only_if_nothing_was_done(
    client: Caller,
    service: ScriptedService,
    quick_retries: list[float],
    answer: Answer,
    requests: int,
) -> None:
    service.answers(answer, Answer(204))
    try:
        client.call(lambda havn: havn.revoke_consent(consent_id=CONSENT_ID, psu=PSU))
    except HavnError:
        assert requests == 1
    assert len(service.requests) == requests


def test_waits_as_long_as_the_service_says(quick_retries: list[float]) -> None:
    settings = Havn("http://127.0.0.1:8080", environment="sandbox", **CREDENTIALS)._settings
    attempts = Attempts(prepare(settings, LIST_COMPANIES, Arguments()), max_retries=2)
    assert attempts.after_response(httpx.Response(429, headers={"retry-after": "59"})) == 59
    assert attempts.after_response(httpx.Response(200)) is None
    with pytest.raises(HavnRateLimitError):
        attempts.after_response(httpx.Response(429, headers={"retry-after": "61"}))


def test_leaves_a_long_wait_to_the_caller(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(429, ENVELOPE, {"retry-after": "3600"}), Answer(200, []))
    with pytest.raises(HavnRateLimitError) as caught:
        client.call(lambda havn: havn.list_companies())
    assert caught.value.retry_after_seconds == 3600
    assert len(service.requests) == 1


@pytest.mark.parametrize("failure", [LOST, Answer(500, ENVELOPE), UNAVAILABLE])
def test_a_token_request_is_repeated(
    client: Caller, service: ScriptedService, quick_retries: list[float], failure: Answer
) -> None:
    service.answers(INITIATED)
    service.tokens_by(lambda _: failure if len(service.token_requests) == 1 else token_answer(2))
    assert client.call(pay).payment_id == PAYMENT_ID


@pytest.mark.parametrize(
    "answers",
    [[LOST, UNAVAILABLE], [LOST, Answer(429, ENVELOPE, {"retry-after": "3600"})]],
    ids=["503", "a long Retry-After"],
)
def test_a_lost_order_is_not_said_to_be_unordered_by_its_repetition(
    client: Caller, service: ScriptedService, quick_retries: list[float], answers: list[Answer]
) -> None:
    service.answers(*answers)
    with pytest.raises(HavnConnectionError) as caught:
        client.call(pay)
    assert caught.value.was_sent
    assert caught.value.idempotency_key == service.requests[0].headers["idempotency-key"]


def test_a_lost_order_without_a_token_for_its_repetition_raises_its_own_error(
    client: Caller, service: ScriptedService, quick_retries: list[float]
) -> None:
    service.answers(LOST, Answer(401))
    service.tokens_by(
        lambda _: token_answer(1) if len(service.token_requests) == 1 else UNAVAILABLE
    )
    with pytest.raises(HavnConnectionError) as caught:
        client.call(pay)
    assert caught.value.was_sent
    assert caught.value.idempotency_key == service.requests[0].headers["idempotency-key"]
