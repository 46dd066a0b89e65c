"""Lists are read page by page, and entries one by one while their response arrives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from havn import Havn, HavnNotFoundError, HavnResponseError
from havn._iteration import ElementReader
from havn.models import AccountEntry

from .clients import Caller
from .samples import CONSENT_ID, INVOICE
from .scripted_service import Answer, Received, ScriptedService


def query_of(received: Received) -> dict[str, list[str]]:
    return parse_qs(urlsplit(received.path).query)


def delivery(number: int) -> dict[str, Any]:
    at = "2026-11-23T10:00:00.000Z"
    return {
        "id": f"d-{number}",
        "subscriptionId": "s-1",
        "eventId": f"e-{number}",
        "eventType": "webhook.test",
        "status": "Succeeded",
        "targetUrl": "https://erp.example/hook",
        "attemptsMade": 1,
        "createdAt": at,
        "updatedAt": at,
        "nextAttemptAt": None,
        "lastError": None,
    }


def test_pages_are_followed_with_the_same_filters(client: Caller, service: ScriptedService) -> None:
    service.answers(
        Answer(200, {"deliveries": [delivery(1), delivery(2)], "nextCursor": "c1"}),
        Answer(200, {"deliveries": [], "nextCursor": "c2"}),
        Answer(200, {"deliveries": [delivery(3)], "nextCursor": None}),
    )
    found = client.all(
        lambda havn: havn.iterate_webhook_deliveries("s-1", event_type="webhook.test", page_size=2)
    )
    assert [each.id for each in found] == ["d-1", "d-2", "d-3"]
    same = {"eventType": ["webhook.test"], "limit": ["2"]}
    cursors = [{}, {"cursor": ["c1"]}, {"cursor": ["c2"]}]
    assert [query_of(each) for each in service.requests] == [{**same, **each} for each in cursors]


def test_a_page_that_fails_ends_the_iteration(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(404, {"message": "The subscription does not exist"}))
    with pytest.raises(HavnNotFoundError) as caught:
        client.all(lambda havn: havn.iterate_webhook_deliveries("s-1"))
    assert caught.value.operation == "listWebhookDeliveries"


def test_requests_of_the_log_are_followed(client: Caller, service: ScriptedService) -> None:
    logged = {
        "receivedAt": "2026-11-23T10:00:00.000Z",
        "method": "POST",
        "path": "/api/v2/payments/domestic",
        "status": 400,
        "milliseconds": 12.5,
        "clientId": "demo-partner",
        "errorCodes": ["InvalidRequest"],
        "warnings": [],
        "subject": None,
        "idempotencyKey": None,
    }
    service.answers(
        Answer(200, {"requests": [{"svcRequestId": "r-2", **logged}], "nextCursor": "c1"}),
        Answer(200, {"requests": [{"svcRequestId": "r-1", **logged}], "nextCursor": None}),
    )
    found = client.all(lambda havn: havn.iterate_requests(status="errors"))
    assert [each.svc_request_id for each in found] == ["r-2", "r-1"]
    queries = [query_of(each) for each in service.requests]
    assert queries == [{"status": ["errors"]}, {"status": ["errors"], "cursor": ["c1"]}]


def test_events_of_a_list_have_the_models_of_their_types(
    client: Caller, service: ScriptedService, documented_events: Mapping[str, dict[str, Any]]
) -> None:
    listed = [event for name, event in documented_events.items() if name != "test"]
    unknown = [
        {"id": "u-1", "type": "MOON_PHASE", "phase": "full"},
        {"id": "u-2", "type": "CONSENT_ACCEPTED", "version": "2", "phase": "full"},
    ]
    service.answers(
        Answer(200, {"events": [*listed, *unknown], "nextAfter": "7", "missed": False}),
        Answer(200, {"events": [], "nextAfter": "7", "missed": False}),
    )
    found = client.all(lambda havn: havn.iterate_webhook_events(family="CONSENT"))
    assert [type(each).__name__ for each in found] == [
        "PaymentStatusEvent",
        "PayrollStatusEvent",
        "PayrollTransactionStatusEvent",
        "ApprovalStatusEvent",
        "ConsentEvent",
        "OnboardingStatusEvent",
        "ExchangeEvent",
        "AccountEntriesEvent",
        "UnknownEvent",
        "UnknownEvent",
    ]
    assert (found[-1].model_extra or {})["phase"] == "full"
    assert [query_of(each)["family"] for each in service.requests] == [["CONSENT"], ["CONSENT"]]


def test_events_end_where_there_are_no_more(
    client: Caller, service: ScriptedService, caplog: pytest.LogCaptureFixture
) -> None:
    at = "2026-11-23T10:00:00.000Z"
    event = {
        "id": "e-1",
        "type": "PAYMENT_STATUS_COMPLETED",
        "version": "1",
        "occurredAt": at,
        "data": {"paymentId": "p-1", "previousStatus": "InProgress", "status": "Completed"},
    }
    service.answers(
        Answer(200, {"events": [event], "nextAfter": "7", "missed": True}),
        Answer(200, {"events": [], "nextAfter": "7", "missed": False}),
    )
    found = client.all(lambda havn: havn.iterate_webhook_events(after="3"))
    assert [each.id for each in found] == ["e-1"]
    assert [query_of(each)["after"] for each in service.requests] == [["3"], ["7"]]
    assert "were deleted" in caplog.text


def entry(number: int) -> dict[str, Any]:
    return {
        "transactionId": f"t-{number}",
        "stableEntryId": f"s-{number}",
        "postedAmount": {"amount": 0.1, "currency": "NOK"},
        "type": "CREDIT",
        "status": "BOOKED",
        "purposeText": 'He said: "]}" \\ and [{',
        "remittanceInformation": {},
        "creditor": {},
        "debtor": {},
        "enriched": False,
    }


def entries(havn: Havn) -> Iterable[AccountEntry]:
    day = INVOICE.due_date
    return havn.iterate_account_entries("a", from_date=day, to_date=day, consent_id=CONSENT_ID)


def test_entries_are_read_from_one_response(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(200, {"accountEntries": [entry(1), entry(2)]}))
    found = client.all(entries)
    assert [each.transaction_id for each in found] == ["t-1", "t-2"]
    assert [each.posted_amount.amount for each in found] == [Decimal("0.1")] * 2
    assert len(service.requests) == 1


def test_entries_that_end_early_are_an_error(client: Caller, service: ScriptedService) -> None:
    whole = json.dumps({"accountEntries": [entry(1), entry(2)]})
    service.answers(Answer(200, whole[:-20]))
    with pytest.raises(HavnResponseError, match="ends before its last element"):
        client.all(entries)


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
def test_elements_are_found_however_the_text_is_divided(size: int) -> None:
    elements = [entry(1), {}, entry(2)]
    text = json.dumps({"page": 1, "accountEntries": elements, "more": [{"a": 1}]}, indent=1)
    reader = ElementReader("accountEntries")
    found = [
        element
        for start in range(0, len(text), size)
        for element in reader.feed(text[start : start + size])
    ]
    reader.finish()
    assert found == json.loads(json.dumps(elements), parse_float=Decimal)
