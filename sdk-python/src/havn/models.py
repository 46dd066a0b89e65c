"""Everything that partners send and receive, as pydantic models."""

# Generated from docs/openapi.json by `npm run openapi`: do not edit.

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal, TypeAlias, Union

from pydantic import AwareDatetime, BeforeValidator, Discriminator, Field, Tag

from ._wire import (
    SAME_NAMES,
    UNKNOWN,
    Amount,
    Model,
    NumericAmount,
    OpenEnum,
    RequestModel,
    UnknownEvent,
    UnknownVariant,
    alias,
    event_reader,
    tag_reader,
)

__all__ = [
    "Account",
    "AccountBalance",
    "AccountEntriesEvent",
    "AccountEntry",
    "AccountEntryDetails",
    "AccountEntryList",
    "AccountEntryStatus",
    "AccountEntryType",
    "AccountList",
    "AccountRequired",
    "AccountRequiredIdentifier",
    "AccountType",
    "AdditionalInformation",
    "AdditionalInformationType",
    "Address",
    "AddressField",
    "AddressRequired",
    "Approval",
    "ApprovalRequest",
    "ApprovalStatus",
    "ApprovalStatusChange",
    "ApprovalStatusChangeSubject",
    "ApprovalStatusEvent",
    "ApprovalStatusEventType",
    "Balance",
    "Bank",
    "BankBranch",
    "BankConstraints",
    "BankProduct",
    "BankStatus",
    "BankUserId",
    "BicRequired",
    "Cancellation",
    "CancellationRequest",
    "CancellationRequestStatus",
    "ChangedPayrollTransaction",
    "ClearingCodeRequired",
    "ClockMove",
    "Company",
    "CompanyService",
    "CompleteAddress",
    "CompleteContactInformation",
    "Consent",
    "ConsentChange",
    "ConsentCreated",
    "ConsentEvent",
    "ConsentEventType",
    "ConsentExpiryWarning",
    "ConsentRequest",
    "ConsentStatus",
    "ConsentStatusReason",
    "ContactInformation",
    "CountrySummary",
    "Creditor",
    "CreditorAccount",
    "CrossBorderAccount",
    "CrossBorderAccountType",
    "CrossBorderAmount",
    "CrossBorderCreditor",
    "CrossBorderCreditorAccount",
    "CrossBorderCreditorAccountType",
    "CrossBorderDebtor",
    "CrossBorderDebtorAccount",
    "CrossBorderInitiated",
    "CrossBorderPayment",
    "CrossBorderPaymentCreditor",
    "CrossBorderPaymentDebtor",
    "CrossBorderPaymentListed",
    "CrossBorderPaymentShown",
    "CrossBorderRemittance",
    "Currency",
    "CurrencyLimits",
    "CurrencyPaid",
    "CurrentPayrollStatus",
    "CutOff",
    "CutOffRail",
    "Debtor",
    "DebtorAccount",
    "DomesticPayment",
    "DomesticPaymentListed",
    "DomesticPaymentShown",
    "EntryAmount",
    "EntryElement",
    "EntryParty",
    "EntryRemittance",
    "ExchangeAmount",
    "ExchangeCalendar",
    "ExchangeEvent",
    "ExchangeEventType",
    "ExchangeFunding",
    "ExchangeFundingStatus",
    "ExchangeMetadata",
    "ExchangeOrder",
    "ExchangePayout",
    "ExchangePayoutStatus",
    "ExchangeProgress",
    "ExchangeProgressStep",
    "ExchangeQuote",
    "ExchangeReceiver",
    "ExchangeReceiverAccount",
    "ExchangeReceiverContact",
    "ExchangeRemittance",
    "ExchangeSender",
    "ExchangeSenderContact",
    "ExchangeStep",
    "ExchangeStepEvent",
    "ExchangeValidation",
    "ExchangeWarning",
    "ExchangeWarningCode",
    "ExcludedAccounts",
    "FikCheck",
    "FikRemittance",
    "FikRemittanceCardType",
    "InformationRequired",
    "InformationRequiredType",
    "InformationValue",
    "IntermediaryAccount",
    "IntermediaryAddress",
    "IntermediaryHolder",
    "IntermediaryNumber",
    "JsonWebKey",
    "JsonWebKeySet",
    "ListRequestsMethod",
    "ListRequestsStatus",
    "ListWebhookEventsFamily",
    "LoggedRequestDetails",
    "LoggedRequestDetailsMethod",
    "LoggedRequestSummary",
    "LoggedRequestSummaryMethod",
    "MessageCheck",
    "MessageRemittance",
    "MessageRequired",
    "Model",
    "Money",
    "NewAccountEntries",
    "OcrCheck",
    "OcrRemittance",
    "Onboarding",
    "OnboardingRequest",
    "OnboardingStarted",
    "OnboardingStatus",
    "OnboardingStatusChange",
    "OnboardingStatusEvent",
    "OnboardingStatusEventType",
    "OnboardingStatusReason",
    "OnboardingTask",
    "OnboardingTaskStatus",
    "OnboardingTaskType",
    "OpenEnum",
    "OtherAccount",
    "Payment",
    "PaymentAccount",
    "PaymentApprovalResult",
    "PaymentCreditor",
    "PaymentDebtor",
    "PaymentInitiated",
    "PaymentMetadata",
    "PaymentPage",
    "PaymentRequirement",
    "PaymentStatus",
    "PaymentStatusChange",
    "PaymentStatusEvent",
    "PaymentStatusEventType",
    "PaymentStatusReason",
    "PaymentStatusResponse",
    "PaymentStatusValue",
    "PaymentSummary",
    "PaymentWarning",
    "PaymentWarningCode",
    "PayrollAccountSummary",
    "PayrollApproval",
    "PayrollApprovalRequest",
    "PayrollApprovalResult",
    "PayrollBulkInitiated",
    "PayrollBulkRequest",
    "PayrollBulkSca",
    "PayrollCancellation",
    "PayrollCancellationProgress",
    "PayrollCancellationRequest",
    "PayrollCreditorAccount",
    "PayrollDebtor",
    "PayrollDebtorAccount",
    "PayrollDebtorSummary",
    "PayrollInitiated",
    "PayrollMessage",
    "PayrollPage",
    "PayrollRemittance",
    "PayrollRequest",
    "PayrollStatus",
    "PayrollStatusChange",
    "PayrollStatusEvent",
    "PayrollStatusEventType",
    "PayrollSummary",
    "PayrollTransaction",
    "PayrollTransactionRequest",
    "PayrollTransactionStatusChange",
    "PayrollTransactionStatusEvent",
    "PayrollTransactionStatusEventType",
    "PayrollWarning",
    "PayrollWarningCode",
    "PreferredScaMethod",
    "PurposeCode",
    "QuoteAccount",
    "QuoteAccountHolder",
    "QuoteAccountNumber",
    "RailLimits",
    "RailLimitsRail",
    "Registration",
    "RegistrationRequest",
    "RegistrationRequestCountry",
    "RegulatoryCode",
    "RegulatoryCodes",
    "RegulatoryReporting",
    "RemittanceCheckMethod",
    "RemittanceInformation",
    "RemittanceValidation",
    "RemittanceValidationRequest",
    "RequestModel",
    "RequestPage",
    "RequestSubject",
    "RequestSubjectType",
    "RequestWarning",
    "RequestWarningIn",
    "SandboxArrival",
    "SandboxArrived",
    "SandboxClock",
    "SandboxConsentEnd",
    "SandboxConsentEndHow",
    "SandboxDecision",
    "SandboxEntry",
    "SandboxEntryBooked",
    "SandboxExchangeFault",
    "SandboxExchangeFaultEffect",
    "SandboxFault",
    "SandboxFaultEffect",
    "SandboxInboundPayment",
    "SandboxInbox",
    "SandboxInboxDelivery",
    "SandboxInboxDeliverySignature",
    "SandboxOnboardingDetails",
    "SandboxOnboardingDetailsReason",
    "SandboxOnboardingStep",
    "SandboxPaymentStatus",
    "SandboxPaymentStatusReason",
    "SandboxPaymentStatusTransactionStatus",
    "SandboxPaymentStep",
    "SandboxPayout",
    "SandboxPayoutEvent",
    "SandboxPayoutStep",
    "SandboxScaOutcome",
    "SandboxScaResult",
    "SandboxUser",
    "Sca",
    "ScaQr",
    "ScaQrKind",
    "ScaRedirect",
    "ServerMetadata",
    "StructuredReference",
    "TestEvent",
    "Token",
    "TokenRequest",
    "UnknownEvent",
    "UnknownVariant",
    "UpdatedWebhookSubscription",
    "WebhookAttempt",
    "WebhookBearerToken",
    "WebhookDeliveredEventType",
    "WebhookDelivery",
    "WebhookDeliveryPage",
    "WebhookDeliveryStatus",
    "WebhookDeliverySummary",
    "WebhookEvent",
    "WebhookEventPage",
    "WebhookEventType",
    "WebhookReplayRequest",
    "WebhookReplayResult",
    "WebhookSubscription",
    "WebhookSubscriptionRequest",
    "WebhookSubscriptionWarning",
    "WebhookSubscriptionWithSecret",
    "WebhookTestResult",
]


class TokenRequest(RequestModel):
    """A request by the client credentials grant of RFC 6749."""

    model_config = SAME_NAMES

    grant_type: str
    """Must be `client_credentials`."""
    scope: str
    """The scope of the environment, for example
    `api://ac0d1aea-5e3a-463f-9dd1-194898ee5820/.default`.
    """
    client_id: str | None = None
    """The client id; required unless sent by HTTP Basic."""
    client_secret: str | None = None
    """The secret; required unless sent by HTTP Basic."""


class Token(Model):
    """An access token."""

    model_config = SAME_NAMES

    token_type: str = "Bearer"
    """How the token is sent."""
    expires_in: int
    """For how many seconds the token is valid."""
    ext_expires_in: int
    """The same number of seconds."""
    access_token: str
    """The token, a signed JWT."""


class JsonWebKey(Model):
    """A public key (RFC 7517)."""

    kty: str
    """The family of the key, for example `EC`."""
    kid: str
    """The id that tokens name in their header."""
    use: str | None = None
    """What the key is for: `sig`."""
    alg: str | None = None
    """The algorithm, for example `ES256`."""
    crv: str | None = None
    """The curve."""
    x: str | None = None
    """The x coordinate, or the public key of an Edwards curve."""
    y: str | None = None
    """The y coordinate."""


class JsonWebKeySet(Model):
    """The public keys that verify access tokens."""

    keys: list[JsonWebKey]
    """The keys; older ones until their tokens have expired."""


class ServerMetadata(Model):
    """The metadata of the authorisation server (RFC 8414)."""

    model_config = SAME_NAMES

    issuer: str
    """The `iss` of the tokens."""
    token_endpoint: str
    """Where tokens are issued."""
    jwks_uri: str
    """Where the public keys are."""
    grant_types_supported: list[str]
    """The grants: `client_credentials`."""
    token_endpoint_auth_methods_supported: list[str]
    """The supported client authentication methods."""
    scopes_supported: list[str]
    """The scopes of this environment."""
    response_types_supported: list[str]
    """Empty: there is no user login."""


class BankBranch(Model):
    """A branch of a bank whose users log in by branch."""

    name: str
    """The name of the branch."""
    branch: str
    """The value for bankBranch."""


class BankProduct(OpenEnum):
    """A product that a bank offers through this API."""

    PAYMENT_DOMESTIC = "PAYMENT_DOMESTIC"
    PAYMENT_CROSS_BORDER = "PAYMENT_CROSS_BORDER"
    PAYROLL = "PAYROLL"
    PAYROLL_BULK = "PAYROLL_BULK"
    ACCOUNTS = "ACCOUNTS"
    ACCOUNT_ENTRIES = "ACCOUNT_ENTRIES"
    ACCOUNT_ENTRIES_EXTENDED = "ACCOUNT_ENTRIES_EXTENDED"
    PAYMENT_CANCEL = "PAYMENT_CANCEL"


class Money(Model):
    """An amount and its currency."""

    amount: Amount
    """A decimal with a point and no sign, exponent or separators, for example `1250.00`."""
    currency: str
    """The currency (ISO 4217), for example `NOK`."""


class RailLimitsRail(OpenEnum):
    """The payment rail: to an account, to a Swedish giro number, or by a Danish payment form."""

    ACCOUNT = "account"
    BANKGIRO = "bankgiro"
    PLUSGIRO = "plusgiro"
    PAYMENT_FORM = "payment-form"


class RailLimits(Model):
    """The limits of the bank for one payment rail."""

    rail: RailLimitsRail
    """The payment rail: to an account, to a Swedish giro number, or by a Danish payment form."""
    max_amount: Money | None = None
    """The largest amount of one payment; null where only maxAmounts applies."""
    max_recipient_name_length: int
    """The maximum length of the receiver's name."""
    max_unstructured_remittance_info_length: int
    """The maximum length of a message."""


class BankConstraints(Model):
    """The limits of the bank."""

    max_basket_size: int | None = None
    """The maximum number of payments in one signature; null if the bank has no limit."""
    max_bulk_size: int | None = None
    """The maximum number of payrolls in a bulk; null if the bank accepts none."""
    max_payroll_size: int | None = None
    """The maximum number of transactions in a payroll; null if the bank accepts none."""
    max_information_field_length: int
    """The maximum length of a name."""
    max_unstructured_remittance_info_length: int
    """The maximum length of a message; to accounts at other banks
    maxUnstructuredRemittanceInfoLengthToOtherBanks applies.
    """
    max_unstructured_remittance_info_length_to_other_banks: int
    """The maximum length of a message to an account at another bank."""
    max_cross_border_remittance_info_length: int | None = None
    """The maximum length of the message of a cross-border payment without exchange; null if the
    bank offers none.
    """
    max_debtor_reference_length: int
    """The maximum length of a debtorReference."""
    max_amounts: list[Money]
    """The largest amount of one domestic payment, for each currency with a limit."""
    rails: list[RailLimits]
    """The limits of each rail of domestic payments."""
    ais_max_date_range_months: int
    """The maximum date range of one request for account entries, in months."""
    cancel_sca_required: Annotated[bool, alias("cancelSCARequired")]
    """Whether the user must approve a cancellation."""
    valid_information_field_characters_pattern: str
    """The character class that every character of a name or message matches, for example
    `[a-zA-Z0-9 ]`.
    """


class PreferredScaMethod(OpenEnum):
    """The preferred SCA method; the bank may choose another. Qr is possible at Swedish banks only."""

    REDIRECT = "Redirect"
    QR = "Qr"


class BankUserId(Model):
    """Whether a consent needs the user's id, and its format."""

    required: bool
    """Whether a consent needs the userId."""
    label: str
    """The name that the bank uses for it, for the label of a form field."""
    pattern: str
    """The regular expression that the whole userId matches."""
    example: str
    """A userId of the right format; in the sandbox, one that the sandbox bank knows."""


class CutOffRail(OpenEnum):
    """The payment rail: to an account, to a Swedish giro number, or by a Danish payment form."""

    ACCOUNT = "account"
    BANKGIRO = "bankgiro"
    PLUSGIRO = "plusgiro"
    PAYMENT_FORM = "payment-form"


