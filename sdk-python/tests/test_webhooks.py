"""Only authentic deliveries are accepted, and their events are typed."""

from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping
from datetime import datetime, timezone
from http.client import HTTPMessage
from typing import Any

import pytest

from havn import (
    UnknownEvent,
    WebhookRejectedError,
    verify_webhook,
)
from havn.models import (
    AccountEntriesEvent,
    ApprovalStatusEvent,
    ConsentEvent,
    ExchangeEvent,
    OnboardingStatusEvent,
    PaymentStatusEvent,
    PaymentStatusValue,
    PayrollStatusEvent,
    PayrollTransactionStatusEvent,
    TestEvent,
    WebhookEventType,
    WebhookSubscriptionRequest,
)

from .conftest import Connect
from .sandbox_company import company_with_consent
from .scripted_service import Answer, Received, ScriptedService

TestEvent.__test__ = False  # type: ignore[attr-defined]
SECRET = "mJ2fTq8Zc0RrYw4uXkLh6VbN1sPd3GeA7oQiUyC5tEw"
NOW = 1_796_000_000
TEST_EVENT = {
    "id": "01a207a6-51c8-7a03-8c1d-24f09b6a7e53",
    "type": "webhook.test",
    "createdAt": "2026-11-23T09:04:25.480Z",
    "name": "Ørsta",
}
BODY = json.dumps(TEST_EVENT, ensure_ascii=False).encode()


def sign(timestamp: int | str, secret: str = SECRET, body: bytes = BODY) -> str:
    signed = str(timestamp).encode() + b"." + body
    return "v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def headers_of(timestamp: int | str = NOW, signature: str | None = None) -> dict[str, str]:
    return {
        "X-SVC-Webhook-Id": "01a207a6-0000-7000-8000-000000000000",
        "X-SVC-Webhook-Timestamp": str(timestamp),
        "X-SVC-Webhook-Signature": sign(timestamp) if signature is None else signature,
    }


def received_by_http_server() -> HTTPMessage:
    headers = HTTPMessage()
    for name, value in headers_of().items():
        headers[name] = value
    return headers


def test_an_authentic_delivery_is_accepted() -> None:
    delivery = verify_webhook(BODY, headers_of(), SECRET, now_seconds=NOW + 299)
    assert delivery.delivery_id == "01a207a6-0000-7000-8000-000000000000"
    assert isinstance(delivery.event, TestEvent)
    assert delivery.event.created_at == datetime(2026, 11, 23, 9, 4, 25, 480000, timezone.utc)
    assert delivery.event.model_extra == {"name": "Ørsta"}


@pytest.mark.parametrize(
    "headers",
    [
        {name.lower(): value for name, value in headers_of().items()},
        {name.upper(): value for name, value in headers_of().items()},
        list(headers_of().items()),
        received_by_http_server(),
        headers_of(signature=sign(NOW).replace("v1=", "v1=").upper().replace("V1=", "v1=")),
    ],
    ids=["in small letters", "in capitals", "as a list", "of http.server", "hexadecimal capitals"],
)
def test_headers_may_come_in_any_form(headers: Any) -> None:
    assert verify_webhook(BODY, headers, SECRET, now_seconds=NOW).event.id == TEST_EVENT["id"]
    assert verify_webhook(BODY.decode(), headers, SECRET, now_seconds=NOW).event.id


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "missing-header"),
        ({**headers_of(), "x-svc-webhook-timestamp": str(NOW)}, "missing-header"),
        (headers_of("soon"), "malformed-timestamp"),
        (headers_of("9" * 400), "malformed-timestamp"),
        (headers_of("٣"), "malformed-timestamp"),
        (headers_of(NOW - 301), "timestamp-outside-tolerance"),
        (headers_of(NOW + 301), "timestamp-outside-tolerance"),
        (headers_of(signature=""), "malformed-signature"),
        (headers_of(signature=sign(NOW)[:40]), "malformed-signature"),
        (headers_of(signature="v2=" + sign(NOW)[3:]), "malformed-signature"),
        (headers_of(signature="v1=" + "ø" * 64), "malformed-signature"),
        (headers_of(signature=sign(NOW, "another")), "wrong-signature"),
        (headers_of(signature=sign(NOW, body=b"{}")), "wrong-signature"),
        (headers_of(signature=sign(NOW - 1)), "wrong-signature"),
    ],
)
def test_any_other_delivery_is_rejected(headers: Mapping[str, str], reason: str) -> None:
    with pytest.raises(WebhookRejectedError) as caught:
        verify_webhook(BODY, headers, SECRET, now_seconds=NOW)
    assert caught.value.reason == reason


def test_during_a_rotation_both_secrets_count() -> None:
    assert verify_webhook(BODY, headers_of(), ["new", SECRET], now_seconds=NOW)
    with pytest.raises(WebhookRejectedError):
        verify_webhook(BODY, headers_of(), ["new", "other"], now_seconds=NOW)


@pytest.mark.parametrize("secret", ["", [], ["new", ""]])
def test_an_empty_secret_is_an_error(secret: Any) -> None:
    with pytest.raises(ValueError, match="needs the signing secret"):
        verify_webhook(BODY, headers_of(), secret, now_seconds=NOW)


def verified(event: Any) -> Any:
    body = event if isinstance(event, bytes) else json.dumps(event).encode()
    headers = headers_of(signature=sign(NOW, body=body))
    return verify_webhook(body, headers, SECRET, now_seconds=NOW).event


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b'{"id": "1"}', b'{"id": 1, "type": "a"}'])
def test_a_body_without_event_is_rejected(body: bytes) -> None:
    with pytest.raises(WebhookRejectedError) as caught:
        verified(body)
    assert caught.value.reason == "malformed-body"


