"""Sample ids and orders."""

from datetime import date
from decimal import Decimal

from havn.models import (
    ContactInformation,
    Creditor,
    CreditorAccount,
    Debtor,
    DebtorAccount,
    DomesticPayment,
    MessageRemittance,
    Money,
    PaymentMetadata,
)

CONSENT_ID = "01a207a2-3280-7a4c-9123-b1612dd272d1"
PAYMENT_ID = "01a207a3-1ce0-7371-9c17-149d439536b3"

INVOICE = DomesticPayment(
    metadata=PaymentMetadata(end_to_end_id="INV-20455"),
    from_=Debtor(
        account=DebtorAccount(bban="80501100017"),
        contact_information=ContactInformation(name="Nordlys Handel AS"),
        currency="NOK",
    ),
    to=Creditor(
        account=CreditorAccount(bban="80501200011"),
        contact_information=ContactInformation(name="Granli Trelast AS"),
    ),
    amount=Money(amount=Decimal("1250.00"), currency="NOK"),
    due_date=date(2026, 11, 25),
    remittance_information=MessageRemittance(value="Faktura 20455"),
)
