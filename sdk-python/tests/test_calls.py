"""Every operation is called as the document defines it, with its examples."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import BaseModel, TypeAdapter

from havn import Havn, HavnResponseError, PsuSession, models
from havn._generated import operations
from havn._generated.methods import Methods
from havn._operation import Operation

from .clients import Caller
from .conftest import Connect
from .samples import CONSENT_ID, INVOICE, PAYMENT_ID
from .scripted_service import Answer, ScriptedService

DOCUMENT: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "openapi.json").read_text()
)
PSU = PsuSession("127.0.0.1", "Mozilla/5.0", {"PSU-Accept-Language": "nb"})
OPERATIONS: list[Operation[Any]] = [
    value for value in vars(operations).values() if isinstance(value, Operation)
]


def test_every_operation_of_the_document_has_an_entry_and_a_method() -> None:
    items: list[dict[str, Any]] = list(DOCUMENT["paths"].values())
    documented = {
        item[method]["operationId"]
        for item in items
        for method in ("get", "post", "patch", "delete")
        if method in item
    }
    assert {operation.id for operation in OPERATIONS} == documented
    assert len([name for name in vars(Methods) if not name.startswith("_")]) >= len(documented)


def _documented(operation: Operation[Any]) -> dict[str, Any]:
    return DOCUMENT["paths"][operation.path][operation.method.lower()]


def _examples(content: dict[str, Any]) -> list[Any]:
    return [example["value"] for example in content.get("examples", {}).values()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_reads_every_documented_response_without_losing_a_field(operation: Operation[Any]) -> None:
    for status in operation.statuses:
        content = _documented(operation)["responses"][str(status)].get("content", {})
        for example in _examples(content.get("application/json", {})):
            value = operation.adapter.validate_python(example)
            written = operation.adapter.dump_python(value, mode="json", by_alias=True)
            assert _comparable(written) == _comparable(example)
            assert _unknown_fields(value) == []


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_writes_every_documented_request(operation: Operation[Any]) -> None:
    body = _documented(operation).get("requestBody")
    if body is None:
        return
    argument = next(
        annotation
        for name, annotation in _method(operation).__annotations__.items()
        if name == "body"
    )
    adapter = TypeAdapter[Any](eval(argument) if isinstance(argument, str) else argument)
    for example in _examples(next(iter(body["content"].values()))):
        value = adapter.validate_python(example)
        written = adapter.dump_python(value, mode="json", by_alias=True, exclude_none=True)
        assert _comparable(written) == _comparable(example)


def _method(operation: Operation[Any]) -> Any:
    name = next(name for name, value in vars(operations).items() if value is operation)
    return getattr(Methods, name.lower())


def _comparable(value: Any) -> Any:
    """Absent and null are the same; instants and numbers are compared as such."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value).items()
        return {name: _comparable(member) for name, member in members if member is not None}
    if isinstance(value, list):
        return [_comparable(item) for item in cast("list[Any]", value)]
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return Decimal(str(value)).normalize()
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return _number(value)
    return value


def _number(value: str) -> Any:
    try:
        return Decimal(value).normalize() if "." in value else value
    except ArithmeticError:
        return value


def _unknown_fields(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in cast("list[Any]", value) for name in _unknown_fields(item)]
    if not isinstance(value, BaseModel):
        return []
    nested = [name for _, member in value for name in _unknown_fields(member)]
    return [*(value.model_extra or {}), *nested]


def test_sends_consent_session_key_and_body(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(200, _initiated()))
    client.call(
        lambda havn: havn.initiate_domestic_payment(
            INVOICE, consent_id=CONSENT_ID, psu=PSU, idempotency_key="key-1"
        )
    )
    [request] = service.requests
    assert (request.method, request.path) == ("POST", "/api/v2/payments")
    assert request.json["from"]["account"] == {"type": "bban", "bban": "80501100017"}
    assert request.json["amount"] == {"amount": "1250.00", "currency": "NOK"}
    assert request.json["remittanceInformation"] == {"type": "message", "value": "Faktura 20455"}
    expected = {
        "authorization": "Bearer token-1",
        "consent-id": CONSENT_ID,
        "psu-ip-address": "127.0.0.1",
        "psu-user-agent": "Mozilla/5.0",
        "psu-accept-language": "nb",
        "idempotency-key": "key-1",
        "content-type": "application/json",
        "accept": "application/json",
        "prefer": "errors=detailed",
    }
    assert expected.items() <= request.headers.items()
    assert request.headers["user-agent"].startswith("havn-python/")


def test_sends_no_psu_headers_for_an_absent_user(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(200, {"accounts": []}))
    client.call(lambda havn: havn.list_accounts(consent_id=CONSENT_ID))
    assert [name for name in service.requests[0].headers if name.startswith("psu-")] == []