class CutOff(Model):
    """The time by which an order must be signed to be executed on its due date."""

    rail: CutOffRail
    """The payment rail: to an account, to a Swedish giro number, or by a Danish payment form."""
    local_time: str
    """`HH:MM` in the time of the bank's country."""
    bank_days_before: int
    """Bank days before the due date; 0 is the due date itself."""


class BankStatus(OpenEnum):
    """The present availability of the bank."""

    OPERATIONAL = "Operational"
    DEGRADED = "Degraded"
    DOWN = "Down"


class Bank(Model):
    """A bank with its products and limits."""

    bic: str
    """The bank's BIC."""
    name: str
    """The name of the bank."""
    country_code: str
    """The country of the bank (ISO 3166-1 alpha-2)."""
    branches: list[BankBranch]
    """The branches, for banks whose users log in by branch."""
    supported_products: list[BankProduct]
    """The products that the bank offers through this API."""
    constraints: BankConstraints
    sca_methods: list[PreferredScaMethod]
    """The SCA methods of the bank."""
    max_consent_validity_days: int
    """The maximum validity of a consent, in days."""
    user_id: BankUserId
    due_date_max_days: int
    """How many days ahead a due date may be."""
    cut_off_time: str
    """Until when the bank executes orders on the same day, `HH:MM` in the time of the bank's
    country.
    """
    cut_offs: list[CutOff]
    """The cut-off of each rail of domestic payments to other banks."""
    status: BankStatus
    """The present availability of the bank."""


class CountrySummary(Model):
    """A receiver country."""

    country: str
    """The country (ISO 3166-1 alpha-2)."""
    name: str
    """The English name."""
    currencies: list[str]
    """The currencies in which receivers can be paid, the country's own first; empty if payments are
    not supported.
    """
    supported: bool
    """Whether payments to the country are supported."""


class CurrencyPaid(Model):
    """A currency, the largest amount of one exchange, and how far ahead a payment may be due."""

    currency: str
    """The currency (ISO 4217)."""
    max_amount: Money
    due_date_max_days: int
    """How many bank days ahead a payment may be due; 0 for payments due today only."""


class AccountRequiredIdentifier(OpenEnum):
    """The account identifier: IBAN, or the country's own number."""

    IBAN = "iban"
    BBAN = "bban"


class AccountRequired(Model):
    """The account identifier. Absent if payments are not supported."""

    identifier: AccountRequiredIdentifier
    """The account identifier: IBAN, or the country's own number."""
    pattern: str
    """The format, without spaces and other separators. Check digits are validated too."""
    example: str
    """A valid example."""


class OtherAccount(Model):
    """The country's own account number, where it is accepted instead of an IBAN."""

    pattern: str
    """The format, without separators."""
    example: str
    """A valid example."""
    clearing_code_required: bool
    """Whether the clearing code is needed too."""


class BicRequired(Model):
    """The BIC of the receiver's bank."""

    required: bool
    """Whether it is required."""


class ClearingCodeRequired(Model):
    """The clearing code of the receiver's bank."""

    required: bool
    """Whether payments without it are rejected."""
    scheme: str | None = None
    """The clearing system: its ISO 20022 code if it has one. Absent if there is none."""
    name: str | None = None
    """Its name and composition."""
    pattern: str | None = None
    """The format. Check digits are validated too."""
    example: str | None = None
    """A valid example."""


class AddressField(OpenEnum):
    """A field of the address."""

    STREET_NAME = "streetName"
    BUILDING_NUMBER = "buildingNumber"
    CITY = "city"
    POST_CODE = "postCode"
    COUNTRY = "country"


class AddressRequired(Model):
    """The receiver's address."""

    required_fields: list[AddressField]
    """The required fields of a cross-border payment. Quotes need only the bankFields."""
    bank_fields: list[AddressField]
    """The fields without which the receiver's bank rejects a payment."""
    post_code_pattern: str | None = None
    """The format of the post code, in capital letters; absent if the country has none: any text is
    accepted.
    """
    post_code_example: str | None = None
    """A post code."""


class InformationRequiredType(OpenEnum):
    """The type of the additionalInformation."""

    TAX_CODE = "TaxCode"
    REASON = "Reason"
    PURPOSE = "Purpose"


class InformationValue(Model):
    """An accepted code."""

    code: str
    """The code."""
    description: str
    """The meaning of the code."""


class InformationRequired(Model):
    """Information that the country requires, or accepts if it is sent."""

    type: InformationRequiredType
    """The type of the additionalInformation."""
    required: bool
    """Whether every payment needs it, in the requested currency or, without one, in any."""
    required_above: Money | None = None
    name: str | None = None
    """Its name in the country."""
    pattern: str | None = None
    """The format, without separators; absent where only the listed values are accepted."""
    example: str
    """A valid example."""
    values: list[InformationValue]
    """The accepted codes, where there is a list of them."""


class MessageRequired(Model):
    """The message to the receiver."""

    max_length: int
    """The maximum length of the message. In cross-border payments the additionalInformation
    precedes it and counts towards this length.
    """
    pattern: str
    """Messages that match are sent unchanged. Others may be transliterated, for example ø to oe."""


class PaymentRequirement(Model):
    """The requirements of payments to a country. If receiver and bank are in different countries,
    the bank's country applies.
    """

    country: str
    """The country (ISO 3166-1 alpha-2)."""
    name: str
    """The English name."""
    supported: bool
    """Whether payments to the country are supported; if not, the other fields are absent or empty."""
    currencies: list[CurrencyPaid]
    """The currencies in which receivers can be paid: all, or the requested one."""
    account: AccountRequired | None = None
    other_account: OtherAccount | None = None
    bic: BicRequired | None = None
    clearing_code: ClearingCodeRequired | None = None
    address: AddressRequired | None = None
    additional_information: list[InformationRequired]
    """Further information that is sent with the payment."""
    remittance_information: MessageRequired | None = None
    notes: list[str]
    """Notes for developers and users, with the sources."""


class RegulatoryCode(Model):
    """A purpose of payment for regulatory reporting."""

    code: str
    """The code."""
    description: str
    """The meaning of the code."""
    local_description: str
    """The same in the country's language."""


class RegulatoryCodes(Model):
    """The reporting codes of payments abroad, and the amount above which payments are reported."""

    country_code: str
    """The country (ISO 3166-1 alpha-2)."""
    threshold: Money | None = None
    information_max_length: int
    """The maximum length of `information`; 0 if it is not accepted."""
    codes: list[RegulatoryCode]
    """The codes; empty if nothing is reported."""


class CompanyService(OpenEnum):
    """AIS account information, PIS payment initiation."""

    AIS = "AIS"
    PIS = "PIS"


class Company(Model):
    """A company that the partner acts for."""

    organization_number: str
    """The organisation number."""
    country: str
    """The country of registration (ISO 3166-1 alpha-2)."""
    name: str
    """The registered name."""
    active_subscription: bool
    """Whether the company has an active subscription."""
    services: list[CompanyService]
    """The services of the company."""
    onboarding_id: str | None = None
    """The onboarding that created it; null if it was registered in another way."""


class OnboardingStatus(OpenEnum):
    """Created: the url was not opened yet. AwaitingCustomerAction: the company must act.
    ManualHandling: we review it. Accepted: the company is onboarded. Rejected: see the reason.
    Cancelled: by you, by the company, or because another onboarding of the same company was
    accepted. Expired: no activity for 24 hours.
    """

    CREATED = "Created"
    AWAITING_CUSTOMER_ACTION = "AwaitingCustomerAction"
    MANUAL_HANDLING = "ManualHandling"
    ACCEPTED = "Accepted"
    REJECTED = "Rejected"
    CANCELLED = "Cancelled"
    EXPIRED = "Expired"


class OnboardingStatusReason(OpenEnum):
    """CompanyNotFound: the company is not in the registry, or was deleted. UnsupportedCompanyType:
    companies of its form are not supported. RiskEvaluation: a manual review is or was needed.
    SignatureExpired: the form was complete, but signatures were missing. MissingDocuments:
    documents that we requested are still missing.
    """

    COMPANY_NOT_FOUND = "CompanyNotFound"
    UNSUPPORTED_COMPANY_TYPE = "UnsupportedCompanyType"
    RISK_EVALUATION = "RiskEvaluation"
    SIGNATURE_EXPIRED = "SignatureExpired"
    MISSING_DOCUMENTS = "MissingDocuments"


class OnboardingTaskType(OpenEnum):
    """The type of the task; Documents only if we requested some."""

    COMPANY_DETAILS = "CompanyDetails"
    BENEFICIAL_OWNERS = "BeneficialOwners"
    SIGNERS = "Signers"
    TERMS = "Terms"
    SUMMARY = "Summary"
    SIGNATURES = "Signatures"
    DOCUMENTS = "Documents"


class OnboardingTaskStatus(OpenEnum):
    """Open or done."""

    OPEN = "Open"
    DONE = "Done"


class OnboardingTask(Model):
    """One task of the company."""

    type: OnboardingTaskType
    """The type of the task; Documents only if we requested some."""
    status: OnboardingTaskStatus
    """Open or done."""


class Onboarding(Model):
    """An onboarding of a company."""

    id: str
    """The onboarding."""
    status: OnboardingStatus
    status_reason: OnboardingStatusReason | None = None
    """The reason; null if there is none."""
    country: str
    """The country of the company (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number."""
    organization_name: str | None = None
    """The name in the registry; null until the url is opened."""
    redirect_url: str | None = None
    """Where the user returns to."""
    created_at: datetime
    """When it was created. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    updated_at: datetime
    """When it last changed. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    expires_at: datetime | None = None
    """When it expires without further activity; null during manual review and once it has ended."""
    tasks: list[OnboardingTask]
    """The company's tasks, done and open."""


class OnboardingRequest(RequestModel):
    """The company to onboard."""

    country: str
    """The country of the company (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number of the company."""
    redirect_url: str | None = None
    """Where the user returns to, with `status=success|cancelled`. A URI whose origin
    (`https://erp.example`) or scheme (`myerp:`) is registered for you, without credentials; in the
    sandbox any https origin and loopback http, too. It is returned as it was written, with `status`
    added to the query, before a fragment.
    """


class OnboardingStarted(Model):
    """A started onboarding."""

    id: str
    """Identifies the onboarding."""
    url: str
    """Where to send the user. The link gives access to the company's onboarding: do not share it."""


RegistrationRequestCountry: TypeAlias = Literal[
    "NO",
    "SE",
    "DK",
]
"""The country of the company (ISO 3166-1 alpha-2)."""


class RegistrationRequest(RequestModel):
    """The company to register."""

    country: RegistrationRequestCountry
    """The country of the company (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number of the company."""


class Registration(Model):
    """A company that is registered for account information."""

    country: str
    """The country of the company (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number."""
    organization_name: str
    """The name in the registry."""
    services: list[CompanyService]
    """The services of the company."""
    active_subscription: bool
    """Whether the company has an active subscription."""
    registered_at: datetime
    """When it was registered. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""


class ConsentStatus(OpenEnum):
    """AUTHORIZATION_REQUIRED: the user must accept at the bank. ACCEPTED: valid. REJECTED: the user
    or the bank rejected it. CANCELLED: the user left, or 15 minutes passed. EXPIRED: validUntil
    passed. REVOKED: see the reason.
    """

    AUTHORIZATION_REQUIRED = "AUTHORIZATION_REQUIRED"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    REVOKED = "REVOKED"


class ConsentStatusReason(OpenEnum):
    """Who revoked the consent, or that a newer consent of the same user replaced it."""

    USER = "USER"
    PARTNER = "PARTNER"
    BANK = "BANK"
    REPLACED_BY_NEW_CONSENT = "REPLACED_BY_NEW_CONSENT"


class ExcludedAccounts(Model):
    """Accounts that the bank returned last and that the consent does not include; absent if there
    are none.
    """

    count: int
    """How many accounts are not listed."""
    reason: str = "ANOTHER_OWNER"
    """ANOTHER_OWNER: by the name that the bank reports, they belong to another owner than the
    company of the consent. If it is the company, its registered name has changed: ask the operator.
    More reasons may be added.
    """


class ConsentExpiryWarning(Model):
    """A notice that requires action by the partner. More codes may be added."""

    code: str = "CONSENT_EXPIRING"
    """CONSENT_EXPIRING: it expires within seven days. Create a new one for the same user; this one
    stays valid until the user has accepted the new one.
    """
    since: datetime
    """When the notice began to apply. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    valid_until: datetime
    """When the consent expires. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""


class ScaRedirect(Model):
    """Authentication in the browser."""

    type: Literal["redirect"] = "redirect"
    """The user is sent to a URL."""
    url: str
    """Where to send the user's browser. It comes back to callbackUrl with a query parameter
    `status` of `success`, `rejected` or `cancelled`.
    """


class ScaQrKind(OpenEnum):
    """Dynamic codes are valid for one second: fetch a new one every second. Static ones last
    longer.
    """

    DYNAMIC = "Dynamic"
    STATIC = "Static"


class ScaQr(Model):
    """Authentication by a code that the user's app scans."""

    type: Literal["qr"] = "qr"
    """The user scans a code."""
    image: str
    """The code as a PNG, in base64; empty until the bank has created the first one."""
    code: str | None = None
    """The content of the code, to render it yourself; null if the bank gives only the image."""
    kind: ScaQrKind
    """Dynamic codes are valid for one second: fetch a new one every second. Static ones last
    longer.
    """
    valid_until: datetime
    """When this code expires. It is in the past while the bank creates the next code, or cannot be
    reached: the last code is returned until the next one exists. In UTC with three decimals, for
    example `2026-11-23T10:00:00.000Z`.
    """


Sca: TypeAlias = Annotated[
    Union[
        Annotated[ScaRedirect, Tag("redirect")],
        Annotated[ScaQr, Tag("qr")],
        Annotated[UnknownVariant, Tag(UNKNOWN)],
    ],
    Discriminator(tag_reader("type", "redirect", "qr")),
]
"""How the user authenticates."""


class Consent(Model):
    """A user's access to a company's accounts at a bank."""

    id: str
    """The consent-id."""
    status: ConsentStatus
    status_reason: ConsentStatusReason | None = None
    valid_until: datetime
    """When the consent expires unless it is revoked before. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    created_at: datetime
    """When it was created. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    updated_at: datetime
    """When its status last changed. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    bic: str
    """The bank's BIC."""
    bank_branch: str | None = None
    """The branch of the request."""
    country: str
    """The country of the company (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number of the company."""
    user_id_masked: str | None = None
    """The user's id at the bank, masked except for a few characters."""
    excluded_accounts: ExcludedAccounts | None = None
    notices: list[ConsentExpiryWarning]
    """Notices that require action by the partner; usually empty."""
    sca: Sca | None = None


class ConsentRequest(RequestModel):
    """The company and bank of the consent."""

    bic: str
    """The bank's BIC."""
    organization_number: str
    """The organisation number of the company that owns the accounts."""
    callback_url: str
    """Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is
    registered for you, without credentials; in the sandbox any https origin and loopback http, too.
    It is returned as it was written, with `status` added to the query, before a fragment.
    """
    user_id: str | None = None
    """The user's id at the bank; required if `userId.required` of the bank is true."""
    bank_branch: str | None = None
    """The branch, for banks whose users log in by branch."""
    country: str | None = None
    """The country of the company (ISO 3166-1 alpha-2)."""
    preferred_sca_method: PreferredScaMethod | None = None


