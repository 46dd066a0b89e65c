"""A company of the sandbox with a user who has given consent, and what it orders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from zoneinfo import ZoneInfo

from havn.models import (
    ApprovalRequest,
    Bank,
    ConsentRequest,
    ContactInformation,
    Creditor,
    CreditorAccount,
    Debtor,
    DebtorAccount,
    DomesticPayment,
    MessageRemittance,
    Money,
    PaymentMetadata,
    PayrollApprovalRequest,
    PayrollCreditorAccount,
    PayrollDebtor,
    PayrollDebtorAccount,
    PayrollMessage,
    PayrollRequest,
    PayrollTransactionRequest,
    SandboxUser,
)

from .clients import Caller
from .conftest import PSU

CALLBACK_URL = "http://127.0.0.1:3000/back"
SUPPLIER = "80501200011"


@dataclass(frozen=True)
class SandboxCompany:
    """A company, its bank and account, and its user's consent."""

    client: Caller
    bank: Bank
    name: str
    organization_number: str
    bban: str
    consent_id: str

    def today(self) -> date:
        """The bank's day by the sandbox clock."""
        clock = self.client.call(lambda havn: havn.get_sandbox_clock())
        return clock.now.astimezone(ZoneInfo("Europe/Oslo")).date()

    def invoice(self, end_to_end_id: str, amount: str = "1250.00") -> DomesticPayment:
        return DomesticPayment(
            metadata=PaymentMetadata(end_to_end_id=end_to_end_id),
            from_=Debtor(
                account=DebtorAccount(bban=self.bban),
                contact_information=ContactInformation(name=self.name),
                currency="NOK",
            ),
            to=Creditor(
                account=CreditorAccount(bban=SUPPLIER),
                contact_information=ContactInformation(name="Granli Trelast AS"),
            ),
            amount=Money(amount=Decimal(amount), currency="NOK"),
            due_date=self.today(),
            remittance_information=MessageRemittance(value=end_to_end_id),
        )

    def order(self, payment: DomesticPayment, idempotency_key: str | None = None) -> str:
        """Initiates a payment, and returns its id."""
        initiated = self.client.call(
            lambda havn: havn.initiate_domestic_payment(
                payment, consent_id=self.consent_id, psu=PSU, idempotency_key=idempotency_key
            )
        )
        return initiated.payment_id

    def sign(self, payment_id: str) -> None:
        request = ApprovalRequest(payments=[payment_id], callback_url=CALLBACK_URL)
        approval = self.client.call(
            lambda havn: havn.approve_payments(request, consent_id=self.consent_id, psu=PSU)
        )
        self._decide(approval.id)

    def salaries(self, due_date: date, count: int) -> PayrollRequest:
        return PayrollRequest(
            from_=PayrollDebtor(account=PayrollDebtorAccount(bban=self.bban), name=self.name),
            transactions=[
                PayrollTransactionRequest(
                    metadata=PaymentMetadata(end_to_end_id=f"SAL-{number}"),
                    name=f"Employee {number}",
                    account=PayrollCreditorAccount(bban=SUPPLIER),
                    amount=Money(amount=Decimal(30_000 + number), currency="NOK"),
                    remittance_information=PayrollMessage(value="Salary"),
                )
                for number in range(count)
            ],
            due_date=due_date,
        )

    def sign_payroll(self, payroll_id: str) -> None:
        request = PayrollApprovalRequest(payroll_id=payroll_id, callback_url=CALLBACK_URL)
        approval = self.client.call(
            lambda havn: havn.approve_payrolls(request, consent_id=self.consent_id, psu=PSU)
        )
        self._decide(approval.id)

    def _decide(self, approval_id: str) -> None:
        result = self.client.call(
            lambda havn: havn.decide_sandbox_approval(approval_id, "sign", SandboxUser())
        )
        assert result.outcome == "success"


def company_with_consent(client: Caller, product: str = "PAYMENT_CROSS_BORDER") -> SandboxCompany:
    """The demo company at the first bank with this product."""
    companies = client.call(lambda havn: havn.list_companies())
    company = next(each for each in companies if each.organization_number == "987654325")
    banks = client.call(lambda havn: havn.list_banks("NO"))
    bank = next(each for each in banks if product in each.supported_products)
    request = ConsentRequest(
        bic=bank.bic,
        organization_number=company.organization_number,
        user_id=bank.user_id.example,
        callback_url=CALLBACK_URL,
    )
    consent = client.call(lambda havn: havn.create_consent(request, psu=PSU))
    client.call(lambda havn: havn.decide_sandbox_consent(consent.id, "sign", SandboxUser()))
    accounts = client.call(lambda havn: havn.list_accounts(consent_id=consent.id, psu=PSU)).accounts
    return SandboxCompany(
        client=client,
        bank=bank,
        name=company.name,
        organization_number=company.organization_number,
        bban=accounts[0].bban,
        consent_id=consent.id,
    )
