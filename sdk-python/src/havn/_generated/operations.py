"""The operations of the API, as the client calls them."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from typing import Final

from .. import models
from .._operation import Operation

SCOPES: Final = {
    "sandbox": "api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default",
    "production": "api://1f115cad-5576-4db9-a7f9-8921c47a86e4/.default",
}
"""The OAuth 2.0 scope of each environment."""

ISSUE_TOKEN: Final = Operation[models.Token](
    id="issueToken",
    method="POST",
    path="/v2/connect/token",
    statuses=(200,),
    answer=models.Token,
    server="auth",
    needs_token=False,
    is_form=True,
)

GET_KEYS: Final = Operation[models.JsonWebKeySet](
    id="getKeys",
    method="GET",
    path="/.well-known/jwks.json",
    statuses=(200,),
    answer=models.JsonWebKeySet,
    server="auth",
    needs_token=False,
)

GET_SERVER_METADATA: Final = Operation[models.ServerMetadata](
    id="getServerMetadata",
    method="GET",
    path="/.well-known/openid-configuration",
    statuses=(200,),
    answer=models.ServerMetadata,
    server="auth",
    needs_token=False,
)

LIST_BANKS: Final = Operation[list[models.Bank]](
    id="listBanks",
    method="GET",
    path="/api/v2/banks/{countryCode}",
    statuses=(200,),
    answer=list[models.Bank],
)

GET_BANK: Final = Operation[models.Bank](
    id="getBank",
    method="GET",
    path="/api/v2/banks/{countryCode}/{bic}",
    statuses=(200,),
    answer=models.Bank,
)

LIST_COUNTRIES: Final = Operation[list[models.CountrySummary]](
    id="listCountries",
    method="GET",
    path="/api/country",
    statuses=(200,),
    answer=list[models.CountrySummary],
)

GET_PAYMENT_REQUIREMENT: Final = Operation[models.PaymentRequirement](
    id="getPaymentRequirement",
    method="GET",
    path="/api/country/{country}/paymentrequirement",
    statuses=(200,),
    answer=models.PaymentRequirement,
)

LIST_REGULATORY_CODES: Final = Operation[models.RegulatoryCodes](
    id="listRegulatoryCodes",
    method="GET",
    path="/api/v2/payments/regulatory-reporting/{countryCode}",
    statuses=(200,),
    answer=models.RegulatoryCodes,
)

LIST_COMPANIES: Final = Operation[list[models.Company]](
    id="listCompanies",
    method="GET",
    path="/api/companies",
    statuses=(200,),
    answer=list[models.Company],
)

ACTIVATE_SUBSCRIPTION: Final = Operation[models.Company](
    id="activateSubscription",
    method="PATCH",
    path="/api/companies/subscription/activate/{countryCode}/{organizationNumber}",
    statuses=(200,),
    answer=models.Company,
)

CANCEL_SUBSCRIPTION: Final = Operation[models.Company](
    id="cancelSubscription",
    method="PATCH",
    path="/api/companies/subscription/cancel/{countryCode}/{organizationNumber}",
    statuses=(200,),
    answer=models.Company,
)

LIST_ONBOARDINGS: Final = Operation[list[models.Onboarding]](
    id="listOnboardings",
    method="GET",
    path="/onboarding",
    statuses=(200,),
    answer=list[models.Onboarding],
    server="onboarding",
)

START_ONBOARDING: Final = Operation[models.OnboardingStarted](
    id="startOnboarding",
    method="POST",
    path="/onboarding",
    statuses=(200,),
    answer=models.OnboardingStarted,
    server="onboarding",
    accepts_key=True,
)

GET_ONBOARDING_STATUS: Final = Operation[models.Onboarding](
    id="getOnboardingStatus",
    method="GET",
    path="/onboarding/{id}/status",
    statuses=(200,),
    answer=models.Onboarding,
    server="onboarding",
)

CANCEL_ONBOARDING: Final = Operation[models.Onboarding](
    id="cancelOnboarding",
    method="POST",
    path="/onboarding/{id}/cancel",
    statuses=(200,),
    answer=models.Onboarding,
    server="onboarding",
    accepts_key=True,
)

REGISTER_COMPANY: Final = Operation[models.Registration](
    id="registerCompany",
    method="POST",
    path="/onboarding/registration",
    statuses=(200,),
    answer=models.Registration,
    server="onboarding",
    accepts_key=True,
)

GET_CONSENT: Final = Operation[models.Consent](
    id="getConsent",
    method="GET",
    path="/api/v2/consents",
    statuses=(200,),
    answer=models.Consent,
)

CREATE_CONSENT: Final = Operation[models.ConsentCreated](
    id="createConsent",
    method="POST",
    path="/api/v2/consents",
    statuses=(200,),
    answer=models.ConsentCreated,
    accepts_key=True,
)

REVOKE_CONSENT: Final = Operation[None](
    id="revokeConsent",
    method="DELETE",
    path="/api/v2/consents",
    statuses=(204,),
    answer=None,
)

LIST_CONSENTS: Final = Operation[list[models.Consent]](
    id="listConsents",
    method="GET",
    path="/api/v2/consents/list",
    statuses=(200,),
    answer=list[models.Consent],
)

LIST_ACCOUNTS: Final = Operation[models.AccountList](
    id="listAccounts",
    method="GET",
    path="/api/v2/accounts",
    statuses=(200,),
    answer=models.AccountList,
)

GET_ACCOUNT_BALANCE: Final = Operation[models.AccountBalance](
    id="getAccountBalance",
    method="GET",
    path="/api/v2/accounts/{accountId}/balance",
    statuses=(200,),
    answer=models.AccountBalance,
)

LIST_ACCOUNT_ENTRIES: Final = Operation[models.AccountEntryList](
    id="listAccountEntries",
    method="GET",
    path="/api/v2/accounts/{accountId}/entries",
    statuses=(200,),
    answer=models.AccountEntryList,
)

LIST_EXTENDED_ACCOUNT_ENTRIES: Final = Operation[models.AccountEntryList](
    id="listExtendedAccountEntries",
    method="GET",
    path="/api/v2/accounts/{accountId}/entries/extended",
    statuses=(200,),
    answer=models.AccountEntryList,
)

GET_ACCOUNT_ENTRY_DETAILS: Final = Operation[models.AccountEntryDetails](
    id="getAccountEntryDetails",
    method="GET",
    path="/api/v2/accounts/{accountId}/entries/{transactionId}/details",
    statuses=(200,),
    answer=models.AccountEntryDetails,
)

LIST_PAYMENTS: Final = Operation[models.PaymentPage](
    id="listPayments",
    method="GET",
    path="/api/v2/payments",
    statuses=(200,),
    answer=models.PaymentPage,
)

INITIATE_DOMESTIC_PAYMENT: Final = Operation[models.PaymentInitiated](
    id="initiateDomesticPayment",
    method="POST",
    path="/api/v2/payments",
    statuses=(200,),
    answer=models.PaymentInitiated,
    accepts_key=True,
)

INITIATE_CROSS_BORDER_PAYMENT: Final = Operation[models.CrossBorderInitiated](
    id="initiateCrossBorderPayment",
    method="POST",
    path="/api/v2/payments/cross-border",
    statuses=(200,),
    answer=models.CrossBorderInitiated,
    accepts_key=True,
)

GET_PAYMENT: Final = Operation[models.Payment](
    id="getPayment",
    method="GET",
    path="/api/v2/payments/{paymentId}",
    statuses=(200,),
    answer=models.Payment,
)

GET_PAYMENT_STATUS: Final = Operation[models.PaymentStatusResponse](
    id="getPaymentStatus",
    method="GET",
    path="/api/v2/payments/{paymentId}/status",
    statuses=(200,),
    answer=models.PaymentStatusResponse,
)

VALIDATE_REMITTANCE: Final = Operation[models.RemittanceValidation](
    id="validateRemittance",
    method="POST",
    path="/api/v2/remittance/validate",
    statuses=(200,),
    answer=models.RemittanceValidation,
    accepts_key=True,
)

QUOTE_EXCHANGE: Final = Operation[models.ExchangeQuote](
    id="quoteExchange",
    method="POST",
    path="/api/fx/payments",
    statuses=(200,),
    answer=models.ExchangeQuote,
    accepts_key=True,
)

VALIDATE_EXCHANGE: Final = Operation[models.ExchangeValidation](
    id="validateExchange",
    method="POST",
    path="/api/fx/payments/validate",
    statuses=(200,),
    answer=models.ExchangeValidation,
    accepts_key=True,
)

LIST_CURRENCIES: Final = Operation[list[models.Currency]](
    id="listCurrencies",
    method="GET",
    path="/api/currencies",
    statuses=(200,),
    answer=list[models.Currency],
)

GET_EXCHANGE_CALENDAR: Final = Operation[models.ExchangeCalendar](
    id="getExchangeCalendar",
    method="GET",
    path="/api/fx/calendar",
    statuses=(200,),
    answer=models.ExchangeCalendar,
)

APPROVE_PAYMENTS: Final = Operation[models.Approval](
    id="approvePayments",
    method="POST",
    path="/api/v2/payments/approve",
    statuses=(200,),
    answer=models.Approval,
    accepts_key=True,
)

GET_PAYMENT_APPROVAL: Final = Operation[models.Approval](
    id="getPaymentApproval",
    method="GET",
    path="/api/v2/payments/approve/{approvalId}",
    statuses=(200,),
    answer=models.Approval,
)

ABANDON_PAYMENT_APPROVAL: Final = Operation[None](
    id="abandonPaymentApproval",
    method="DELETE",
    path="/api/v2/payments/approve/{approvalId}",
    statuses=(204,),
    answer=None,
)

CANCEL_PAYMENT: Final = Operation[models.Cancellation](
    id="cancelPayment",
    method="POST",
    path="/api/v2/payments/cancel",
    statuses=(200,),
    answer=models.Cancellation,
    accepts_key=True,
)

GET_PAYMENT_CANCELLATION: Final = Operation[models.Cancellation](
    id="getPaymentCancellation",
    method="GET",
    path="/api/v2/payments/cancel/{id}",
    statuses=(200,),
    answer=models.Cancellation,
)

ABANDON_PAYMENT_CANCELLATION: Final = Operation[None](
    id="abandonPaymentCancellation",
    method="DELETE",
    path="/api/v2/payments/cancel/{id}",
    statuses=(204,),
    answer=None,
)

LIST_PAYROLLS: Final = Operation[models.PayrollPage](
    id="listPayrolls",
    method="GET",
    path="/api/v2/payroll",
    statuses=(200,),
    answer=models.PayrollPage,
)

INITIATE_PAYROLL: Final = Operation[models.PayrollInitiated](
    id="initiatePayroll",
    method="POST",
    path="/api/v2/payroll",
    statuses=(200,),
    answer=models.PayrollInitiated,
    accepts_key=True,
)

INITIATE_PAYROLL_BULK: Final = Operation[models.PayrollBulkInitiated](
    id="initiatePayrollBulk",
    method="POST",
    path="/api/v2/payroll/bulk",
    statuses=(200,),
    answer=models.PayrollBulkInitiated,
    accepts_key=True,
)

GET_PAYROLL_STATUS: Final = Operation[models.PayrollStatus](
    id="getPayrollStatus",
    method="GET",
    path="/api/v2/payroll/{payrollId}/status",
    statuses=(200,),
    answer=models.PayrollStatus,
)

APPROVE_PAYROLLS: Final = Operation[models.PayrollApproval](
    id="approvePayrolls",
    method="POST",
    path="/api/v2/payroll/approve",
    statuses=(200,),
    answer=models.PayrollApproval,
    accepts_key=True,
)

GET_PAYROLL_APPROVAL: Final = Operation[models.PayrollApproval](
    id="getPayrollApproval",
    method="GET",
    path="/api/v2/payroll/approve/{approvalId}",
    statuses=(200,),
    answer=models.PayrollApproval,
)

ABANDON_PAYROLL_APPROVAL: Final = Operation[None](
    id="abandonPayrollApproval",
    method="DELETE",
    path="/api/v2/payroll/approve/{approvalId}",
    statuses=(204,),
    answer=None,
)

CANCEL_PAYROLL: Final = Operation[models.PayrollCancellation](
    id="cancelPayroll",
    method="POST",
    path="/api/v2/payroll/cancel",
    statuses=(200, 202),
    answer=models.PayrollCancellation,
    accepts_key=True,
)

GET_PAYROLL_CANCELLATION: Final = Operation[models.PayrollCancellation](
    id="getPayrollCancellation",
    method="GET",
    path="/api/v2/payroll/cancel/{id}",
    statuses=(200,),
    answer=models.PayrollCancellation,
)

ABANDON_PAYROLL_CANCELLATION: Final = Operation[None](
    id="abandonPayrollCancellation",
    method="DELETE",
    path="/api/v2/payroll/cancel/{id}",
    statuses=(204,),
    answer=None,
)

LIST_WEBHOOK_SUBSCRIPTIONS: Final = Operation[list[models.WebhookSubscription]](
    id="listWebhookSubscriptions",
    method="GET",
    path="/api/webhooks/subscription",
    statuses=(200,),
    answer=list[models.WebhookSubscription],
)

CREATE_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookSubscriptionWithSecret](
    id="createWebhookSubscription",
    method="POST",
    path="/api/webhooks/subscription",
    statuses=(201,),
    answer=models.WebhookSubscriptionWithSecret,
    accepts_key=True,
)

GET_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookSubscription](
    id="getWebhookSubscription",
    method="GET",
    path="/api/webhooks/subscription/{id}",
    statuses=(200,),
    answer=models.WebhookSubscription,
)

UPDATE_WEBHOOK_SUBSCRIPTION: Final = Operation[models.UpdatedWebhookSubscription](
    id="updateWebhookSubscription",
    method="PATCH",
    path="/api/webhooks/subscription/{id}",
    statuses=(200,),
    answer=models.UpdatedWebhookSubscription,
)

DISABLE_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookSubscription](
    id="disableWebhookSubscription",
    method="POST",
    path="/api/webhooks/subscription/{id}/disable",
    statuses=(200,),
    answer=models.WebhookSubscription,
    accepts_key=True,
)

PAUSE_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookSubscription](
    id="pauseWebhookSubscription",
    method="POST",
    path="/api/webhooks/subscription/{id}/pause",
    statuses=(200,),
    answer=models.WebhookSubscription,
    accepts_key=True,
)

RESUME_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookSubscription](
    id="resumeWebhookSubscription",
    method="POST",
    path="/api/webhooks/subscription/{id}/resume",
    statuses=(200,),
    answer=models.WebhookSubscription,
    accepts_key=True,
)

ROTATE_WEBHOOK_BEARER_TOKEN: Final = Operation[models.WebhookSubscription](
    id="rotateWebhookBearerToken",
    method="POST",
    path="/api/webhooks/subscription/{id}/rotate-bearer-token",
    statuses=(200,),
    answer=models.WebhookSubscription,
    accepts_key=True,
)

ROTATE_WEBHOOK_SIGNING_SECRET: Final = Operation[models.WebhookSubscriptionWithSecret](
    id="rotateWebhookSigningSecret",
    method="POST",
    path="/api/webhooks/subscription/{id}/rotate-signing-secret",
    statuses=(200,),
    answer=models.WebhookSubscriptionWithSecret,
    accepts_key=True,
)

TEST_WEBHOOK_SUBSCRIPTION: Final = Operation[models.WebhookTestResult](
    id="testWebhookSubscription",
    method="POST",
    path="/api/webhooks/subscription/{id}/test",
    statuses=(200,),
    answer=models.WebhookTestResult,
    accepts_key=True,
)

REPLAY_WEBHOOK_EVENTS: Final = Operation[models.WebhookReplayResult](
    id="replayWebhookEvents",
    method="POST",
    path="/api/webhooks/subscription/{id}/replay",
    statuses=(200,),
    answer=models.WebhookReplayResult,
    accepts_key=True,
)

LIST_WEBHOOK_DELIVERIES: Final = Operation[models.WebhookDeliveryPage](
    id="listWebhookDeliveries",
    method="GET",
    path="/api/webhooks/subscription/{id}/deliveries",
    statuses=(200,),
    answer=models.WebhookDeliveryPage,
)

GET_WEBHOOK_DELIVERY: Final = Operation[models.WebhookDelivery](
    id="getWebhookDelivery",
    method="GET",
    path="/api/webhooks/subscription/{id}/deliveries/{deliveryId}",
    statuses=(200,),
    answer=models.WebhookDelivery,
)

RETRY_WEBHOOK_DELIVERY: Final = Operation[models.WebhookDelivery](
    id="retryWebhookDelivery",
    method="POST",
    path="/api/webhooks/subscription/{id}/deliveries/{deliveryId}/retry",
    statuses=(200,),
    answer=models.WebhookDelivery,
    accepts_key=True,
)

LIST_WEBHOOK_EVENTS: Final = Operation[models.WebhookEventPage](
    id="listWebhookEvents",
    method="GET",
    path="/api/webhooks/events",
    statuses=(200,),
    answer=models.WebhookEventPage,
)

LIST_REQUESTS: Final = Operation[models.RequestPage](
    id="listRequests",
    method="GET",
    path="/api/requests",
    statuses=(200,),
    answer=models.RequestPage,
)

GET_REQUEST: Final = Operation[models.LoggedRequestDetails](
    id="getRequest",
    method="GET",
    path="/api/requests/{svcRequestId}",
    statuses=(200,),
    answer=models.LoggedRequestDetails,
)

GET_SANDBOX_CLOCK: Final = Operation[models.SandboxClock](
    id="getSandboxClock",
    method="GET",
    path="/api/sandbox/clock",
    statuses=(200,),
    answer=models.SandboxClock,
)

MOVE_SANDBOX_CLOCK: Final = Operation[models.SandboxClock](
    id="moveSandboxClock",
    method="POST",
    path="/api/sandbox/clock",
    statuses=(200, 202),
    answer=models.SandboxClock,
    accepts_key=True,
)

DECIDE_SANDBOX_APPROVAL: Final = Operation[models.SandboxScaResult](
    id="decideSandboxApproval",
    method="POST",
    path="/api/sandbox/approvals/{approvalId}/{decision}",
    statuses=(200,),
    answer=models.SandboxScaResult,
    accepts_key=True,
)

DECIDE_SANDBOX_CONSENT: Final = Operation[models.SandboxScaResult](
    id="decideSandboxConsent",
    method="POST",
    path="/api/sandbox/consents/{consentId}/{decision}",
    statuses=(200,),
    answer=models.SandboxScaResult,
    accepts_key=True,
)

DECIDE_SANDBOX_CANCELLATION: Final = Operation[models.SandboxScaResult](
    id="decideSandboxCancellation",
    method="POST",
    path="/api/sandbox/cancellations/{cancellationId}/{decision}",
    statuses=(200,),
    answer=models.SandboxScaResult,
    accepts_key=True,
)

STEP_SANDBOX_ONBOARDING: Final = Operation[models.Onboarding](
    id="stepSandboxOnboarding",
    method="POST",
    path="/api/sandbox/onboardings/{onboardingId}/{step}",
    statuses=(200,),
    answer=models.Onboarding,
    accepts_key=True,
)

STEP_SANDBOX_PAYMENT: Final = Operation[models.PaymentStatus](
    id="stepSandboxPayment",
    method="POST",
    path="/api/sandbox/payments/{paymentId}/{step}",
    statuses=(200,),
    answer=models.PaymentStatus,
    accepts_key=True,
)

SET_SANDBOX_PAYMENT_STATUS: Final = Operation[models.PaymentStatus](
    id="setSandboxPaymentStatus",
    method="POST",
    path="/api/sandbox/payments/{paymentId}/status",
    statuses=(200,),
    answer=models.PaymentStatus,
    accepts_key=True,
)

END_SANDBOX_CONSENT: Final = Operation[None](
    id="endSandboxConsent",
    method="POST",
    path="/api/sandbox/consents/{consentId}/end",
    statuses=(204,),
    answer=None,
    accepts_key=True,
)

ADD_SANDBOX_ENTRY: Final = Operation[models.SandboxEntryBooked](
    id="addSandboxEntry",
    method="POST",
    path="/api/sandbox/accounts/{bban}/entries",
    statuses=(200,),
    answer=models.SandboxEntryBooked,
    accepts_key=True,
)

OPEN_SANDBOX_INBOX: Final = Operation[models.SandboxInbox](
    id="openSandboxInbox",
    method="POST",
    path="/api/sandbox/inbox",
    statuses=(200,),
    answer=models.SandboxInbox,
    accepts_key=True,
)

LIST_SANDBOX_INBOX_DELIVERIES: Final = Operation[list[models.SandboxInboxDelivery]](
    id="listSandboxInboxDeliveries",
    method="GET",
    path="/api/sandbox/inbox/deliveries",
    statuses=(200,),
    answer=list[models.SandboxInboxDelivery],
)

DISTURB_SANDBOX_BANK: Final = Operation[None](
    id="disturbSandboxBank",
    method="POST",
    path="/api/sandbox/banks/{bic}/faults",
    statuses=(204,),
    answer=None,
    accepts_key=True,
)

DISTURB_SANDBOX_EXCHANGE: Final = Operation[None](
    id="disturbSandboxExchange",
    method="POST",
    path="/api/sandbox/exchange/faults",
    statuses=(204,),
    answer=None,
    accepts_key=True,
)

STEP_SANDBOX_PAYOUT: Final = Operation[models.SandboxPayout](
    id="stepSandboxPayout",
    method="POST",
    path="/api/sandbox/payments/{paymentId}/payout/{step}",
    statuses=(200,),
    answer=models.SandboxPayout,
    accepts_key=True,
)

ADD_SANDBOX_ARRIVAL: Final = Operation[models.SandboxArrived](
    id="addSandboxArrival",
    method="POST",
    path="/api/sandbox/exchange/arrivals",
    statuses=(200,),
    answer=models.SandboxArrived,
    accepts_key=True,
)

HEAL_SANDBOX_BANKS: Final = Operation[None](
    id="healSandboxBanks",
    method="DELETE",
    path="/api/sandbox/faults",
    statuses=(204,),
    answer=None,
)