class ConsentCreated(Model):
    """A consent that the user has yet to accept at the bank."""

    id: str
    """The value of the header consent-id once the user has accepted."""
    status: ConsentStatus
    valid_until: datetime
    """When the consent expires unless it is revoked before. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    sca: Sca


class AccountType(OpenEnum):
    """The type of account."""

    CURRENT = "Current"
    SAVINGS = "Savings"
    TAX = "Tax"
    CURRENCY = "Currency"
    OTHER = "Other"


class Account(Model):
    """An account of the consent."""

    id: str
    """The accountId of other operations; may differ for every consent."""
    bban: str
    """The account number in its domestic format, or the IBAN where the bank gives only an IBAN that
    does not contain that number, as some in Sweden do. Orders accept this value and the `iban`.
    """
    iban: str | None = None
    """The IBAN."""
    bic: str
    """The bank's BIC."""
    name: str | None = None
    """The name of the account at the bank."""
    owner_name: str | None = None
    """The account owner, as named by the bank."""
    currency: str
    """The currency of the account."""
    country: str
    """The country of the account (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number of the company that owns it."""
    type: AccountType
    """The type of account."""
    products: list[BankProduct]
    """The bank products that the account can be used for."""
    stable_id: str
    """Identifies the account under every consent."""


class AccountList(Model):
    """The accounts on the consent."""

    accounts: list[Account]
    """The company's accounts."""


class Balance(Model):
    """What is on an account; may be negative."""

    amount: Amount
    """A decimal with a point; negative when overdrawn."""
    currency: str
    """The currency (ISO 4217)."""


class AccountBalance(Model):
    """The available and the booked balance; each is absent if the bank does not report it."""

    available_balance: Balance | None = None
    booked_balance: Balance | None = None
    timestamp: datetime
    """When the bank reported it. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """


class EntryAmount(Model):
    """An amount and its currency."""

    amount: NumericAmount
    """Never negative: `type` gives the direction. Exact, with the decimals of its currency, usually
    two.
    """
    currency: str
    """The currency (ISO 4217)."""


class AccountEntryType(OpenEnum):
    """CREDIT: money came in. DEBIT: money went out."""

    CREDIT = "CREDIT"
    DEBIT = "DEBIT"


class AccountEntryStatus(OpenEnum):
    """Booked or pending; a pending entry may still change, or never be booked."""

    BOOKED = "BOOKED"
    PENDING = "PENDING"


class StructuredReference(Model):
    """A structured reference."""

    reference: str
    """The reference."""
    type: str | None = None
    """The type of the reference, for example `SCOR`."""


class EntryRemittance(Model):
    """The remittance information of the entry."""

    reference: str | None = None
    """The structured reference: a KID, OCR, creditor or invoice reference; the first of several."""
    references: list[StructuredReference] | None = None
    """All structured references, each with its type where the bank gives it."""
    unstructured: str | None = None
    """The message."""


class EntryParty(Model):
    """The debtor or creditor of an entry, as far as the bank names it."""

    name: str | None = None
    """The name of the account holder."""
    bban: str | None = None
    """The account number in its domestic format."""
    iban: str | None = None
    """The IBAN."""


class EntryElement(Model):
    """One transaction of a batch booking."""

    posted_amount: EntryAmount | None = None
    type: AccountEntryType
    creditor: EntryParty
    debtor: EntryParty
    remittance_information: EntryRemittance
    end_to_end_id: str | None = None
    """The endToEndId assigned by the payer."""


class AccountEntry(Model):
    """An entry on an account."""

    transaction_id: str
    """The bank's id of the entry; empty if it has none. Some banks change it when a pending entry
    is booked.
    """
    stable_entry_id: str
    """Identifies the entry before and after it is booked, under every consent."""
    posted_amount: EntryAmount
    type: AccountEntryType
    status: AccountEntryStatus
    booking_date_time: datetime | None = None
    """The booking date. Banks give a date without time: `2026-11-25T00:00:00.000Z` is 25 November,
    whose midnight in UTC is on the same day at every bank. Absent while pending. In UTC with three
    decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    value_date_time: datetime | None = None
    """The value date, in the format of `bookingDateTime`; for a pending entry, the expected date.
    In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    purpose_text: str | None = None
    """The purpose of the transfer, in the text of the bank."""
    remittance_information: EntryRemittance
    creditor: EntryParty
    debtor: EntryParty
    end_to_end_id: str | None = None
    """The endToEndId assigned by the payer, where the bank reports it."""
    payment_id: str | None = None
    """Your payment that this entry belongs to. Absent when the match is not certain."""
    elements: list[EntryElement] | None = None
    """The transactions of a batch booking, as far as the bank reports them."""
    enriched: bool
    """Whether the details of this entry were read from the bank."""


class AccountEntryList(Model):
    """The entries on an account in a date range."""

    account_entries: list[AccountEntry]
    """The entries, in the bank's order, pending ones last."""


class AccountEntryDetails(Model):
    """An entry on an account, with its details."""

    transaction_id: str
    """The bank's id of the entry; empty if it has none. Some banks change it when a pending entry
    is booked.
    """
    stable_entry_id: str | None = None
    """As in the list. Absent at banks whose ids change when an entry is booked: use the list there."""
    posted_amount: EntryAmount
    type: AccountEntryType
    status: AccountEntryStatus
    booking_date_time: datetime | None = None
    """The booking date. Banks give a date without time: `2026-11-25T00:00:00.000Z` is 25 November,
    whose midnight in UTC is on the same day at every bank. Absent while pending. In UTC with three
    decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    value_date_time: datetime | None = None
    """The value date, in the format of `bookingDateTime`; for a pending entry, the expected date.
    In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    purpose_text: str | None = None
    """The purpose of the transfer, in the text of the bank."""
    remittance_information: EntryRemittance
    creditor: EntryParty
    debtor: EntryParty
    end_to_end_id: str | None = None
    """The endToEndId assigned by the payer, where the bank reports it."""
    payment_id: str | None = None
    """Your payment that this entry belongs to. Absent when the match is not certain."""
    elements: list[EntryElement] | None = None
    """The transactions of a batch booking, as far as the bank reports them."""
    enriched: bool
    """Whether the details of this entry were read from the bank."""


class PaymentMetadata(Model):
    """The identification of the payment."""

    end_to_end_id: str
    """The partner’s own identification of the payment. It is stored unchanged. To the bank it is
    sent truncated to what the bank accepts, at most 35 characters: the beginning, a hyphen and
    eight hexadecimal digits of a digest. Some banks do not accept one; it is not sent to them.
    """


class PaymentStatusValue(OpenEnum):
    """Unsigned: the user must approve. InProgress: the bank processes it. Completed: the bank has
    completed it. Rejected: the bank has rejected it. Cancelled: it was cancelled.
    CustomerActionRequired: see the reason.
    """

    UNSIGNED = "Unsigned"
    IN_PROGRESS = "InProgress"
    COMPLETED = "Completed"
    REJECTED = "Rejected"
    CANCELLED = "Cancelled"
    CUSTOMER_ACTION_REQUIRED = "CustomerActionRequired"


class PaymentStatusReason(OpenEnum):
    """PartlySigned: another signature is needed. SmsConfirmationRequired: the user must confirm by
    SMS. InsufficientFunds: the account does not cover it.
    """

    PARTLY_SIGNED = "PartlySigned"
    SMS_CONFIRMATION_REQUIRED = "SmsConfirmationRequired"
    INSUFFICIENT_FUNDS = "InsufficientFunds"


class PaymentStatus(Model):
    """A payment's status as reported by the bank."""

    status: PaymentStatusValue
    status_reason: PaymentStatusReason | None = None
    status_reason_text: str | None = None
    """The bank's own text where it maps to no reason; not for end users."""
    timestamp: datetime
    """When the status was last read at the bank. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """


class PaymentAccount(Model):
    """The debtor or creditor account of a payment."""

    type: str = "bban"
    """The type of account number."""
    bban: str
    """The account number."""


class Address(Model):
    """A postal address. That of the receiver is sent to the bank if its payments have a field for
    it and town and country are given; no other is sent. Its characters are validated only then.
    """

    street_name: str | None = None
    """The street."""
    building_number: str | None = None
    """The number in the street."""
    city: str | None = None
    """The town."""
    post_code: str | None = None
    """The postal code."""
    country: str | None = None
    """The country (ISO 3166-1 alpha-2)."""


class ContactInformation(Model):
    """Name and contact details."""

    name: str
    """The name of the person or organisation."""
    telephone_number: str | None = None
    """The telephone number."""
    address: Address | None = None


class PaymentDebtor(Model):
    """The debtor and its account."""

    account: PaymentAccount
    contact_information: ContactInformation
    currency: str
    """The currency of the debtor account."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


class PaymentCreditor(Model):
    """The creditor and its account."""

    account: PaymentAccount
    contact_information: ContactInformation


class MessageRemittance(Model):
    """A message."""

    type: Literal["message"] = "message"
    """A free text."""
    value: str
    """The text shown to the receiver; see the bank's constraints for length and characters."""
    debtor_reference: str | None = None
    """A text shown to the debtor only, where the bank supports it: 20 characters, 35 in Finland."""


class OcrRemittance(Model):
    """A reference; must be used when the receiving account is an OCR account."""

    type: Literal["ocr"] = "ocr"
    """A reference that the receiver assigned."""
    value: str
    """The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland."""


class FikRemittanceCardType(OpenEnum):
    """The type of form."""

    VALUE_01 = "01"
    VALUE_04 = "04"
    VALUE_15 = "15"
    VALUE_71 = "71"
    VALUE_73 = "73"
    VALUE_75 = "75"


class FikRemittance(Model):
    """A Danish payment form: either its printed line in `value`, or its parts."""

    type: Literal["fik"] = "fik"
    """A Danish payment form."""
    value: str | None = None
    """The printed line, for example `+71<000000000000018+81234567`."""
    card_type: FikRemittanceCardType | None = None
    """The type of form."""
    payment_id: str | None = None
    """The identification of the payment, for the kinds that have one."""
    creditor_number: str | None = None
    """The receiver's creditor or giro number."""
    message: str | None = None
    """A text to the receiver, for the kinds that have one."""


RemittanceInformation: TypeAlias = Annotated[
    Union[
        Annotated[MessageRemittance, Tag("message")],
        Annotated[OcrRemittance, Tag("ocr")],
        Annotated[FikRemittance, Tag("fik")],
        Annotated[UnknownVariant, Tag(UNKNOWN)],
    ],
    Discriminator(tag_reader("type", "message", "ocr", "fik")),
]
"""The remittance information."""


class PurposeCode(OpenEnum):
    """SUPP supplier, TAXS tax, SALA salary, VATX value added tax, OTHR other."""

    SUPP = "SUPP"
    TAXS = "TAXS"
    SALA = "SALA"
    VATX = "VATX"
    OTHR = "OTHR"


class DomesticPaymentListed(Model):
    """A domestic payment."""

    type: Literal["Domestic"] = "Domestic"
    """The type of payment."""
    payment_id: str
    """Identifies the payment."""
    metadata: PaymentMetadata
    amount: Money
    due_date: date
    """The due date."""
    payment_status: PaymentStatus
    final_status: bool
    """Whether the status is final; a bank may still change it later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of the order is unknown: the bank may or may not have the payment."""
    created_at: datetime
    """When the payment was ordered. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    updated_at: datetime
    """When its status or status reason last changed. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    from_: PaymentDebtor
    to: PaymentCreditor
    remittance_information: RemittanceInformation | None = None
    purpose_code: PurposeCode | None = None


class CrossBorderAccountType(OpenEnum):
    """The type of account number."""

    BBAN = "bban"
    IBAN = "iban"


class CrossBorderAccount(Model):
    """The debtor or creditor account of a cross-border payment."""

    type: CrossBorderAccountType
    """The type of account number."""
    bic: str
    """The BIC of the account’s bank."""
    bban: str | None = None
    """The account number, with type bban."""
    iban: str | None = None
    """The IBAN, with type iban."""
    clearing_code: str | None = None
    """The clearing code of the bank."""


class CompleteAddress(Model):
    """A postal address in full."""

    street_name: str
    """The street."""
    building_number: str
    """The number in the street."""
    city: str
    """The town."""
    post_code: str
    """The postal code."""
    country: str
    """The country (ISO 3166-1 alpha-2)."""


class CompleteContactInformation(Model):
    """Name and complete address."""

    name: str
    """The name: at most 70 characters with exchange, else the maxInformationFieldLength of the
    debtor’s bank.
    """
    telephone_number: str | None = None
    """The telephone number."""
    address: CompleteAddress


class CrossBorderPaymentDebtor(Model):
    """The debtor and its account."""

    account: CrossBorderAccount
    contact_information: CompleteContactInformation
    currency: str
    """The currency of the debtor account."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


class CrossBorderPaymentCreditor(Model):
    """The creditor and its account."""

    account: CrossBorderAccount
    contact_information: CompleteContactInformation


class AdditionalInformationType(OpenEnum):
    """TaxCode: of the receiver. Reason: of the payment, as text. Purpose: of the payment, as a
    code.
    """

    TAX_CODE = "TaxCode"
    REASON = "Reason"
    PURPOSE = "Purpose"


class AdditionalInformation(Model):
    """Information that the receiving country requires."""

    type: AdditionalInformationType
    """TaxCode: of the receiver. Reason: of the payment, as text. Purpose: of the payment, as a
    code.
    """
    value: str
    """The code or text that the receiving country requires."""


class CrossBorderRemittance(Model):
    """The remittance information and the information for the receiving country."""

    message: str
    """The text shown to the receiver."""
    additional_information: list[AdditionalInformation] | None = None
    """Information that the receiving country requires; see its payment requirements."""
    debtor_reference: str | None = None
    """A text shown to the debtor only, where the bank supports it."""


class RegulatoryReporting(Model):
    """Reported to the authorities of the payer’s country. Norway and Sweden only; required there
    above 100 000 NOK and 150 000 SEK; other currencies are converted at the day’s reference rate.
    """

    code: str
    """The purpose of the payment: a regulatory code of the payer’s country."""
    information: str | None = None
    """The purpose as text, at most 35 characters. Norway only, where banks may require it."""


class IntermediaryNumber(Model):
    """The identifiers of the account."""

    iban: str | None = None
    """The IBAN, where the account has one."""
    bban: str | None = None
    """The account number in its domestic format."""
    bic: str | None = None
    """The bank of the account."""
    clearing_code: str | None = None
    """The clearing code of the bank, where its country has one."""


class IntermediaryHolder(Model):
    """The account holder."""

    name: str
    """The name of the account holder."""
    address: CompleteAddress


class IntermediaryAccount(Model):
    """The client account of the FX provider that receives the domestic funding payment."""

    account: IntermediaryNumber
    contact_information: IntermediaryHolder


class CrossBorderPaymentListed(Model):
    """A cross-border payment."""

    type: Literal["CrossBorder"] = "CrossBorder"
    """The type of payment."""
    payment_id: str
    """Identifies the payment."""
    metadata: PaymentMetadata
    amount: Money
    due_date: date
    """The due date."""
    payment_status: PaymentStatus
    final_status: bool
    """Whether the status is final; a bank may still change it later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of the order is unknown: the bank may or may not have the payment."""
    created_at: datetime
    """When the payment was ordered. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    updated_at: datetime
    """When its status or status reason last changed. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    from_: CrossBorderPaymentDebtor
    to: CrossBorderPaymentCreditor
    remittance_information: CrossBorderRemittance
    regulatory_reporting: RegulatoryReporting | None = None
    cost_amount: Money | None = None
    exchange_rate: Amount | None = None
    """Units of the debtor account’s currency for one unit of the payout currency."""
    quote_expiry_time: datetime | None = None
    """The time by which the payment must be signed; after it, an unsigned payment may be cancelled.
    In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    intermediary_account: IntermediaryAccount | None = None
    quote_id: str | None = None
    """The quote that the payment booked."""