STATUS_EVENT: dict[str, Any] = {
    "id": "01a207a6-51c8-7a03-8c1d-24f09b6a7e53",
    "type": "PAYMENT_STATUS_IN_PROGRESS",
    "version": "1",
    "occurredAt": "2026-11-23T09:04:25.480Z",
    "data": {
        "paymentId": "01a207a3-1ce0-7371-9c17-149d439536b3",
        "previousStatus": "Unsigned",
        "status": "InProgress",
        "statusReason": None,
    },
}


def test_a_status_event_is_typed() -> None:
    event = verified(STATUS_EVENT)
    assert isinstance(event, PaymentStatusEvent)
    assert event.data.status is PaymentStatusValue.IN_PROGRESS
    assert event.data.status_reason is None


MODELS = {
    "paymentStatus": PaymentStatusEvent,
    "payrollStatus": PayrollStatusEvent,
    "payrollTransactionStatus": PayrollTransactionStatusEvent,
    "approvalStatus": ApprovalStatusEvent,
    "consent": ConsentEvent,
    "onboardingStatus": OnboardingStatusEvent,
    "exchange": ExchangeEvent,
    "accountEntries": AccountEntriesEvent,
    "test": TestEvent,
}


def test_every_documented_event_is_typed(documented_events: Mapping[str, dict[str, Any]]) -> None:
    events = {name: verified(event) for name, event in documented_events.items()}
    assert {name: type(event) for name, event in events.items()} == MODELS
    assert {name: event.id for name, event in events.items()} == {
        name: event["id"] for name, event in documented_events.items()
    }
    assert events["accountEntries"].data.new_entries == 3
    assert events["consent"].data.status_reason is None


def test_a_newer_type_of_a_known_family_is_typed(
    documented_events: Mapping[str, dict[str, Any]],
) -> None:
    families = {name: event for name, event in documented_events.items() if name != "test"}
    newer = {
        name: verified({**event, "type": event["type"].rpartition("_")[0] + "_NEWER"})
        for name, event in families.items()
    }
    assert {name: type(event) for name, event in newer.items()} == {
        name: model for name, model in MODELS.items() if name != "test"
    }


def test_a_status_that_is_not_known_yet_is_accepted() -> None:
    data = {**STATUS_EVENT["data"], "status": "OnHold", "statusReason": "Weather"}
    event = verified({**STATUS_EVENT, "type": "PAYMENT_STATUS_ON_HOLD", "data": data})
    assert isinstance(event, PaymentStatusEvent)
    assert (event.type, event.data.status, event.data.status_reason) == (
        "PAYMENT_STATUS_ON_HOLD",
        "OnHold",
        "Weather",
    )


@pytest.mark.parametrize(
    "event",
    [
        {"id": "1", "type": "MOON_PHASE", "phase": "full"},
        {"id": "1", "type": "PAYMENT_STATUS_IN_PROGRESS", "version": "2", "phase": "full"},
    ],
    ids=["of a new type", "of a later version"],
)
def test_an_event_that_is_not_known_yet_is_accepted(event: Any) -> None:
    read = verified(event)
    assert isinstance(read, UnknownEvent)
    assert (read.id, read.type) == (event["id"], event["type"])
    assert (read.model_extra or {})["phase"] == "full"


def test_deliveries_of_a_real_gateway_are_verified(
    connect: Connect, gateway_url: str, service: ScriptedService
) -> None:
    gateway = connect(gateway_url)
    service.answers(Answer(204))
    request = WebhookSubscriptionRequest(
        target_url=f"{service.url}/hook/{uuid.uuid4()}",
        event_types=[WebhookEventType.PAYMENT_STATUS, WebhookEventType.CONSENT],
    )
    subscription = gateway.call(lambda havn: havn.create_webhook_subscription(request))
    tested = gateway.call(lambda havn: havn.test_webhook_subscription(subscription.id))
    assert tested.succeeded, tested.error
    [test] = service.wait_for_requests(lambda received: len(received) == 1)
    assert isinstance(_event(test, subscription.signing_secret), TestEvent)

    company = company_with_consent(gateway)
    payment_id = company.order(company.invoice(f"HOOK-{uuid.uuid4().hex[:12]}"))
    company.sign(payment_id)
    _, *received = service.wait_for_requests(
        lambda received: any(payment_id.encode() in each.body for each in received)
    )
    events = [_event(each, subscription.signing_secret) for each in received]
    concerned = [each for each in events if isinstance(each, PaymentStatusEvent)]
    assert payment_id in {each.data.payment_id for each in concerned}
    with pytest.raises(WebhookRejectedError):
        _event(received[0], "another secret")
    gateway.call(lambda havn: havn.disable_webhook_subscription(subscription.id))
    listed = gateway.all(lambda havn: havn.iterate_webhook_events(page_size=100))
    assert concerned[0].id in {each.id for each in listed if isinstance(each, PaymentStatusEvent)}
    consents = gateway.all(lambda havn: havn.iterate_webhook_events(family="CONSENT"))
    accepted = [each for each in consents if isinstance(each, ConsentEvent)]
    assert company.consent_id in {each.data.consent_id for each in accepted}
    assert len(accepted) == len(consents)


def _event(received: Received, secret: str) -> Any:
    return verify_webhook(received.body, received.headers, secret).event
