"""The webhook events of this version of the API."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from typing import Final, TypeAlias, Union

from .. import models

KnownEvent: TypeAlias = Union[
    models.PaymentStatusEvent,
    models.PayrollStatusEvent,
    models.PayrollTransactionStatusEvent,
    models.ApprovalStatusEvent,
    models.ConsentEvent,
    models.OnboardingStatusEvent,
    models.ExchangeEvent,
    models.AccountEntriesEvent,
    models.TestEvent,
]
"""The events that this client has a model for."""

MODELS_BY_TYPE: Final[dict[str, type[KnownEvent]]] = {
    "PAYMENT_STATUS_": models.PaymentStatusEvent,
    "PAYROLL_STATUS_": models.PayrollStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_": models.PayrollTransactionStatusEvent,
    "APPROVAL_STATUS_": models.ApprovalStatusEvent,
    "CONSENT_": models.ConsentEvent,
    "ONBOARDING_STATUS_": models.OnboardingStatusEvent,
    "EXCHANGE_": models.ExchangeEvent,
    "ACCOUNT_ENTRIES_": models.AccountEntriesEvent,
    "webhook.test": models.TestEvent,
}
"""By how the types of a family begin: newer ones of the family have the same fields."""