PaymentSummary: TypeAlias = Annotated[
    Union[
        Annotated[DomesticPaymentListed, Tag("Domestic")],
        Annotated[CrossBorderPaymentListed, Tag("CrossBorder")],
        Annotated[UnknownVariant, Tag(UNKNOWN)],
    ],
    Discriminator(tag_reader("type", "Domestic", "CrossBorder")),
]
"""A payment in a list."""


class PaymentPage(Model):
    """A page of payments."""

    payments: list[PaymentSummary]
    """The payments, in an order that is stable between pages."""
    next_cursor: str | None = None
    """The cursor of the next page; null on the last one."""


class DebtorAccount(RequestModel):
    """The debtor account; one of those on the consent."""

    type: Literal["bban"] = "bban"
    """The type of account number."""
    bban: str
    """The account number in its domestic format, as digits or as it is printed. Norway: 11 digits
    (`8601.11.17947`). Sweden: clearing and account number (`5439-1024039`). Denmark: registration
    and account number (`0040 0440116243`). Finland: the IBAN, or its 14 digits. The IBAN of an
    account on the consent is accepted too. Other separators are rejected, because they may be
    decimals of a spreadsheet.
    """


class Debtor(RequestModel):
    """The debtor and its account."""

    account: DebtorAccount
    contact_information: ContactInformation
    currency: str
    """The currency of the debtor account."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


class CreditorAccount(RequestModel):
    """The receiver’s account."""

    type: Literal["bban"] = "bban"
    """The type of account number."""
    bban: str
    """The account number in its domestic format, as digits or as it is printed, like that of the
    debtor; other separators are rejected. In Sweden also Bankgiro (`5402-9681`, `BG 54029681`) and
    Plusgiro (`902003-3`, `PG 9020033`), where the bank supports them. In Denmark, with a FIK, it is
    the creditor or giro number of the form.
    """


class Creditor(RequestModel):
    """The creditor and its account."""

    account: CreditorAccount
    contact_information: ContactInformation


class DomesticPayment(RequestModel):
    """A payment between accounts of one country in its currency."""

    metadata: PaymentMetadata
    from_: Debtor
    to: Creditor
    amount: Money
    due_date: date
    """The day on which the bank pays, `YYYY-MM-DD`. If banks are closed on that day, it is paid on
    the next bank day; payrolls and some banks reject such days.
    """
    remittance_information: RemittanceInformation | None = None
    purpose_code: PurposeCode | None = None


class PaymentWarningCode(OpenEnum):
    """PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24
    hours. AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it
    exist. DueDateMoved: the due date is not a bank day, or its cut-off has passed.
    ReferenceUnverified: the reference looks wrong, though some receivers use similar ones.
    NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address without
    town or country); it is not sent. BalanceTooLow: the available balance does not cover the
    payment, which is due now. ReportingUnverified: the regulatory reporting looks incomplete, or
    its code is unknown. More codes may be added.
    """

    POSSIBLE_DUPLICATE = "PossibleDuplicate"
    ACCOUNT_NUMBER_UNVERIFIED = "AccountNumberUnverified"
    DUE_DATE_MOVED = "DueDateMoved"
    REFERENCE_UNVERIFIED = "ReferenceUnverified"
    NOT_CARRIED_BY_BANK = "NotCarriedByBank"
    BALANCE_TOO_LOW = "BalanceTooLow"
    REPORTING_UNVERIFIED = "ReportingUnverified"


class PaymentWarning(Model):
    """A warning; the payment was accepted nevertheless."""

    code: PaymentWarningCode
    """PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24
    hours. AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it
    exist. DueDateMoved: the due date is not a bank day, or its cut-off has passed.
    ReferenceUnverified: the reference looks wrong, though some receivers use similar ones.
    NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address without
    town or country); it is not sent. BalanceTooLow: the available balance does not cover the
    payment, which is due now. ReportingUnverified: the regulatory reporting looks incomplete, or
    its code is unknown. More codes may be added.
    """
    reason: str | None = None
    """The reason for the warning, as text."""
    path: str | None = None
    """The path of the field, for example `.dueDate`."""
    expected_execution_date: date | None = None
    """With DueDateMoved: the day on which the bank executes the payment if it is signed now."""
    payment_id: str | None = None
    """The other payment that the warning refers to."""


class PaymentInitiated(Model):
    """The payment as accepted by the bank."""

    payment_id: str
    """Identifies the payment for approval and status."""
    payment_status: PaymentStatus
    warnings: list[PaymentWarning] | None = None
    """Warnings to check."""


class CrossBorderDebtorAccount(RequestModel):
    """The debtor account; one of those on the consent."""

    type: Literal["bban"] = "bban"
    """The type of account number."""
    bic: str
    """The BIC of the account’s bank: that of the consent."""
    bban: str
    """The account number in its domestic format, or the IBAN, of an account on the consent."""


class CrossBorderDebtor(RequestModel):
    """The debtor and its account."""

    account: CrossBorderDebtorAccount
    contact_information: CompleteContactInformation
    currency: str
    """The currency of the debtor account."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


CrossBorderCreditorAccountType: TypeAlias = Literal[
    "bban",
    "iban",
]
"""The type of account number. A `bban` may hold an IBAN."""


class CrossBorderCreditorAccount(RequestModel):
    """The receiver’s account."""

    type: CrossBorderCreditorAccountType
    """The type of account number. A `bban` may hold an IBAN."""
    bic: str
    """The BIC of the receiver’s bank."""
    bban: str | None = None
    """With type bban: the account number in its domestic format, or the IBAN."""
    iban: str | None = None
    """With type iban: the IBAN."""
    clearing_code: str | None = None
    """The clearing code of the receiver’s bank, where the country requires it."""


class CrossBorderCreditor(RequestModel):
    """The creditor and its account."""

    account: CrossBorderCreditorAccount
    contact_information: CompleteContactInformation


class CrossBorderAmount(RequestModel):
    """The amount that the receiver gets. It is exchanged if its currency is not that of the debtor
    account.
    """

    amount: Amount
    """A decimal with a point and no sign, exponent or separators, for example `1250.00`."""
    currency: str
    """The currency (ISO 4217), for example `USD`, in which the receiver is paid."""


class CrossBorderPayment(RequestModel):
    """A payment to another country, or from an account in another currency than that of its
    country.
    """

    metadata: PaymentMetadata
    quote_id: str | None = None
    """The quote to book; without it a new quote is used."""
    from_: CrossBorderDebtor
    to: CrossBorderCreditor
    amount: CrossBorderAmount
    due_date: date
    """The day on which the debtor’s bank pays, `YYYY-MM-DD`. With exchange it is the due date of
    the domestic funding payment, and the receiver is usually paid two bank days later.
    """
    remittance_information: CrossBorderRemittance
    regulatory_reporting: RegulatoryReporting | None = None


class CrossBorderInitiated(Model):
    """The payment as accepted by the bank; with exchange, its cost and the deadline for signing."""

    payment_id: str
    """Identifies the payment for approval and status."""
    payment_status: PaymentStatus
    cost_amount: Money | None = None
    exchange_rate: Amount | None = None
    """Units of the debtor account’s currency for one unit of the payout currency."""
    quote_expiry_time: datetime | None = None
    """The time by which the payment must be signed; after it, an unsigned payment may be cancelled.
    In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    intermediary_account: IntermediaryAccount | None = None
    quote_id: str | None = None
    """The quote that the payment booked."""
    warnings: list[PaymentWarning] | None = None
    """Warnings to check."""


class ExchangeFundingStatus(OpenEnum):
    """Unsigned: waits for its signature. Signed: the bank executes it. Arrived: the provider
    received it. NotFunded: no money is expected any more; late money is returned.
    """

    UNSIGNED = "Unsigned"
    SIGNED = "Signed"
    ARRIVED = "Arrived"
    NOT_FUNDED = "NotFunded"


class ExchangeFunding(Model):
    """The domestic payment to the provider: a separate order at the bank."""

    amount: Money
    reference_code: str
    """The reference in the funding payment, by which the provider matches it."""
    status: ExchangeFundingStatus
    """Unsigned: waits for its signature. Signed: the bank executes it. Arrived: the provider
    received it. NotFunded: no money is expected any more; late money is returned.
    """
    sign_before: datetime
    """The deadline for signing. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    signed_at: datetime | None = None
    """When it was signed, if known. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """


class ExchangePayoutStatus(OpenEnum):
    """Waiting: for its funding. Ordered: the provider is paying out. Completed: the receiver’s bank
    received it. Returned: it was returned. Undone: there will be no payout.
    """

    WAITING = "Waiting"
    ORDERED = "Ordered"
    COMPLETED = "Completed"
    RETURNED = "Returned"
    UNDONE = "Undone"


class ExchangePayout(Model):
    """The payment from the provider to the receiver."""

    amount: Money
    status: ExchangePayoutStatus
    """Waiting: for its funding. Ordered: the provider is paying out. Completed: the receiver’s bank
    received it. Returned: it was returned. Undone: there will be no payout.
    """
    expected_date: date
    """The day on which the receiver is usually paid."""
    returned_amount: Money | None = None


class ExchangeStepEvent(OpenEnum):
    """The event. Money that is late, or of another amount, is held, then returned."""

    QUOTED = "Quoted"
    BOOKED = "Booked"
    BOOKING_REFUSED = "BookingRefused"
    SIGNED = "Signed"
    FUNDED = "Funded"
    PAYOUT_ORDERED = "PayoutOrdered"
    PAID_OUT = "PaidOut"
    PAYOUT_RETURNED = "PayoutReturned"
    REFUNDED = "Refunded"
    UNDOING = "Undoing"
    UNDONE = "Undone"
    MONEY_HELD = "MoneyHeld"
    MONEY_SENT_BACK = "MoneySentBack"
    MONEY_BACK_AT_SENDER = "MoneyBackAtSender"


class ExchangeStep(Model):
    """One event of the exchange."""

    at: datetime
    """When it happened. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    event: ExchangeStepEvent
    """The event. Money that is late, or of another amount, is held, then returned."""
    amount: Money | None = None
    reason: str | None = None
    """The reason, in our text or the provider’s."""


class DomesticPaymentShown(Model):
    """A domestic payment."""

    type: Literal["Domestic"] = "Domestic"
    """The type of payment."""
    payment_id: str
    """Identifies the payment."""
    metadata: PaymentMetadata
    amount: Money
    due_date: date
    """The due date."""
    payment_status: PaymentStatus
    final_status: bool
    """Whether the status is final; a bank may still change it later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of the order is unknown: the bank may or may not have the payment."""
    created_at: datetime
    """When the payment was ordered. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    updated_at: datetime
    """When its status or status reason last changed. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    from_: PaymentDebtor
    to: PaymentCreditor
    remittance_information: RemittanceInformation | None = None
    purpose_code: PurposeCode | None = None
    expected_execution_date: date | None = None
    """The day on which the bank executes the payment: if it is signed now; once it is signed, by
    the time of its signature. It is the due date unless that is not a bank day or its cut-off has
    passed.
    """
    bank_end_to_end_id: str | None = None
    """The endToEndId as sent to the bank; absent if the bank accepts none."""
    status_history: list[PaymentStatus]
    """The status history, oldest first, the latest 100: one entry for each change of status or
    reason. A new bank text with an unchanged status is shown in `paymentStatus` only.
    """
    funding: ExchangeFunding | None = None
    payout: ExchangePayout | None = None
    timeline: list[ExchangeStep] | None = None
    """The events of the exchange, oldest first."""


class CrossBorderPaymentShown(Model):
    """A cross-border payment."""

    type: Literal["CrossBorder"] = "CrossBorder"
    """The type of payment."""
    payment_id: str
    """Identifies the payment."""
    metadata: PaymentMetadata
    amount: Money
    due_date: date
    """The due date."""
    payment_status: PaymentStatus
    final_status: bool
    """Whether the status is final; a bank may still change it later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of the order is unknown: the bank may or may not have the payment."""
    created_at: datetime
    """When the payment was ordered. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    updated_at: datetime
    """When its status or status reason last changed. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    from_: CrossBorderPaymentDebtor
    to: CrossBorderPaymentCreditor
    remittance_information: CrossBorderRemittance
    regulatory_reporting: RegulatoryReporting | None = None
    cost_amount: Money | None = None
    exchange_rate: Amount | None = None
    """Units of the debtor account’s currency for one unit of the payout currency."""
    quote_expiry_time: datetime | None = None
    """The time by which the payment must be signed; after it, an unsigned payment may be cancelled.
    In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    intermediary_account: IntermediaryAccount | None = None
    quote_id: str | None = None
    """The quote that the payment booked."""
    expected_execution_date: date | None = None
    """The day on which the bank executes the payment: if it is signed now; once it is signed, by
    the time of its signature. It is the due date unless that is not a bank day or its cut-off has
    passed.
    """
    bank_end_to_end_id: str | None = None
    """The endToEndId as sent to the bank; absent if the bank accepts none."""
    status_history: list[PaymentStatus]
    """The status history, oldest first, the latest 100: one entry for each change of status or
    reason. A new bank text with an unchanged status is shown in `paymentStatus` only.
    """
    funding: ExchangeFunding | None = None
    payout: ExchangePayout | None = None
    timeline: list[ExchangeStep] | None = None
    """The events of the exchange, oldest first."""


Payment: TypeAlias = Annotated[
    Union[
        Annotated[DomesticPaymentShown, Tag("Domestic")],
        Annotated[CrossBorderPaymentShown, Tag("CrossBorder")],
        Annotated[UnknownVariant, Tag(UNKNOWN)],
    ],
    Discriminator(tag_reader("type", "Domestic", "CrossBorder")),
]
"""A payment with its status history."""


class PaymentStatusResponse(Model):
    """A payment's status, and whether the outcome at the bank is unknown."""

    status: PaymentStatusValue
    status_reason: PaymentStatusReason | None = None
    status_reason_text: str | None = None
    """The bank's own text where it maps to no reason; not for end users."""
    timestamp: datetime
    """When the status was last read at the bank. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    outcome_unknown: bool | None = None
    """True if the outcome of the order is unknown: the bank may or may not have the payment; else
    absent.
    """


class MessageCheck(RequestModel):
    """A message to validate."""

    country: str
    """The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI."""
    type: Literal["message"] = "message"
    """A free text."""
    value: str
    """The text shown to the receiver; characters are validated by country, and a bank may accept
    fewer.
    """


class OcrCheck(RequestModel):
    """A reference to validate."""

    country: str
    """The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI."""
    type: Literal["ocr"] = "ocr"
    """A reference that the receiver assigned."""
    value: str
    """The reference: KID in Norway, OCR in Sweden, viitenumero or RF in Finland."""


class FikCheck(RequestModel):
    """A Danish payment form to validate: either its printed line in `value`, or its parts."""

    country: str
    """The receiver's country (ISO 3166-1 alpha-2): NO, SE, DK or FI."""
    type: Literal["fik"] = "fik"
    """A Danish payment form."""
    value: str | None = None
    """The printed line, for example `+71<000000000000018+81234567`."""
    card_type: str | None = None
    """The type of form: 01, 04, 15, 71, 73 or 75."""
    payment_id: str | None = None
    """The identification of the payment, for the kinds that have one."""
    creditor_number: str | None = None
    """The receiver's creditor or giro number."""
    message: str | None = None
    """A text to the receiver, for the kinds that have one."""


