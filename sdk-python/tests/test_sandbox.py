"""Both clients against a real gateway with the sandbox bank."""

from __future__ import annotations

import uuid
from datetime import timedelta
from decimal import Decimal

import pytest

from havn import (
    HavnAuthenticationError,
    HavnNotFoundError,
    HavnRejectedError,
    HavnUnknownOutcomeError,
    HavnValidationError,
    move_clock,
    move_clock_async,
)
from havn.models import (
    ClockMove,
    DomesticPaymentListed,
    DomesticPaymentShown,
    PaymentStatusValue,
    SandboxFault,
)

from .clients import Caller
from .conftest import PSU, Connect
from .sandbox_company import SandboxCompany, company_with_consent

SALARIES = 3


@pytest.fixture
def gateway(connect: Connect, gateway_url: str) -> Caller:
    return connect(gateway_url)


@pytest.fixture
def company(gateway: Caller) -> SandboxCompany:
    return company_with_consent(gateway)


def unique(prefix: str) -> str:
    return f"{prefix}-{uuid.uuid4().hex[:12]}"


def advance(client: Caller, period: str) -> None:
    move = ClockMove(advance=period)
    mover = move_clock if client.name == "sync" else move_clock_async
    before = client.call(lambda havn: havn.get_sandbox_clock()).now
    after = client.call(lambda havn: mover(havn, move)).now  # type: ignore[arg-type]
    assert after > before


def test_an_invoice_is_paid(company: SandboxCompany, gateway: Caller) -> None:
    payment_id = company.order(company.invoice(unique("INV")))
    status = gateway.call(lambda havn: havn.get_payment_status(payment_id))
    assert status.status is PaymentStatusValue.UNSIGNED
    company.sign(payment_id)
    advance(gateway, "P3D")
    payment = gateway.call(lambda havn: havn.get_payment(payment_id))
    assert isinstance(payment, DomesticPaymentShown)
    assert payment.payment_status.status is PaymentStatusValue.COMPLETED
    assert payment.amount.amount == Decimal("1250.00")


def test_a_payroll_is_paid(gateway: Caller) -> None:
    company = company_with_consent(gateway, "PAYROLL")
    calendar = gateway.call(lambda havn: havn.get_exchange_calendar(country="NO"))
    bank_day = calendar.default_due_date
    payroll = gateway.call(
        lambda havn: havn.initiate_payroll(
            company.salaries(bank_day, SALARIES), consent_id=company.consent_id, psu=PSU
        )
    )
    assert [each.payroll_status for each in payroll.transactions] == ["Unsigned"] * SALARIES
    company.sign_payroll(payroll.payroll_id)
    advance(gateway, "P7D")
    status = gateway.call(lambda havn: havn.get_payroll_status(payroll.payroll_id))
    assert [each.payroll_status for each in status.transactions] == ["Completed"] * SALARIES
    assert payroll.payroll_id in {
        each.payroll_id for each in gateway.all(lambda havn: havn.iterate_payrolls(page_size=1))
    }


def test_a_list_is_iterated_over_all_pages(company: SandboxCompany, gateway: Caller) -> None:
    end_to_end_id = unique("LIST")
    amounts = ["1.01", "1.02", "1.03"]
    ordered = {company.order(company.invoice(end_to_end_id, amount)) for amount in amounts}
    listed = gateway.all(
        lambda havn: havn.iterate_payments(end_to_end_id=end_to_end_id, page_size=1)
    )
    assert {
        each.payment_id for each in listed if isinstance(each, DomesticPaymentListed)
    } == ordered
    assert len(listed) == len(amounts)


def test_entries_are_iterated_over_a_long_range(company: SandboxCompany, gateway: Caller) -> None:
    payment_id = company.order(company.invoice(unique("ENTRY"), "17.17"))
    company.sign(payment_id)
    advance(gateway, "P3D")
    today = company.today()
    accounts = gateway.call(
        lambda havn: havn.list_accounts(consent_id=company.consent_id, psu=PSU)
    ).accounts
    account_id = next(each.id for each in accounts if each.bban == company.bban)
    entries = gateway.all(
        lambda havn: havn.iterate_account_entries(
            account_id,
            from_date=today - timedelta(days=80),
            to_date=today,
            consent_id=company.consent_id,
            psu=PSU,
        )
    )
    matched = [entry for entry in entries if entry.payment_id == payment_id]
    assert [entry.posted_amount.amount for entry in matched] == [Decimal("17.17")]
    assert len({entry.stable_entry_id for entry in entries}) == len(entries)
    camt = gateway.call(
        lambda havn: havn.download_account_entries(
            account_id,
            media_type="application/xml",
            from_date=today - timedelta(days=5),
            to_date=today,
            consent_id=company.consent_id,
            psu=PSU,
        )
    )
    assert b"camt.053.001.08" in camt


def test_a_repeated_order_has_the_stored_response(company: SandboxCompany) -> None:
    invoice, key = company.invoice(unique("KEY")), str(uuid.uuid4())
    assert company.order(invoice, key) == company.order(invoice, key)


def test_a_lost_answer_of_the_bank_is_an_unknown_outcome(
    company: SandboxCompany, gateway: Caller
) -> None:
    gateway.call(
        lambda havn: havn.disturb_sandbox_bank(
            company.bank.bic, SandboxFault(effect="lose-next-answer")
        )
    )
    invoice = company.invoice(unique("LOST"))
    with pytest.raises(HavnUnknownOutcomeError) as caught:
        company.order(invoice)
    payment_id = caught.value.payment_id
    assert payment_id is not None
    status = gateway.call(lambda havn: havn.get_payment_status(payment_id))
    assert status.outcome_unknown is True or status.status is PaymentStatusValue.UNSIGNED


def test_errors_name_field_code_and_request(company: SandboxCompany, gateway: Caller) -> None:
    invoice = company.invoice(unique("WRONG"))
    wrong = invoice.model_copy(deep=True)
    wrong.to.account.bban = "80501200012"
    wrong.amount.amount = Decimal("0")
    with pytest.raises(HavnValidationError) as invalid:
        company.order(wrong)
    assert {error.path for error in invalid.value.errors} == {".to.account.bban", ".amount.amount"}
    assert invalid.value.svc_request_id is not None
    foreign = invoice.model_copy(deep=True)
    foreign.from_.account.bban = foreign.to.account.bban
    foreign.to.account.bban = company.bban
    with pytest.raises(HavnRejectedError) as denied:
        company.order(foreign)
    assert denied.value.code == "ACCESS_DENIED"
    with pytest.raises(HavnNotFoundError):
        gateway.call(lambda havn: havn.get_payment(str(uuid.uuid4())))


def test_a_wrong_secret_is_reported(connect: Connect, gateway_url: str) -> None:
    client = connect(gateway_url, client_secret="wrong")
    with pytest.raises(HavnAuthenticationError) as caught:
        client.call(lambda havn: havn.list_companies())
    assert (caught.value.operation, caught.value.code) == ("issueToken", "invalid_client")