def test_encodes_path_and_query(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(200, {"payments": [], "nextCursor": None}))
    client.call(
        lambda havn: havn.list_payments(
            end_to_end_id="a&b=c+d",
            status=models.PaymentStatusValue.IN_PROGRESS,
            updated_since=datetime(2026, 11, 21, 11, tzinfo=timezone.utc),
            limit=5,
        )
    )
    parts = urlsplit(service.requests[0].path)
    assert parse_qs(parts.query) == {
        "endToEndId": ["a&b=c+d"],
        "status": ["InProgress"],
        "updatedSince": ["2026-11-21T11:00:00+00:00"],
        "limit": ["5"],
    }
    service.answers(Answer(200, {"items": []}))
    with pytest.raises(HavnResponseError):
        client.call(lambda havn: havn.get_account_balance("NO12/34 ?#æ%2F", consent_id=CONSENT_ID))
    assert service.requests[1].path == "/api/v2/accounts/NO12%2F34%20%3F%23%C3%A6%252F/balance"


@pytest.mark.parametrize("account_id", ["", ".", ".."])
def test_rejects_ids_that_address_another_path(
    client: Caller, service: ScriptedService, account_id: str
) -> None:
    with pytest.raises(ValueError, match="accountId must be the text of an id"):
        client.call(lambda havn: havn.get_account_balance(account_id, consent_id=CONSENT_ID))
    assert service.requests == []


def test_rejects_a_time_without_zone(client: Caller) -> None:
    with pytest.raises(ValueError, match="updatedSince needs a time zone"):
        client.call(lambda havn: havn.list_payments(updated_since=datetime(2026, 11, 21)))


def test_accepts_fields_values_and_variants_that_it_does_not_know(
    client: Caller, service: ScriptedService
) -> None:
    answer = {
        "id": "a-1",
        "status": "POSTPONED",
        "sca": {"type": "voice", "number": "+4712345678"},
        "mood": "good",
    }
    service.answers(Answer(200, answer))
    approval = client.call(
        lambda havn: havn.get_payment_approval("a-1", consent_id=CONSENT_ID, psu=PSU)
    )
    assert approval.status == "POSTPONED"
    assert not approval.status.is_known
    assert isinstance(approval.sca, models.UnknownVariant)
    assert approval.sca.model_extra == {"type": "voice", "number": "+4712345678"}
    assert approval.model_extra == {"mood": "good"}


def test_a_response_without_body_is_none(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(204))
    assert client.call(lambda havn: havn.revoke_consent(consent_id=CONSENT_ID, psu=PSU)) is None


def test_amounts_are_exact(client: Caller, service: ScriptedService) -> None:
    with pytest.raises(ValueError, match="a float is not exact"):
        models.Money(amount=0.1, currency="NOK")  # type: ignore[arg-type]
    entry = {
        "transactionId": "t-1",
        "stableEntryId": "s-1",
        "postedAmount": {"amount": 999999999999.99, "currency": "NOK"},
        "type": "CREDIT",
        "status": "BOOKED",
        "remittanceInformation": {},
        "creditor": {},
        "debtor": {},
        "enriched": False,
    }
    service.answers(Answer(200, {"accountEntries": [entry]}))
    day = INVOICE.due_date
    page = client.call(
        lambda havn: havn.list_account_entries(
            "a", from_date=day, to_date=day, consent_id=CONSENT_ID
        )
    )
    assert page.account_entries[0].posted_amount.amount == Decimal("999999999999.99")


def test_a_misspelt_field_is_rejected() -> None:
    with pytest.raises(ValueError, match="due_dat"):
        models.PayrollRequest(due_dat=INVOICE.due_date)  # type: ignore[call-arg]


def test_reads_other_formats(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(200, "date;amount\r\n"))
    content = client.call(
        lambda havn: havn.download_account_entries(
            "a",
            media_type="text/csv",
            from_date=INVOICE.due_date,
            to_date=INVOICE.due_date,
            consent_id=CONSENT_ID,
        )
    )
    assert content == b"date;amount\r\n"
    assert service.requests[0].headers["accept"] == "text/csv"


def test_does_not_follow_redirects(client: Caller, service: ScriptedService) -> None:
    service.answers(Answer(307, None, {"location": "/elsewhere"}))
    with pytest.raises(Exception, match="HTTP 307"):
        client.call(lambda havn: havn.list_companies())
    assert len(service.requests) == 1


def test_names_the_program_as_user_agent(connect: Connect, service: ScriptedService) -> None:
    connect(service.url, user_agent="my-erp/7").call(lambda havn: havn.list_companies())
    assert service.requests[0].headers["user-agent"].startswith("my-erp/7 havn-python/")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base_url": "127.0.0.1:8080"}, "must begin with https://"),
        ({"base_url": "https://a:b@127.0.0.1"}, "base_url must have neither a user"),
        ({"auth_url": "https://127.0.0.1/?a=b"}, "auth_url must have neither a user"),
        ({"client_secret": ""}, "must not be empty"),
        ({"environment": None}, "either environment"),
        ({"environment": "test"}, "must be 'sandbox' or 'production'"),
        ({"max_retries": -1}, "must not be negative"),
    ],
)
def test_wrong_settings_are_explained(changes: dict[str, Any], message: str) -> None:
    settings: dict[str, Any] = {
        "base_url": "http://127.0.0.1:8080",
        "client_id": "a",
        "client_secret": "b",
        "environment": "sandbox",
    }
    with pytest.raises(ValueError, match=message):
        Havn(**{**settings, **changes})


def _initiated() -> dict[str, Any]:
    status = {"status": "Unsigned", "timestamp": "2026-11-23T10:00:00.000Z"}
    return {"paymentId": PAYMENT_ID, "paymentStatus": status}