RemittanceValidationRequest: TypeAlias = Annotated[
    Union[
        MessageCheck,
        OcrCheck,
        FikCheck,
    ],
    Field(discriminator="type"),
]
"""The remittance information to validate."""


class RemittanceCheckMethod(OpenEnum):
    """A check digit algorithm; None: the type has no check digit."""

    MODULUS10 = "Modulus10"
    MODULUS10_LENGTH_DIGIT = "Modulus10LengthDigit"
    MODULUS11 = "Modulus11"
    MODULUS97 = "Modulus97"
    WEIGHTS731 = "Weights731"
    NONE = "None"


class RemittanceValidation(Model):
    """The result of the validation."""

    valid: bool
    """Whether a payment to that country may carry it, by the rules of the country."""
    check_method: RemittanceCheckMethod | None = None
    """The check digit algorithm that it passed; None if its type has no check digit, null if it is
    not valid.
    """
    normalized: str | None = None
    """The normalised value, without spaces and padded; null if it is not valid."""
    reason: str | None = None
    """Why it is not valid, or what looks wrong although it is valid, as text."""


class ExchangeMetadata(RequestModel):
    """The company, and the id of the payment."""

    organization_country_code: str
    """The country of the company that pays (ISO 3166-1 alpha-2)."""
    organization_number: str
    """The organisation number of the company that pays."""
    end_to_end_id: str
    """The partner’s own identification of the payment. It is stored unchanged. To the bank it is
    sent truncated to what the bank accepts, at most 35 characters: the beginning, a hyphen and
    eight hexadecimal digits of a digest. Some banks do not accept one; it is not sent to them.
    """


class ExchangeSenderContact(RequestModel):
    """Who pays."""

    name: str
    """The name; 70 characters at most."""
    address: CompleteAddress


class ExchangeSender(RequestModel):
    """Who pays, and from where."""

    bban: str
    """The debtor account, in its domestic format or as IBAN."""
    bic: str
    """The bank of that account: a BIC of 8 or 11 capital letters and digits."""
    contact_information: ExchangeSenderContact
    currency: str
    """The currency of the debtor account."""
    country: str
    """The country of the debtor account (ISO 3166-1 alpha-2)."""


class ExchangeReceiverAccount(RequestModel):
    """The account that is paid: `iban` or `bban`."""

    iban: str | None = None
    """The IBAN."""
    bban: str | None = None
    """The account number in its domestic format, or the IBAN."""
    bic: str
    """The bank of that account: a BIC of 8 or 11 capital letters and digits."""
    clearing_code: str | None = None
    """The clearing code of its bank, where the country requires it."""


class ExchangeReceiverContact(RequestModel):
    """The receiver."""

    name: str
    """The name; 70 characters at most."""
    address: CompleteAddress


class ExchangeReceiver(RequestModel):
    """Who is paid, and where."""

    account: ExchangeReceiverAccount
    contact_information: ExchangeReceiverContact
    currency: str | None = None
    """The currency that the receiver gets, where `amount` is what the sender pays (SELL)."""


class ExchangeAmount(RequestModel):
    """The amount that the receiver gets (BUY); or, in the currency of the sender with another
    `to.currency`, what the sender pays (SELL).
    """

    amount: Amount
    """A decimal with a point and no sign, exponent or separators, for example `1250.00`."""
    currency: str
    """The currency (ISO 4217)."""


class ExchangeRemittance(RequestModel):
    """The remittance information and the information for the receiving country."""

    unstructured: str
    """The message for the receiver; 140 characters at most."""
    additional_information: list[AdditionalInformation] | None = None
    """Information that the receiving country requires; see its payment requirements."""


class ExchangeOrder(RequestModel):
    """A payment in another currency than that of the debtor account."""

    metadata: ExchangeMetadata
    from_: ExchangeSender
    to: ExchangeReceiver
    amount: ExchangeAmount
    due_date: date
    """The day on which the sender’s bank pays, `YYYY-MM-DD`; see GET /api/fx/calendar."""
    remittance_information: ExchangeRemittance
    purpose_code: str | None = None
    """Use additionalInformation of the type Purpose; this field is still accepted."""


class QuoteAccountNumber(Model):
    """The identifiers of the account."""

    iban: str
    """The IBAN."""
    bban: str
    """The account number in the domestic format of the debtor’s country."""
    bic: str
    """The bank of the account."""
    clearing_code: str | None = None
    """The clearing code of the bank, where its country has such codes."""


class IntermediaryAddress(Model):
    """The address of the account holder, as far as the provider reports it."""

    street_name: str
    """The street."""
    building_number: str
    """The number in the street; may be empty."""
    city: str
    """The town; may be empty."""
    post_code: str
    """The postal code; may be empty."""
    country: str
    """The country (ISO 3166-1 alpha-2)."""


class QuoteAccountHolder(Model):
    """The account holder."""

    name: str
    """The name of the account holder."""
    address: IntermediaryAddress


class QuoteAccount(Model):
    """The account of the FX provider to which the cost is paid."""

    account: QuoteAccountNumber
    contact_information: QuoteAccountHolder


class ExchangeQuote(Model):
    """The cost of the exchange (`costAmount`) and what the receiver gets (`requestedAmount`), until
    it expires.
    """

    quote_id: str
    """Identifies the quote for booking."""
    end_to_end_id: str
    """The endToEndId of the request."""
    requested_amount: Money
    cost_amount: Money
    exchange_rate: Amount
    """Units of the currency of `costAmount` for one unit of that of `requestedAmount`."""
    quote_expiry_time: datetime
    """When the quote expires. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    reference_code: str
    """Put it in the message of the payment to the intermediary account; the payment is matched by
    it.
    """
    intermediary_account: QuoteAccount
    markup: Amount | None = None
    """By how many percent the price is above the reference rate of the European Central Bank,
    negative when below; absent where there is no such rate.
    """
    charge_bearer: str = "SHA"
    """Who pays bank charges: each side its own."""
    payout_date: date
    """When the receiver is usually paid."""


class ExchangeWarningCode(OpenEnum):
    """BalanceTooLow: the available balance does not cover the payment, which is due now.
    DeprecatedField: the field is still accepted, but has a successor. AccountNumberUnverified: a
    number looks wrong, though valid ones like it exist. DestinationUnverified: other data of the
    receiver looks wrong. More codes may be added.
    """

    BALANCE_TOO_LOW = "BalanceTooLow"
    DEPRECATED_FIELD = "DeprecatedField"
    ACCOUNT_NUMBER_UNVERIFIED = "AccountNumberUnverified"
    DESTINATION_UNVERIFIED = "DestinationUnverified"


class ExchangeWarning(Model):
    """A warning; the order is possible nevertheless."""

    code: ExchangeWarningCode
    """BalanceTooLow: the available balance does not cover the payment, which is due now.
    DeprecatedField: the field is still accepted, but has a successor. AccountNumberUnverified: a
    number looks wrong, though valid ones like it exist. DestinationUnverified: other data of the
    receiver looks wrong. More codes may be added.
    """
    reason: str
    """The reason for the warning, as text."""
    path: str
    """The path of the field."""


class ExchangeValidation(Model):
    """The result for a valid order."""

    valid: bool
    """Always true: an invalid order gets an error."""
    end_to_end_id: str
    """The endToEndId of the request."""
    warnings: list[ExchangeWarning]
    """Warnings to check."""


class CurrencyLimits(Model):
    """The largest amounts of one exchange, as decimals."""

    due_today: Amount
    """Due today."""
    due_later: Amount | None = None
    """Due later; null if the currency can be ordered on the due date only."""


class Currency(Model):
    """A supported currency."""

    currency: str
    """The currency (ISO 4217)."""
    decimals: int
    """The number of decimals of its amounts."""
    funding: bool
    """Whether a payment with exchange can be funded in it."""
    payout: bool
    """Whether receivers can be paid in it."""
    max_amount: CurrencyLimits
    due_date_max_days: int
    """How many bank days ahead a payment may be due; 0 if only on the day of the order."""
    cut_off_time: str
    """The cut-off time of payments due on the day of their order, as HH:MM in Oslo."""


class ExchangeCalendar(Model):
    """The opening hours and possible due dates of exchange."""

    service_open: bool
    """Whether exchange can be ordered now."""
    opens_at: datetime
    """When exchange can next be ordered; the present time while it is open. In UTC with three
    decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    cut_off_time: str
    """The cut-off time of payments due on the day of their order, as HH:MM in Oslo."""
    first_due_date: date
    """The earliest due date of a payment that is ordered now."""
    default_due_date: date
    """The first due date after today: its quote is valid for five minutes instead of two."""
    last_due_date: date
    """The latest due date; some currencies have an earlier one."""
    invalid_dates: dict[str, str]
    """The days of the range that cannot be a due date, `YYYY-MM-DD`, each with the reason as text."""


class ApprovalRequest(RequestModel):
    """The payments to sign."""

    payments: list[str]
    """The payments to sign, domestic or cross-border; all of one bank and company."""
    callback_url: str
    """Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is
    registered for you, without credentials; in the sandbox any https origin and loopback http, too.
    It is returned as it was written, with `status` added to the query, before a fragment.
    """
    preferred_sca_method: PreferredScaMethod | None = None


class ApprovalStatus(OpenEnum):
    """STARTED: the user has not finished. ACCEPTED: this user has signed all payments. REJECTED:
    the user or the bank rejected it. CANCELLED: the user left, it timed out, a newer approval
    replaced it, or it was abandoned.
    """

    STARTED = "STARTED"
    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    CANCELLED = "CANCELLED"


class PaymentApprovalResult(Model):
    """The outcome of one payment of an approval."""

    payment_id: str
    """The payment."""
    result: ApprovalStatus
    payment_status: PaymentStatus


class Approval(Model):
    """The approval of one or more payments by one user."""

    id: str
    """Identifies the approval."""
    status: ApprovalStatus
    sca: Sca | None = None
    payments: list[PaymentApprovalResult] | None = None
    """The payments of the approval."""
    required_signatures: int | None = None
    """How many signatures are needed; null if the bank does not report it. At present no bank does:
    `PartlySigned` means that another user must sign.
    """
    remaining_signatures: int | None = None
    """How many signatures are missing; null if the bank does not report it."""


class CancellationRequest(RequestModel):
    """The payment to cancel."""

    payment_id: str
    """The id of the payment to cancel."""
    callback_url: str
    """Where the user returns to after signing the cancellation. A URI whose origin
    (`https://erp.example`) or scheme (`myerp:`) is registered for you, without credentials; in the
    sandbox any https origin and loopback http, too. It is returned as it was written, with `status`
    added to the query, before a fragment.
    """
    preferred_sca_method: PreferredScaMethod | None = None


class CancellationRequestStatus(OpenEnum):
    """ACCEPTED: the bank accepted the cancellation. REJECTED: the payment is not cancelled; see
    reason. AUTHORIZATION_REQUIRED: the user must sign the cancellation; then one of the other two
    follows.
    """

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    AUTHORIZATION_REQUIRED = "AUTHORIZATION_REQUIRED"


class Cancellation(Model):
    """A cancellation request for a payment. The payment itself becomes Cancelled once the bank
    confirms it.
    """

    id: str
    """Identifies the cancellation."""
    sca: Sca | None = None
    cancellation_request_status: CancellationRequestStatus
    current_payment_status: PaymentStatus
    reason: str | None = None
    """Why the payment is not cancelled, or other information; null if there is none."""


class CurrentPayrollStatus(OpenEnum):
    """The status of all transactions; if they differ, the first of these that one of them has:
    CustomerActionRequired, Unsigned, InProgress, Completed, Rejected, Cancelled.
    """

    UNSIGNED = "Unsigned"
    IN_PROGRESS = "InProgress"
    COMPLETED = "Completed"
    REJECTED = "Rejected"
    CANCELLED = "Cancelled"
    CUSTOMER_ACTION_REQUIRED = "CustomerActionRequired"


class PayrollAccountSummary(Model):
    """The debtor account."""

    bban: str
    """The account number."""


class PayrollDebtorSummary(Model):
    """The debtor and its account."""

    account: PayrollAccountSummary
    name: str
    """The name of the organisation that pays."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


class PayrollSummary(Model):
    """A payroll in a list, without its transactions."""

    payroll_id: str
    """Identifies the payroll for approval, cancellation and status."""
    current_payroll_status: CurrentPayrollStatus
    final_status: bool
    """Whether every status is final; a bank may still change one later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of an order is unknown: the bank may or may not have it."""
    from_: PayrollDebtorSummary
    transaction_count: int
    """The number of transactions."""
    total_amount: Money
    due_date: date
    """The due date."""
    bulk_id: str | None = None
    """The bulk of the payroll."""
    created_at: datetime
    """When the payroll was ordered. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    updated_at: datetime
    """When the status of the payroll or of a transaction last changed. In UTC with three decimals,
    for example `2026-11-23T10:00:00.000Z`.
    """


class PayrollPage(Model):
    """A page of payrolls."""

    payrolls: list[PayrollSummary]
    """The payrolls, in an order that is stable between pages."""
    next_cursor: str | None = None
    """The cursor of the next page; null on the last one."""


class PayrollDebtorAccount(RequestModel):
    """The debtor account; one of those on the consent."""

    bban: str
    """The account number in its domestic format, as digits or as it is printed. Norway: 11 digits
    (`8601.11.17947`). Sweden: clearing and account number (`5439-1024039`). Denmark: registration
    and account number (`0040 0440116243`). Finland: the IBAN, or its 14 digits. The IBAN of an
    account on the consent is accepted too. Other separators are rejected, because they may be
    decimals of a spreadsheet.
    """


class PayrollDebtor(RequestModel):
    """The debtor and its account."""

    account: PayrollDebtorAccount
    name: str
    """The name of the organisation that pays."""
    organization_number: str | None = None
    """The organisation number of the company that pays."""


class PayrollCreditorAccount(RequestModel):
    """The receiver’s account."""

    bban: str
    """The account number in its domestic format, as digits or as it is printed, like that of the
    debtor; other separators are rejected. In Sweden also Bankgiro (`5402-9681`, `BG 54029681`) and
    Plusgiro (`902003-3`, `PG 9020033`), where the bank supports them. In Denmark, with a FIK, it is
    the creditor or giro number of the form.
    """


class PayrollMessage(RequestModel):
    """A message."""

    type: Literal["message"] = "message"
    """A free text."""
    value: str
    """The text shown to the receiver; see the bank's constraints for length and characters."""


PayrollRemittance: TypeAlias = Annotated[
    Union[
        PayrollMessage,
        OcrRemittance,
    ],
    Field(discriminator="type"),
]
"""The remittance information of a transaction: a message, or the reference that an OCR account
requires.
"""


