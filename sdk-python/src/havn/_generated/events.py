"""The webhook events of this version of the API."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from typing import Final, TypeAlias, Union

from .. import models

KnownEvent: TypeAlias = Union[models.PaymentStatusEvent, models.PayrollStatusEvent, models.PayrollTransactionStatusEvent, models.ApprovalStatusEvent, models.ConsentEvent, models.OnboardingStatusEvent, models.ExchangeEvent, models.AccountEntriesEvent, models.TestEvent]
"""The events that this client has a model for."""

MODELS_BY_TYPE: Final[dict[str, type[KnownEvent]]] = {
    "PAYMENT_STATUS_UNSIGNED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_IN_PROGRESS": models.PaymentStatusEvent,
    "PAYMENT_STATUS_REJECTED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_COMPLETED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_CANCELLED": models.PaymentStatusEvent,
    "PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED": models.PaymentStatusEvent,
    "PAYROLL_STATUS_UNSIGNED": models.PayrollStatusEvent,
    "PAYROLL_STATUS_IN_PROGRESS": models.PayrollStatusEvent,
    "PAYROLL_STATUS_REJECTED": models.PayrollStatusEvent,
    "PAYROLL_STATUS_COMPLETED": models.PayrollStatusEvent,
    "PAYROLL_STATUS_CANCELLED": models.PayrollStatusEvent,
    "PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED": models.PayrollStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_UNSIGNED": models.PayrollTransactionStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_IN_PROGRESS": models.PayrollTransactionStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_REJECTED": models.PayrollTransactionStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_COMPLETED": models.PayrollTransactionStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_CANCELLED": models.PayrollTransactionStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED": models.PayrollTransactionStatusEvent,
    "APPROVAL_STATUS_ACCEPTED": models.ApprovalStatusEvent,
    "APPROVAL_STATUS_REJECTED": models.ApprovalStatusEvent,
    "APPROVAL_STATUS_CANCELLED": models.ApprovalStatusEvent,
    "CONSENT_ACCEPTED": models.ConsentEvent,
    "CONSENT_REJECTED": models.ConsentEvent,
    "CONSENT_CANCELLED": models.ConsentEvent,
    "CONSENT_EXPIRED": models.ConsentEvent,
    "CONSENT_REVOKED": models.ConsentEvent,
    "CONSENT_EXPIRING": models.ConsentEvent,
    "ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION": models.OnboardingStatusEvent,
    "ONBOARDING_STATUS_MANUAL_HANDLING": models.OnboardingStatusEvent,
    "ONBOARDING_STATUS_ACCEPTED": models.OnboardingStatusEvent,
    "ONBOARDING_STATUS_REJECTED": models.OnboardingStatusEvent,
    "ONBOARDING_STATUS_CANCELLED": models.OnboardingStatusEvent,
    "ONBOARDING_STATUS_EXPIRED": models.OnboardingStatusEvent,
    "EXCHANGE_SIGNED": models.ExchangeEvent,
    "EXCHANGE_FUNDED": models.ExchangeEvent,
    "EXCHANGE_PAYOUT_ORDERED": models.ExchangeEvent,
    "EXCHANGE_PAID_OUT": models.ExchangeEvent,
    "EXCHANGE_PAYOUT_RETURNED": models.ExchangeEvent,
    "EXCHANGE_REFUNDED": models.ExchangeEvent,
    "EXCHANGE_UNDOING": models.ExchangeEvent,
    "EXCHANGE_UNDONE": models.ExchangeEvent,
    "ACCOUNT_ENTRIES_BOOKED": models.AccountEntriesEvent,
    "webhook.test": models.TestEvent,
}

MODELS_BY_FAMILY: Final[dict[str, type[KnownEvent]]] = {
    "PAYMENT_STATUS_": models.PaymentStatusEvent,
    "PAYROLL_STATUS_": models.PayrollStatusEvent,
    "PAYROLL_TRANSACTION_STATUS_": models.PayrollTransactionStatusEvent,
    "APPROVAL_STATUS_": models.ApprovalStatusEvent,
    "CONSENT_": models.ConsentEvent,
    "ONBOARDING_STATUS_": models.OnboardingStatusEvent,
    "EXCHANGE_": models.ExchangeEvent,
}
"""How the types of a family begin: newer ones of the family have the same fields."""