class PayrollTransactionRequest(RequestModel):
    """One transaction of a payroll."""

    metadata: PaymentMetadata
    name: str
    """The name of the receiver."""
    account: PayrollCreditorAccount
    amount: Money
    remittance_information: PayrollRemittance


class PayrollRequest(RequestModel):
    """Transactions from one account on one day, which are signed together."""

    from_: PayrollDebtor
    transactions: list[PayrollTransactionRequest]
    """The transactions, 10 000 at most unless configured otherwise, and no more than the
    `maxPayrollSize` of the bank. All are in the currency of the country, and each endToEndId is
    unique.
    """
    due_date: date
    """The day on which the bank pays, `YYYY-MM-DD`; must be a bank day, since salaries must arrive
    before a holiday.
    """
    purpose_code: Literal["SALA"] = "SALA"


class PayrollTransaction(Model):
    """The status of one transaction."""

    end_to_end_id: str
    """The endToEndId of the transaction."""
    timestamp: datetime
    """When the status of the transaction was last updated. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    payroll_status: PaymentStatusValue
    payroll_status_reason: PaymentStatusReason | None = None
    payroll_status_reason_text: str | None = None
    """Further information from the bank in our text: its own may contain personal data. Not for end
    users.
    """


class PayrollWarningCode(OpenEnum):
    """PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24
    hours. AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it
    exist. DueDateMoved: the due date is not a bank day, or its cut-off has passed.
    ReferenceUnverified: the reference looks wrong, though some receivers use similar ones.
    NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address without
    town or country); it is not sent. BalanceTooLow: the available balance does not cover the
    payment, which is due now. ReportingUnverified: the regulatory reporting looks incomplete, or
    its code is unknown. More codes may be added.
    """

    POSSIBLE_DUPLICATE = "PossibleDuplicate"
    ACCOUNT_NUMBER_UNVERIFIED = "AccountNumberUnverified"
    DUE_DATE_MOVED = "DueDateMoved"
    REFERENCE_UNVERIFIED = "ReferenceUnverified"
    NOT_CARRIED_BY_BANK = "NotCarriedByBank"
    BALANCE_TOO_LOW = "BalanceTooLow"
    REPORTING_UNVERIFIED = "ReportingUnverified"


class PayrollWarning(Model):
    """A warning; the payroll was accepted nevertheless."""

    code: PayrollWarningCode
    """PossibleDuplicate: an order with the same endToEndId, amount and receiver came within 24
    hours. AccountNumberUnverified: the receiver's number looks wrong, though valid ones like it
    exist. DueDateMoved: the due date is not a bank day, or its cut-off has passed.
    ReferenceUnverified: the reference looks wrong, though some receivers use similar ones.
    NotCarriedByBank: the bank has no field for this, or rejects it incomplete (an address without
    town or country); it is not sent. BalanceTooLow: the available balance does not cover the
    payment, which is due now. ReportingUnverified: the regulatory reporting looks incomplete, or
    its code is unknown. More codes may be added.
    """
    reason: str | None = None
    """The reason for the warning, as text."""
    path: str | None = None
    """The path of the field, for example `.transactions[3].account.bban`."""
    expected_execution_date: date | None = None
    """With DueDateMoved: the day on which the bank executes the transactions if they are signed
    now.
    """
    payroll_id: str | None = None
    """The other payroll that the warning refers to."""


class PayrollInitiated(Model):
    """The accepted payroll."""

    payroll_id: str
    """Identifies the payroll for approval, cancellation and status."""
    transactions: list[PayrollTransaction]
    """Every transaction, in the order of the request."""
    warnings: list[PayrollWarning] | None = None
    """Warnings to check; the first 1 000."""


class PayrollBulkRequest(RequestModel):
    """Several payrolls that are ordered and signed together."""

    callback_url: str
    """Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is
    registered for you, without credentials; in the sandbox any https origin and loopback http, too.
    It is returned as it was written, with `status` added to the query, before a fragment.
    """
    preferred_sca_method: PreferredScaMethod | None = None
    payrolls: list[PayrollRequest]
    """The payrolls, which are signed together; no more than the `maxBulkSize` of the bank."""


class PayrollBulkSca(Model):
    """How the user authenticates."""

    redirect: ScaRedirect


class PayrollBulkInitiated(Model):
    """The payrolls of a bulk, and their approval."""

    id: str
    """Identifies the bulk, and the approval of all its payrolls."""
    payrolls: list[PayrollInitiated]
    """Every payroll, in the order of the request."""
    status: ApprovalStatus
    sca: PayrollBulkSca | None = None


class PayrollStatus(Model):
    """The status of a payroll and of each transaction."""

    payroll_id: str
    """Identifies the payroll for approval, cancellation and status."""
    current_payroll_status: CurrentPayrollStatus
    final_status: bool
    """Whether every status is final; a bank may still change one later, for example by a return."""
    outcome_unknown: bool
    """Whether the outcome of an order is unknown: the bank may or may not have it."""
    transactions: list[PayrollTransaction]
    """Every transaction, in the order of the request."""


class PayrollApprovalRequest(RequestModel):
    """The payrolls to sign: `payrolls` or `payrollId`."""

    payrolls: list[str] | None = None
    """The payrolls to sign, of one bank and company; if present, `payrollId` is ignored."""
    payroll_id: str | None = None
    """The payroll to sign, if it is only one."""
    callback_url: str
    """Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is
    registered for you, without credentials; in the sandbox any https origin and loopback http, too.
    It is returned as it was written, with `status` added to the query, before a fragment.
    """
    preferred_sca_method: PreferredScaMethod | None = None


class PayrollApprovalResult(Model):
    """The outcome of one payroll of an approval."""

    payroll_id: str
    """Identifies the payroll for approval, cancellation and status."""
    result: ApprovalStatus
    current_payroll_status: CurrentPayrollStatus


class PayrollApproval(Model):
    """The approval of one or more payrolls by one user."""

    id: str
    """Identifies the approval."""
    status: ApprovalStatus
    sca: ScaRedirect | None = None
    payrolls: list[PayrollApprovalResult] | None = None
    """The payrolls of the approval."""
    required_signatures: int | None = None
    """How many signatures are needed; null if the bank does not report it."""
    remaining_signatures: int | None = None
    """How many signatures are missing; null if the bank does not report it."""


class PayrollCancellationRequest(RequestModel):
    """The payroll to cancel."""

    payroll_id: str
    """The id of the payroll to cancel."""
    callback_url: str
    """Where the user returns to. A URI whose origin (`https://erp.example`) or scheme (`myerp:`) is
    registered for you, without credentials; in the sandbox any https origin and loopback http, too.
    It is returned as it was written, with `status` added to the query, before a fragment.
    """
    preferred_sca_method: PreferredScaMethod | None = None


class PayrollCancellationProgress(Model):
    """Present, in place of cancellationRequestStatus, until the bank has answered for every order."""

    answered: int
    """The orders for which the bank has answered."""
    orders: int
    """The orders of the payroll that are to be cancelled."""


class PayrollCancellation(Model):
    """A cancellation request for a payroll. The payroll itself becomes Cancelled once the bank
    confirms it.
    """

    id: str
    """Identifies the cancellation."""
    sca: ScaRedirect | None = None
    cancellation_request_status: CancellationRequestStatus | None = None
    current_payroll_status: CurrentPayrollStatus
    reason: str | None = None
    """Why the payroll, or a part of it, is not cancelled; null if there is no reason."""
    progress: PayrollCancellationProgress | None = None


class WebhookEventType(OpenEnum):
    """PAYMENT_STATUS selects every change of a payment’s status, PAYROLL_STATUS every change of a
    payroll’s, and so on for PAYROLL_TRANSACTION_STATUS, APPROVAL_STATUS, CONSENT,
    ONBOARDING_STATUS, EXCHANGE and ACCOUNT_ENTRIES; the others select one type. A subscription gets
    only what it selects. Deliveries always name the specific type.
    """

    PAYMENT_STATUS = "PAYMENT_STATUS"
    PAYMENT_STATUS_UNSIGNED = "PAYMENT_STATUS_UNSIGNED"
    PAYMENT_STATUS_IN_PROGRESS = "PAYMENT_STATUS_IN_PROGRESS"
    PAYMENT_STATUS_REJECTED = "PAYMENT_STATUS_REJECTED"
    PAYMENT_STATUS_COMPLETED = "PAYMENT_STATUS_COMPLETED"
    PAYMENT_STATUS_CANCELLED = "PAYMENT_STATUS_CANCELLED"
    PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED = "PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED"
    PAYROLL_STATUS = "PAYROLL_STATUS"
    PAYROLL_STATUS_UNSIGNED = "PAYROLL_STATUS_UNSIGNED"
    PAYROLL_STATUS_IN_PROGRESS = "PAYROLL_STATUS_IN_PROGRESS"
    PAYROLL_STATUS_REJECTED = "PAYROLL_STATUS_REJECTED"
    PAYROLL_STATUS_COMPLETED = "PAYROLL_STATUS_COMPLETED"
    PAYROLL_STATUS_CANCELLED = "PAYROLL_STATUS_CANCELLED"
    PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED = "PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED"
    PAYROLL_TRANSACTION_STATUS = "PAYROLL_TRANSACTION_STATUS"
    PAYROLL_TRANSACTION_STATUS_UNSIGNED = "PAYROLL_TRANSACTION_STATUS_UNSIGNED"
    PAYROLL_TRANSACTION_STATUS_IN_PROGRESS = "PAYROLL_TRANSACTION_STATUS_IN_PROGRESS"
    PAYROLL_TRANSACTION_STATUS_REJECTED = "PAYROLL_TRANSACTION_STATUS_REJECTED"
    PAYROLL_TRANSACTION_STATUS_COMPLETED = "PAYROLL_TRANSACTION_STATUS_COMPLETED"
    PAYROLL_TRANSACTION_STATUS_CANCELLED = "PAYROLL_TRANSACTION_STATUS_CANCELLED"
    PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED = (
        "PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED"
    )
    APPROVAL_STATUS = "APPROVAL_STATUS"
    APPROVAL_STATUS_ACCEPTED = "APPROVAL_STATUS_ACCEPTED"
    APPROVAL_STATUS_REJECTED = "APPROVAL_STATUS_REJECTED"
    APPROVAL_STATUS_CANCELLED = "APPROVAL_STATUS_CANCELLED"
    CONSENT = "CONSENT"
    CONSENT_ACCEPTED = "CONSENT_ACCEPTED"
    CONSENT_REJECTED = "CONSENT_REJECTED"
    CONSENT_CANCELLED = "CONSENT_CANCELLED"
    CONSENT_EXPIRED = "CONSENT_EXPIRED"
    CONSENT_REVOKED = "CONSENT_REVOKED"
    CONSENT_EXPIRING = "CONSENT_EXPIRING"
    ONBOARDING_STATUS = "ONBOARDING_STATUS"
    ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION = "ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION"
    ONBOARDING_STATUS_MANUAL_HANDLING = "ONBOARDING_STATUS_MANUAL_HANDLING"
    ONBOARDING_STATUS_ACCEPTED = "ONBOARDING_STATUS_ACCEPTED"
    ONBOARDING_STATUS_REJECTED = "ONBOARDING_STATUS_REJECTED"
    ONBOARDING_STATUS_CANCELLED = "ONBOARDING_STATUS_CANCELLED"
    ONBOARDING_STATUS_EXPIRED = "ONBOARDING_STATUS_EXPIRED"
    EXCHANGE = "EXCHANGE"
    EXCHANGE_SIGNED = "EXCHANGE_SIGNED"
    EXCHANGE_FUNDED = "EXCHANGE_FUNDED"
    EXCHANGE_PAYOUT_ORDERED = "EXCHANGE_PAYOUT_ORDERED"
    EXCHANGE_PAID_OUT = "EXCHANGE_PAID_OUT"
    EXCHANGE_PAYOUT_RETURNED = "EXCHANGE_PAYOUT_RETURNED"
    EXCHANGE_REFUNDED = "EXCHANGE_REFUNDED"
    EXCHANGE_UNDOING = "EXCHANGE_UNDOING"
    EXCHANGE_UNDONE = "EXCHANGE_UNDONE"
    ACCOUNT_ENTRIES = "ACCOUNT_ENTRIES"
    ACCOUNT_ENTRIES_BOOKED = "ACCOUNT_ENTRIES_BOOKED"


class WebhookSubscription(Model):
    """A webhook subscription."""

    id: str
    """Identifies the subscription."""
    target_url: str
    """The URL for deliveries: https, a public host, no user name or password, no fragment."""
    enabled: bool
    """Whether new events are delivered; false for good."""
    paused: bool
    """Whether new events wait until it is resumed."""
    created_at: datetime
    """When it was created. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    updated_at: datetime
    """When it was last changed. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    event_types: list[WebhookEventType]
    """The event types to deliver; each event is delivered once, even if two of the types select it."""
    has_bearer_token: bool
    """Whether deliveries carry a bearer token; it is never shown."""


class WebhookSubscriptionRequest(RequestModel):
    """The URL and event types of a subscription."""

    target_url: str
    """The URL for deliveries: https, a public host, no user name or password, no fragment."""
    event_types: list[WebhookEventType]
    """The event types to deliver; each event is delivered once, even if two of the types select it."""


class WebhookSubscriptionWarning(Model):
    """A warning; the subscription was stored nevertheless."""

    code: str = "DuplicateTargetUrl"
    """DuplicateTargetUrl: another enabled subscription delivers to this URL as well, so that events
    which both select arrive there twice, signed with different secrets. More codes may be added.
    """
    reason: str
    """The reason for the warning, as text."""
    path: str
    """The path of the field, for example `.targetUrl`."""
    subscription_id: str
    """The other subscription; the newest one if there are several."""


class WebhookSubscriptionWithSecret(Model):
    """A subscription with its signing secret."""

    id: str
    """Identifies the subscription."""
    target_url: str
    """The URL for deliveries: https, a public host, no user name or password, no fragment."""
    enabled: bool
    """Whether new events are delivered; false for good."""
    paused: bool
    """Whether new events wait until it is resumed."""
    created_at: datetime
    """When it was created. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    updated_at: datetime
    """When it was last changed. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    event_types: list[WebhookEventType]
    """The event types to deliver; each event is delivered once, even if two of the types select it."""
    has_bearer_token: bool
    """Whether deliveries carry a bearer token; it is never shown."""
    warnings: list[WebhookSubscriptionWarning] | None = None
    """Warnings to check."""
    signing_secret: str
    """Signs every delivery; returned only once. Its UTF-8 bytes are the key."""


class UpdatedWebhookSubscription(Model):
    """A subscription after its update."""

    id: str
    """Identifies the subscription."""
    target_url: str
    """The URL for deliveries: https, a public host, no user name or password, no fragment."""
    enabled: bool
    """Whether new events are delivered; false for good."""
    paused: bool
    """Whether new events wait until it is resumed."""
    created_at: datetime
    """When it was created. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    updated_at: datetime
    """When it was last changed. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    event_types: list[WebhookEventType]
    """The event types to deliver; each event is delivered once, even if two of the types select it."""
    has_bearer_token: bool
    """Whether deliveries carry a bearer token; it is never shown."""
    warnings: list[WebhookSubscriptionWarning] | None = None
    """Warnings to check."""


class WebhookBearerToken(RequestModel):
    """The bearer token that deliveries carry."""

    bearer_token: str
    """The token without `Bearer ` in front: printable ASCII characters."""


class WebhookTestResult(Model):
    """The outcome of the first attempt of a test delivery."""

    delivery_id: str
    """The id of the delivery."""
    succeeded: bool
    """Whether the endpoint answered 2xx to the first attempt."""
    error: str | None = None
    """The error; null if there was none."""


class WebhookReplayRequest(RequestModel):
    """Which events are delivered again."""

    since: date | AwareDatetime
    """Events that occurred at this time or later, in business time; a day begins in UTC."""
    until: date | AwareDatetime | None = None
    """Events that occurred before this time; a day is included. Everything up to now when absent."""


class WebhookReplayResult(Model):
    """What was queued."""

    events: int
    """The number of events of the window, of all types."""
    deliveries: int
    """The number of deliveries that were queued."""


class WebhookDeliveryStatus(OpenEnum):
    """Queued: waits for its first or next attempt. Delivered: answered 2xx. Failed: all attempts
    failed. Refused: the URL leads to a forbidden address; nothing was sent.
    """

    QUEUED = "Queued"
    DELIVERED = "Delivered"
    FAILED = "Failed"
    REFUSED = "Refused"


class WebhookDeliverySummary(Model):
    """A delivery without its body and attempts."""

    id: str
    """Identifies the delivery; the same in each of its attempts."""
    event_id: str
    """The delivered event."""
    event_type: str
    """The type of the event."""
    status: WebhookDeliveryStatus
    created_at: datetime
    """When it was queued. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    attempts_made: int
    """The number of attempts."""
    next_attempt_at: datetime | None = None
    """When the next attempt is due; null if there is none."""
    last_error: str | None = None
    """Why the last attempt did not succeed; null when it did, or when there was none."""


WebhookDeliveredEventType: TypeAlias = Literal[
    "PAYMENT_STATUS_UNSIGNED",
    "PAYMENT_STATUS_IN_PROGRESS",
    "PAYMENT_STATUS_REJECTED",
    "PAYMENT_STATUS_COMPLETED",
    "PAYMENT_STATUS_CANCELLED",
    "PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED",
    "PAYROLL_STATUS_UNSIGNED",
    "PAYROLL_STATUS_IN_PROGRESS",
    "PAYROLL_STATUS_REJECTED",
    "PAYROLL_STATUS_COMPLETED",
    "PAYROLL_STATUS_CANCELLED",
    "PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED",
    "PAYROLL_TRANSACTION_STATUS_UNSIGNED",
    "PAYROLL_TRANSACTION_STATUS_IN_PROGRESS",
    "PAYROLL_TRANSACTION_STATUS_REJECTED",
    "PAYROLL_TRANSACTION_STATUS_COMPLETED",
    "PAYROLL_TRANSACTION_STATUS_CANCELLED",
    "PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED",
    "APPROVAL_STATUS_ACCEPTED",
    "APPROVAL_STATUS_REJECTED",
    "APPROVAL_STATUS_CANCELLED",
    "CONSENT_ACCEPTED",
    "CONSENT_REJECTED",
    "CONSENT_CANCELLED",
    "CONSENT_EXPIRED",
    "CONSENT_REVOKED",
    "CONSENT_EXPIRING",
    "ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION",
    "ONBOARDING_STATUS_MANUAL_HANDLING",
    "ONBOARDING_STATUS_ACCEPTED",
    "ONBOARDING_STATUS_REJECTED",
    "ONBOARDING_STATUS_CANCELLED",
    "ONBOARDING_STATUS_EXPIRED",
    "EXCHANGE_SIGNED",
    "EXCHANGE_FUNDED",
    "EXCHANGE_PAYOUT_ORDERED",
    "EXCHANGE_PAID_OUT",
    "EXCHANGE_PAYOUT_RETURNED",
    "EXCHANGE_REFUNDED",
    "EXCHANGE_UNDOING",
    "EXCHANGE_UNDONE",
    "ACCOUNT_ENTRIES_BOOKED",
    "webhook.test",
]
"""Deliveries of this event type."""


class WebhookDeliveryPage(Model):
    """A page of deliveries."""

    deliveries: list[WebhookDeliverySummary]
    """A page of deliveries."""
    next_cursor: str | None = None
    """The cursor of the next page; null on the last one."""


class WebhookAttempt(Model):
    """One attempt at a delivery."""

    at: datetime
    """When it started, in business time. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    duration_milliseconds: int
    """Its duration."""
    status_code: int | None = None
    """The HTTP status of the response; null if there was none."""
    answer: str | None = None
    """The first kilobyte of the response body."""
    error: str | None = None
    """Why it did not succeed; null when it did."""


class WebhookDelivery(Model):
    """The delivery of one event to one subscription."""

    id: str
    """Identifies the delivery; the same in each of its attempts."""
    event_id: str
    """The delivered event."""
    event_type: str
    """The type of the event."""
    status: WebhookDeliveryStatus
    created_at: datetime
    """When it was queued. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`."""
    attempts_made: int
    """The number of attempts."""
    next_attempt_at: datetime | None = None
    """When the next attempt is due; null if there is none."""
    last_error: str | None = None
    """Why the last attempt did not succeed; null when it did, or when there was none."""
    target_url: str
    """The target URL at the time when the delivery was queued."""
    body: str
    """The exact body."""
    attempts: list[WebhookAttempt]
    """Every attempt, oldest first."""


class PaymentStatusEventType(OpenEnum):
    """The status that the payment has changed to."""

    PAYMENT_STATUS_UNSIGNED = "PAYMENT_STATUS_UNSIGNED"
    PAYMENT_STATUS_IN_PROGRESS = "PAYMENT_STATUS_IN_PROGRESS"
    PAYMENT_STATUS_REJECTED = "PAYMENT_STATUS_REJECTED"
    PAYMENT_STATUS_COMPLETED = "PAYMENT_STATUS_COMPLETED"
    PAYMENT_STATUS_CANCELLED = "PAYMENT_STATUS_CANCELLED"
    PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED = "PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED"


class PaymentStatusChange(Model):
    """What changed."""

    payment_id: str
    """The payment."""
    previous_status: PaymentStatusValue
    status: PaymentStatusValue
    status_reason: PaymentStatusReason | None = None
    """The reason; null if there is none."""
    status_reason_text: str | None = None
    """The bank's own text; for operators, not for end users."""


class PaymentStatusEvent(Model):
    """A change of a payment's status."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: PaymentStatusEventType
    """The status that the payment has changed to."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of the payment. In UTC with three decimals,
    for example `2026-11-23T10:00:00.000Z`.
    """
    data: PaymentStatusChange


class PayrollStatusEventType(OpenEnum):
    """What happened."""

    PAYROLL_STATUS_UNSIGNED = "PAYROLL_STATUS_UNSIGNED"
    PAYROLL_STATUS_IN_PROGRESS = "PAYROLL_STATUS_IN_PROGRESS"
    PAYROLL_STATUS_REJECTED = "PAYROLL_STATUS_REJECTED"
    PAYROLL_STATUS_COMPLETED = "PAYROLL_STATUS_COMPLETED"
    PAYROLL_STATUS_CANCELLED = "PAYROLL_STATUS_CANCELLED"
    PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED = "PAYROLL_STATUS_CUSTOMER_ACTION_REQUIRED"


class PayrollStatusChange(Model):
    """What changed."""

    payroll_id: str
    """The payroll."""
    previous_status: PaymentStatusValue
    status: PaymentStatusValue


class PayrollStatusEvent(Model):
    """A change of a payroll's status."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: PayrollStatusEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: PayrollStatusChange


class PayrollTransactionStatusEventType(OpenEnum):
    """What happened."""

    PAYROLL_TRANSACTION_STATUS_UNSIGNED = "PAYROLL_TRANSACTION_STATUS_UNSIGNED"
    PAYROLL_TRANSACTION_STATUS_IN_PROGRESS = "PAYROLL_TRANSACTION_STATUS_IN_PROGRESS"
    PAYROLL_TRANSACTION_STATUS_REJECTED = "PAYROLL_TRANSACTION_STATUS_REJECTED"
    PAYROLL_TRANSACTION_STATUS_COMPLETED = "PAYROLL_TRANSACTION_STATUS_COMPLETED"
    PAYROLL_TRANSACTION_STATUS_CANCELLED = "PAYROLL_TRANSACTION_STATUS_CANCELLED"
    PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED = (
        "PAYROLL_TRANSACTION_STATUS_CUSTOMER_ACTION_REQUIRED"
    )


class ChangedPayrollTransaction(Model):
    """A transaction whose status has changed."""

    position: int
    """Its position in `transactions` of the payroll, from 0."""
    previous_status: PaymentStatusValue
    status_reason: PaymentStatusReason | None = None
    """The reason; null if there is none."""


class PayrollTransactionStatusChange(Model):
    """What changed."""

    payroll_id: str
    """The payroll."""
    status: PaymentStatusValue
    transactions: list[ChangedPayrollTransaction]
    """The transactions that now have this status. Nothing else about them is sent."""


class PayrollTransactionStatusEvent(Model):
    """Transactions of a payroll have changed to one status. Never names, accounts or amounts."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: PayrollTransactionStatusEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: PayrollTransactionStatusChange


class ApprovalStatusEventType(OpenEnum):
    """What happened."""

    APPROVAL_STATUS_ACCEPTED = "APPROVAL_STATUS_ACCEPTED"
    APPROVAL_STATUS_REJECTED = "APPROVAL_STATUS_REJECTED"
    APPROVAL_STATUS_CANCELLED = "APPROVAL_STATUS_CANCELLED"


class ApprovalStatusChangeSubject(OpenEnum):
    """What is approved."""

    PAYMENTS = "payments"
    PAYROLLS = "payrolls"


class ApprovalStatusChange(Model):
    """What changed."""

    approval_id: str
    """The approval."""
    subject: ApprovalStatusChangeSubject
    """What is approved."""
    previous_status: ApprovalStatus
    status: ApprovalStatus


class ApprovalStatusEvent(Model):
    """An approval of payments or payrolls has ended."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: ApprovalStatusEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: ApprovalStatusChange


class ConsentEventType(OpenEnum):
    """What happened."""

    CONSENT_ACCEPTED = "CONSENT_ACCEPTED"
    CONSENT_REJECTED = "CONSENT_REJECTED"
    CONSENT_CANCELLED = "CONSENT_CANCELLED"
    CONSENT_EXPIRED = "CONSENT_EXPIRED"
    CONSENT_REVOKED = "CONSENT_REVOKED"
    CONSENT_EXPIRING = "CONSENT_EXPIRING"


class ConsentChange(Model):
    """What changed."""

    consent_id: str
    """The consent."""
    previous_status: ConsentStatus | None = None
    """Null when the status did not change: with CONSENT_EXPIRING."""
    status: ConsentStatus
    status_reason: ConsentStatusReason | None = None
    """The reason; null if there is none."""
    valid_until: datetime
    """When the consent expires unless it is revoked before. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """


class ConsentEvent(Model):
    """A consent was accepted, expires within seven days, or has ended."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: ConsentEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: ConsentChange


class OnboardingStatusEventType(OpenEnum):
    """What happened."""

    ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION = "ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION"
    ONBOARDING_STATUS_MANUAL_HANDLING = "ONBOARDING_STATUS_MANUAL_HANDLING"
    ONBOARDING_STATUS_ACCEPTED = "ONBOARDING_STATUS_ACCEPTED"
    ONBOARDING_STATUS_REJECTED = "ONBOARDING_STATUS_REJECTED"
    ONBOARDING_STATUS_CANCELLED = "ONBOARDING_STATUS_CANCELLED"
    ONBOARDING_STATUS_EXPIRED = "ONBOARDING_STATUS_EXPIRED"


class OnboardingStatusChange(Model):
    """What changed."""

    onboarding_id: str
    """The onboarding."""
    previous_status: OnboardingStatus
    status: OnboardingStatus
    status_reason: OnboardingStatusReason | None = None
    """The reason; null if there is none."""


class OnboardingStatusEvent(Model):
    """A change of an onboarding's status."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: OnboardingStatusEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: OnboardingStatusChange


class ExchangeEventType(OpenEnum):
    """What happened."""

    EXCHANGE_SIGNED = "EXCHANGE_SIGNED"
    EXCHANGE_FUNDED = "EXCHANGE_FUNDED"
    EXCHANGE_PAYOUT_ORDERED = "EXCHANGE_PAYOUT_ORDERED"
    EXCHANGE_PAID_OUT = "EXCHANGE_PAID_OUT"
    EXCHANGE_PAYOUT_RETURNED = "EXCHANGE_PAYOUT_RETURNED"
    EXCHANGE_REFUNDED = "EXCHANGE_REFUNDED"
    EXCHANGE_UNDOING = "EXCHANGE_UNDOING"
    EXCHANGE_UNDONE = "EXCHANGE_UNDONE"


class ExchangeProgressStep(OpenEnum):
    """The step, as in the `timeline` of the payment."""

    SIGNED = "Signed"
    FUNDED = "Funded"
    PAYOUT_ORDERED = "PayoutOrdered"
    PAID_OUT = "PaidOut"
    PAYOUT_RETURNED = "PayoutReturned"
    REFUNDED = "Refunded"
    UNDOING = "Undoing"
    UNDONE = "Undone"


class ExchangeProgress(Model):
    """What changed."""

    payment_id: str | None = None
    """The payment; null where funds for a quote arrived without one."""
    reference_code: str
    """The reference of the funding payment, as in the quote."""
    step: ExchangeProgressStep
    """The step, as in the `timeline` of the payment."""


class ExchangeEvent(Model):
    """The next step of the exchange of a payment, after its booking."""

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: ExchangeEventType
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: ExchangeProgress


class NewAccountEntries(Model):
    """What changed."""

    account_stable_id: str
    """The account: `stableId` in the list of accounts."""
    consent_id: str
    """The consent under which the account was read."""
    new_entries: int
    """How many booked entries there are more than before."""
    from_date: str
    """The first booking date with a new entry; `fromDate` of the list of entries."""
    to_date: str
    """The last booking date with a new entry."""


class AccountEntriesEvent(Model):
    """Booked entries were read that were not there when the account was read before. Accounts are
    not read for this: it is sent when your own software reads entries, and when entries are read to
    settle payments.
    """

    id: str
    """Identifies the event; the same in every delivery of it."""
    type: str = "ACCOUNT_ENTRIES_BOOKED"
    """What happened."""
    version: str = "1"
    """The version of this shape."""
    occurred_at: datetime
    """When it happened; later than every earlier event of this family about the same subject. In
    UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    data: NewAccountEntries


WebhookEvent: TypeAlias = Annotated[
    Union[
        PaymentStatusEvent,
        PayrollStatusEvent,
        PayrollTransactionStatusEvent,
        ApprovalStatusEvent,
        ConsentEvent,
        OnboardingStatusEvent,
        ExchangeEvent,
        AccountEntriesEvent,
        UnknownEvent,
    ],
    BeforeValidator(
        event_reader(
            {
                "PAYMENT_STATUS_": PaymentStatusEvent,
                "PAYROLL_STATUS_": PayrollStatusEvent,
                "PAYROLL_TRANSACTION_STATUS_": PayrollTransactionStatusEvent,
                "APPROVAL_STATUS_": ApprovalStatusEvent,
                "CONSENT_": ConsentEvent,
                "ONBOARDING_STATUS_": OnboardingStatusEvent,
                "EXCHANGE_": ExchangeEvent,
                "ACCOUNT_ENTRIES_": AccountEntriesEvent,
            }
        )
    ),
]
"""An event; `type` says which."""


ListWebhookEventsFamily: TypeAlias = Literal[
    "PAYMENT_STATUS",
    "PAYROLL_STATUS",
    "PAYROLL_TRANSACTION_STATUS",
    "APPROVAL_STATUS",
    "CONSENT",
    "ONBOARDING_STATUS",
    "EXCHANGE",
    "ACCOUNT_ENTRIES",
    "ALL",
]
"""Events of this family only, or of all with ALL; PAYMENT_STATUS by default. Events of the other
families are recorded while a subscription selects them.
"""


class WebhookEventPage(Model):
    """A page of events."""

    events: list[WebhookEvent]
    """Events, oldest first, as they are delivered."""
    next_after: str
    """The position of the end of this page, to be sent as `after`."""
    missed: bool
    """Whether events after `after` were deleted, so that this page begins with later ones. Then get
    the resources themselves. Never true without `after`.
    """


class LoggedRequestSummaryMethod(OpenEnum):
    """The HTTP method."""

    GET = "GET"
    POST = "POST"
    PATCH = "PATCH"
    DELETE = "DELETE"


class RequestWarningIn(OpenEnum):
    """Where the field is."""

    BODY = "body"
    QUERY = "query"


class RequestWarning(Model):
    """A field that was ignored, as in the header `Havn-Warnings`."""

    code: str = "UnknownField"
    """What it warns of."""
    in_: RequestWarningIn
    """Where the field is."""
    path: str
    """The field; in a list, its first occurrence."""
    nearest: str | None = None
    """The known field with the most similar name; null if there is none."""


class RequestSubjectType(OpenEnum):
    """What it is."""

    PAYMENT = "payment"
    PAYROLL = "payroll"
    CONSENT = "consent"
    APPROVAL = "approval"
    CANCELLATION = "cancellation"
    ONBOARDING = "onboarding"
    SUBSCRIPTION = "subscription"


class RequestSubject(Model):
    """What a request created, or requested by its id."""

    type: RequestSubjectType
    """What it is."""
    id: str
    """Its id."""


class LoggedRequestSummary(Model):
    """A request without its bodies."""

    svc_request_id: str
    """The `svc-request-id` of the response."""
    received_at: datetime
    """When the request was received, in wall time. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    method: LoggedRequestSummaryMethod
    """The HTTP method."""
    path: str
    """The path with its query; tokens are masked."""
    status: int
    """The HTTP status of the response."""
    milliseconds: float
    """How long it took, in milliseconds."""
    client_id: str
    """The credentials that sent it."""
    error_codes: list[str]
    """Codes of what was rejected; empty without errors."""
    warnings: list[RequestWarning]
    """Fields that the operation does not know; empty without any."""
    subject: RequestSubject | None = None
    """What the request created or requested; null where it is none of these."""
    idempotency_key: str | None = None
    """The `Idempotency-Key`; null without one."""


ListRequestsMethod: TypeAlias = Literal[
    "GET",
    "POST",
    "PATCH",
    "DELETE",
]
"""The HTTP method."""


ListRequestsStatus: TypeAlias = Literal[
    "2xx",
    "4xx",
    "5xx",
    "errors",
]
"""Requests with these statuses; errors are 4xx and 5xx."""


class RequestPage(Model):
    """A page of the request log."""

    requests: list[LoggedRequestSummary]
    """A page of requests, newest first."""
    next_cursor: str | None = None
    """The cursor of the next page; null at the end of the log."""


class LoggedRequestDetailsMethod(OpenEnum):
    """The HTTP method."""

    GET = "GET"
    POST = "POST"
    PATCH = "PATCH"
    DELETE = "DELETE"


class LoggedRequestDetails(Model):
    """A request with its response."""

    svc_request_id: str
    """The `svc-request-id` of the response."""
    received_at: datetime
    """When the request was received, in wall time. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    method: LoggedRequestDetailsMethod
    """The HTTP method."""
    path: str
    """The path with its query; tokens are masked."""
    status: int
    """The HTTP status of the response."""
    milliseconds: float
    """How long it took, in milliseconds."""
    client_id: str
    """The credentials that sent it."""
    error_codes: list[str]
    """Codes of what was rejected; empty without errors."""
    warnings: list[RequestWarning]
    """Fields that the operation does not know; empty without any."""
    subject: RequestSubject | None = None
    """What the request created or requested; null where it is none of these."""
    idempotency_key: str | None = None
    """The `Idempotency-Key`; null without one."""
    headers: dict[str, str]
    """The headers that say how the request was meant, by lower-case name."""
    request_body: str | None = None
    """The body of the request as JSON text, masked, its first 8 000 characters; null if there was
    none. Secrets, tokens and national ids are masked, and of payrolls and entries everything but
    the structure.
    """
    response_body: str | None = None
    """The body of the response as JSON text, masked, its first 8 000 characters; null if there was
    none. Secrets, tokens and national ids are masked, and of payrolls and entries everything but
    the structure.
    """


class SandboxClock(Model):
    """The two times of the sandbox."""

    now: datetime
    """Business time: due dates, deadlines, settlement, expiry of consents and quotes. In UTC with
    three decimals, for example `2026-11-23T10:00:00.000Z`.
    """
    real: datetime
    """Wall time: tokens, signatures, rate limits. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    offset_seconds: float
    """How far business time is ahead of wall time, in seconds."""
    moving_to: datetime | None = None
    """The target of a move that is in progress; absent when there is none. `now` shows how far it
    has come. In UTC with three decimals, for example `2026-11-23T10:00:00.000Z`.
    """


class ClockMove(RequestModel):
    """How business time is to move: exactly one of `advance`, `set` and `reset`."""

    advance: str | None = None
    """By how much business time moves ahead: weeks, or days, hours, minutes and seconds (ISO 8601)."""
    set: AwareDatetime | None = None
    """The business time to move to; not before the present one."""
    reset: bool | None = None
    """Puts business time back in step with wall time."""


SandboxDecision: TypeAlias = Literal[
    "sign",
    "reject",
    "leave",
]
"""What the user does at the bank: sign, reject, or leave without deciding."""


class SandboxUser(RequestModel):
    """Who acts."""

    user_id: str | None = None
    """The user's id at the bank; by default the first user that may sign."""


class SandboxScaOutcome(OpenEnum):
    """The status with which the user returns to the callbackUrl."""

    SUCCESS = "success"
    REJECTED = "rejected"
    CANCELLED = "cancelled"


class SandboxScaResult(Model):
    """The outcome of the simulated SCA."""

    outcome: SandboxScaOutcome | None = None
    """The status with which the user returned; null while the bank has not decided."""
    callback: str | None = None
    """The callbackUrl with its `status`; it is not requested. Null until the user has returned."""


SandboxOnboardingStep: TypeAlias = Literal[
    "fill",
    "sign",
    "refuse",
    "hand-in",
    "stop",
    "accept",
    "reject",
    "ask-for-documents",
]
"""The company: `fill` opens the url, enters the data of the registry and confirms it; `sign` signs
as every signer who has not signed; `refuse` rejects as the next signer; `hand-in` uploads a
document; `stop` cancels it. The operators, during manual review: `accept`, `reject`,
`ask-for-documents`.
"""


SandboxOnboardingDetailsReason: TypeAlias = Literal[
    "CompanyNotFound",
    "UnsupportedCompanyType",
    "RiskEvaluation",
    "MissingDocuments",
]
"""With `reject`: the reason; RiskEvaluation by default."""


class SandboxOnboardingDetails(RequestModel):
    """Details of the step."""

    signer: int | None = None
    """With `sign`: only this signer, counted from 0."""
    reason: SandboxOnboardingDetailsReason | None = None
    """With `reject`: the reason; RiskEvaluation by default."""
    words: str | None = None
    """With `ask-for-documents`: which."""


SandboxPaymentStep: TypeAlias = Literal[
    "sign",
    "cancel",
    "take-back",
    "release",
    "settle",
]
"""In the netbank: `sign` and `cancel`. `take-back`: the second signer rejects it. `release`: the
required SMS confirmation is given. `settle`: the bank books it now.
"""


SandboxPaymentStatusTransactionStatus: TypeAlias = Literal[
    "RCVD",
    "PDNG",
    "PATC",
    "ACTC",
    "ACCP",
    "ACFC",
    "ACWC",
    "ACWP",
    "ACSP",
    "ACSC",
    "ACCC",
    "PART",
    "RJCT",
    "CANC",
]
"""The bank's status code, such as ACSP or RJCT."""


SandboxPaymentStatusReason: TypeAlias = Literal[
    "daily-limit",
    "account-closed",
    "insufficient-funds",
    "returned",
    "cancelled-by-bank",
]
"""Why the bank rejects or cancels it, which it then reports: `cancelled-by-bank` with `CANC`, the
others with `RJCT`. A payment that is booked is returned.
"""


class SandboxPaymentStatus(RequestModel):
    """The status that the bank reports for a payment."""

    transaction_status: SandboxPaymentStatusTransactionStatus
    """The bank's status code, such as ACSP or RJCT."""
    reason: SandboxPaymentStatusReason | None = None
    """Why the bank rejects or cancels it, which it then reports: `cancelled-by-bank` with `CANC`,
    the others with `RJCT`. A payment that is booked is returned.
    """


SandboxConsentEndHow: TypeAlias = Literal[
    "expired",
    "revoked-by-user",
    "revoked-by-bank",
]
"""It expired, its user revoked it in the netbank, or the bank did."""


class SandboxConsentEnd(RequestModel):
    """How a consent ends."""

    how: SandboxConsentEndHow
    """It expired, its user revoked it in the netbank, or the bank did."""


class SandboxEntry(RequestModel):
    """The entry to book."""

    amount: Amount
    """Negative for a debit."""
    counterparty: str
    """The other party."""
    message: str | None = None
    """A message."""
    reference: str | None = None
    """A structured reference."""


class SandboxEntryBooked(Model):
    """An entry that was booked."""

    bban: str
    """The account."""
    booked_on: str
    """The booking date."""


class SandboxInbox(Model):
    """The webhook inbox of the partner."""

    url: str
    """The `targetUrl` for subscriptions."""


class SandboxInboxDeliverySignature(OpenEnum):
    """Whether it was signed with the secret of a subscription of the inbox, within five minutes.
    All but `valid` were answered with 401.
    """

    VALID = "valid"
    MISSING = "missing"
    EXPIRED = "expired"
    WRONG = "wrong"


class SandboxInboxDelivery(Model):
    """A request that the inbox has received."""

    id: str
    """Identifies what was received."""
    received_at: datetime
    """When it was received, in wall time. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
    event_type: str | None = None
    """The header `X-SVC-Webhook-Event`; null without it."""
    headers: dict[str, str]
    """The headers by lower-case name; the token of `authorization` is masked."""
    body: str
    """The exact body."""
    signature: SandboxInboxDeliverySignature
    """Whether it was signed with the secret of a subscription of the inbox, within five minutes.
    All but `valid` were answered with 401.
    """


SandboxFaultEffect: TypeAlias = Literal[
    "down",
    "slow",
    "lose-next-answer",
]
"""`down`: it cannot be reached. `slow`: every response is delayed. `lose-next-answer`: it accepts
the next order or cancellation, of a payment or of a bulk, and its response is lost.
"""


class SandboxFault(RequestModel):
    """A simulated fault of a bank."""

    effect: SandboxFaultEffect
    """`down`: it cannot be reached. `slow`: every response is delayed. `lose-next-answer`: it
    accepts the next order or cancellation, of a payment or of a bulk, and its response is lost.
    """
    milliseconds: int | None = None
    """The delay of a slow bank; 3000 by default."""


SandboxExchangeFaultEffect: TypeAlias = Literal[
    "down",
    "slow",
    "too-many-requests",
    "lose-answer",
    "quote-expires-early",
    "no-rate",
    "closed",
    "refuse-booking",
    "refuse-cancelling",
    "refuse-beneficiary",
    "refuse-payment",
    "funding-late",
    "funding-short",
    "funding-double",
    "funding-without-reference",
    "funding-lost",
    "payment-suspended",
    "payment-failed",
    "payment-returned",
    "notice-lost",
]
"""Calls: `down` (its port is closed; without `times`), `slow`, `too-many-requests`, and
`lose-answer`, which executes the request. Deals: `quote-expires-early`, `no-rate`, `closed` and the
`refuse-…` ones. Money that a bank sends: it arrives `seconds` late, short by `amount`, twice,
without its reference, or never. Payouts: suspended, failed, or returned by the receiver’s bank.
`notice-lost`: no notification is sent.
"""


class SandboxExchangeFault(RequestModel):
    """A simulated fault of the FX provider."""

    effect: SandboxExchangeFaultEffect
    """Calls: `down` (its port is closed; without `times`), `slow`, `too-many-requests`, and
    `lose-answer`, which executes the request. Deals: `quote-expires-early`, `no-rate`, `closed` and
    the `refuse-…` ones. Money that a bank sends: it arrives `seconds` late, short by `amount`,
    twice, without its reference, or never. Payouts: suspended, failed, or returned by the
    receiver’s bank. `notice-lost`: no notification is sent.
    """
    times: int | None = None
    """How many times it applies."""
    seconds: int | None = None
    """The delay of the money, or the validity of a quote."""
    amount: Amount | None = None
    """The missing amount; a tenth by default."""


SandboxPayoutEvent: TypeAlias = Literal[
    "send",
    "suspend",
    "release",
    "fail",
    "return",
]
"""`send`: it is executed and reaches the receiver. `suspend` and `release`: the provider holds it,
and releases it. `fail`: it cannot be paid. `return`: the receiver’s bank returns it.
"""


class SandboxPayoutStep(RequestModel):
    """Details of the event."""

    kept: Amount | None = None
    """The charges that banks deduct from the returned amount; none by default."""


class SandboxPayout(Model):
    """The state of a payout."""

    provider_status: str
    """The status at the provider, such as `completed`."""


class SandboxArrival(RequestModel):
    """Inbound funds."""

    iban: str
    """The provider's account: that of a quote's or a payment's `intermediaryAccount`."""
    amount: Amount
    """In the currency of the account."""
    reference: str | None = None
    """The message of the payer."""
    sender_name: str | None = None
    """Who pays."""
    sender_iban: str | None = None
    """The account of the payer."""


class SandboxInboundPayment(Model):
    """An inbound payment at the provider."""

    amount: Amount
    """The amount."""
    currency: str
    """Its currency."""
    status: str
    """`completed`, or `pending` until it arrives."""


class SandboxArrived(Model):
    """The result of sending funds."""

    arrived: list[SandboxInboundPayment]
    """The inbound payments: empty if lost, two if duplicated."""


class TestEvent(Model):
    """What a test of a subscription delivers."""

    id: str
    """Identifies the event."""
    type: str = "webhook.test"
    """A test."""
    created_at: datetime
    """When the test was requested. In UTC with three decimals, for example
    `2026-11-23T10:00:00.000Z`.
    """
