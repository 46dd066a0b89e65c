/** The operations of the API. Generated from the contract by `npm run openapi`; never edited. */

import type {
  AccountBalance,
  AccountEntryDetails,
  AccountEntryList,
  AccountList,
  Approval,
  ApprovalRequest,
  Bank,
  Cancellation,
  CancellationRequest,
  ClockMove,
  Company,
  Consent,
  ConsentCreated,
  ConsentRequest,
  CountrySummary,
  CrossBorderInitiated,
  CrossBorderPayment,
  Currency,
  DomesticPayment,
  ExchangeCalendar,
  ExchangeOrder,
  ExchangeQuote,
  ExchangeValidation,
  JsonWebKeySet,
  LoggedRequestDetails,
  Onboarding,
  OnboardingRequest,
  OnboardingStarted,
  OnboardingStatus,
  Payment,
  PaymentInitiated,
  PaymentPage,
  PaymentRequirement,
  PaymentStatus,
  PaymentStatusResponse,
  PaymentStatusValue,
  PayrollApproval,
  PayrollApprovalRequest,
  PayrollBulkInitiated,
  PayrollBulkRequest,
  PayrollCancellation,
  PayrollCancellationRequest,
  PayrollInitiated,
  PayrollPage,
  PayrollRequest,
  PayrollStatus,
  Registration,
  RegistrationRequest,
  RegulatoryCodes,
  RemittanceValidation,
  RemittanceValidationRequest,
  RequestPage,
  SandboxArrival,
  SandboxArrived,
  SandboxClock,
  SandboxConsentEnd,
  SandboxDecision,
  SandboxEntry,
  SandboxEntryBooked,
  SandboxExchangeFault,
  SandboxFault,
  SandboxInbox,
  SandboxInboxDelivery,
  SandboxOnboardingDetails,
  SandboxOnboardingStep,
  SandboxPaymentStatus,
  SandboxPaymentStep,
  SandboxPayout,
  SandboxPayoutEvent,
  SandboxPayoutStep,
  SandboxScaResult,
  SandboxUser,
  ServerMetadata,
  Token,
  TokenRequest,
  UpdatedWebhookSubscription,
  WebhookBearerToken,
  WebhookDeliveredEventType,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookDeliveryStatus,
  WebhookEventPage,
  WebhookReplayRequest,
  WebhookReplayResult,
  WebhookSubscription,
  WebhookSubscriptionRequest,
  WebhookSubscriptionWithSecret,
  WebhookTestResult,
} from './api-types.ts'
import type { CallOptions, PsuSession } from '../call.ts'


/** The argument of `issueToken`. */
export type IssueTokenCall = CallOptions & {
  body: TokenRequest
}

/** The argument of `getKeys`. */
export type GetKeysCall = CallOptions

/** The argument of `getServerMetadata`. */
export type GetServerMetadataCall = CallOptions

/** The argument of `listBanks`. */
export type ListBanksCall = CallOptions & {
  params: {
    /** The country (ISO 3166-1 alpha-2), for example `NO`. */
    countryCode: string
  }
}

/** The argument of `getBank`. */
export type GetBankCall = CallOptions & {
  params: {
    /** The country (ISO 3166-1 alpha-2), for example `NO`. */
    countryCode: string
    /** The bank's BIC. */
    bic: string
  }
}

/** The argument of `listCountries`. */
export type ListCountriesCall = CallOptions

/** The argument of `getPaymentRequirement`. */
export type GetPaymentRequirementCall = CallOptions & {
  params: {
    /** The country of the receiver's bank (ISO 3166-1 alpha-2), for example `US`. */
    country: string
  }
  query?: {
    /** The currency in which the receiver is paid. */
    currency?: string
  } | undefined
}

/** The argument of `listRegulatoryCodes`. */
export type ListRegulatoryCodesCall = CallOptions & {
  params: {
    /** The payer's country (ISO 3166-1 alpha-2): `NO`, `SE`, `DK` or `FI`. */
    countryCode: string
  }
}

/** The argument of `listCompanies`. */
export type ListCompaniesCall = CallOptions

/** The argument of `activateSubscription`. */
export type ActivateSubscriptionCall = CallOptions & {
  params: {
    /** The country of the company (ISO 3166-1 alpha-2). */
    countryCode: string
    /** The organisation number. */
    organizationNumber: string
  }
}

/** The argument of `cancelSubscription`. */
export type CancelSubscriptionCall = CallOptions & {
  params: {
    /** The country of the company (ISO 3166-1 alpha-2). */
    countryCode: string
    /** The organisation number. */
    organizationNumber: string
  }
}

/** The argument of `startOnboarding`. */
export type StartOnboardingCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: OnboardingRequest
}

/** The argument of `listOnboardings`. */
export type ListOnboardingsCall = CallOptions & {
  query?: {
    status?: OnboardingStatus
    /** Onboardings of this company. */
    organizationNumber?: string
  } | undefined
}

/** The argument of `getOnboardingStatus`. */
export type GetOnboardingStatusCall = CallOptions & {
  params: {
    /** The onboarding. */
    id: string
  }
}

/** The argument of `cancelOnboarding`. */
export type CancelOnboardingCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The onboarding. */
    id: string
  }
}

/** The argument of `registerCompany`. */
export type RegisterCompanyCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: RegistrationRequest
}

/** The argument of `createConsent`. */
export type CreateConsentCall = CallOptions & {
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: ConsentRequest
}

/** The argument of `getConsent`. */
export type GetConsentCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
}

/** The argument of `listConsents`. */
export type ListConsentsCall = CallOptions & {
  query?: {
    /** Consents of this company. */
    organizationNumber?: string
    /** Valid consents with validUntil before this time. */
    expiringBefore?: string
  } | undefined
}

/** The argument of `revokeConsent`. */
export type RevokeConsentCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
}

/** The argument of `listAccounts`. */
export type ListAccountsCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
}

/** The argument of `getAccountBalance`. */
export type GetAccountBalanceCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id from the list of accounts. */
    accountId: string
  }
}

/** The argument of `listAccountEntries`. */
export type ListAccountEntriesCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id from the list of accounts; it may differ for every consent. */
    accountId: string
  }
  query: {
    /** The first day, in the bank's time zone. */
    fromDate: string
    /** The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the first. */
    toDate: string
  }
}

/** The argument of `listExtendedAccountEntries`. */
export type ListExtendedAccountEntriesCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id from the list of accounts; it may differ for every consent. */
    accountId: string
  }
  query: {
    /** The first day, in the bank's time zone. */
    fromDate: string
    /** The last day, inclusive; at most the bank's `aisMaxDateRangeMonths` after the first. */
    toDate: string
  }
}

/** The argument of `getAccountEntryDetails`. */
export type GetAccountEntryDetailsCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id from the list of accounts; it may differ for every consent. */
    accountId: string
    /** The bank's id of the entry. */
    transactionId: string
  }
}

/** The argument of `initiateDomesticPayment`. */
export type InitiateDomesticPaymentCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: DomesticPayment
}

/** The argument of `initiateCrossBorderPayment`. */
export type InitiateCrossBorderPaymentCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: CrossBorderPayment
}

/** The argument of `listPayments`. */
export type ListPaymentsCall = CallOptions & {
  query?: {
    /** Payments with this endToEndId. */
    endToEndId?: string
    status?: PaymentStatusValue
    /** Payments ordered on this day or later, in UTC. */
    fromDate?: string
    /** Payments ordered on this day or earlier, in UTC. */
    toDate?: string
    /** Payments that changed at this time or later. */
    updatedSince?: string
    /** Payments of the company with this organisation number, in any format used in its country. */
    organizationNumber?: string
    /** The nextCursor of the previous page; the other filters must be the same. */
    cursor?: string
    /** The maximum number of payments on the page. */
    limit?: number
  } | undefined
}

/** The argument of `getPayment`. */
export type GetPaymentCall = CallOptions & {
  params: {
    /** The id of the payment. */
    paymentId: string
  }
}

/** The argument of `getPaymentStatus`. */
export type GetPaymentStatusCall = CallOptions & {
  params: {
    /** The id of the payment. */
    paymentId: string
  }
}

/** The argument of `validateRemittance`. */
export type ValidateRemittanceCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: RemittanceValidationRequest
}

/** The argument of `quoteExchange`. */
export type QuoteExchangeCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: ExchangeOrder
}

/** The argument of `validateExchange`. */
export type ValidateExchangeCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: ExchangeOrder
}

/** The argument of `listCurrencies`. */
export type ListCurrenciesCall = CallOptions

/** The argument of `getExchangeCalendar`. */
export type GetExchangeCalendarCall = CallOptions & {
  query?: {
    /** The first day of the range; today by default. */
    from?: string
    /** The last day of the range; 30 days later by default, at most a year later. */
    to?: string
    /** The country of the debtor account; NO by default. */
    country?: string
    /** The payout currency, to apply its limits too. */
    currency?: string
  } | undefined
}

/** The argument of `approvePayments`. */
export type ApprovePaymentsCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: ApprovalRequest
}

/** The argument of `getPaymentApproval`. */
export type GetPaymentApprovalCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  params: {
    /** The id returned when the approval was started. */
    approvalId: string
  }
}

/** The argument of `abandonPaymentApproval`. */
export type AbandonPaymentApprovalCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id returned when the approval was started. */
    approvalId: string
  }
}

/** The argument of `cancelPayment`. */
export type CancelPaymentCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: CancellationRequest
}

/** The argument of `getPaymentCancellation`. */
export type GetPaymentCancellationCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id of the cancellation. */
    id: string
  }
}

/** The argument of `abandonPaymentCancellation`. */
export type AbandonPaymentCancellationCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id of the cancellation. */
    id: string
  }
}

/** The argument of `initiatePayroll`. */
export type InitiatePayrollCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: PayrollRequest
}

/** The argument of `initiatePayrollBulk`. */
export type InitiatePayrollBulkCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: PayrollBulkRequest
}

/** The argument of `listPayrolls`. */
export type ListPayrollsCall = CallOptions & {
  query?: {
    /** Payrolls with a transaction of this endToEndId. */
    endToEndId?: string
    status?: PaymentStatusValue
    /** Payrolls ordered on this day or later, in UTC. */
    fromDate?: string
    /** Payrolls ordered on this day or earlier, in UTC. */
    toDate?: string
    /** Payrolls that changed at this time or later. */
    updatedSince?: string
    /** Payrolls of the company with this organisation number, in any format used in its country. */
    organizationNumber?: string
    /** The nextCursor of the previous page; the other filters must be the same. */
    cursor?: string
    /** The maximum number of payrolls on the page. */
    limit?: number
  } | undefined
}

/** The argument of `getPayrollStatus`. */
export type GetPayrollStatusCall = CallOptions & {
  params: {
    /** The id of the payroll. */
    payrollId: string
  }
}

/** The argument of `approvePayrolls`. */
export type ApprovePayrollsCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: PayrollApprovalRequest
}

/** The argument of `getPayrollApproval`. */
export type GetPayrollApprovalCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session. */
  psu: PsuSession
  params: {
    /** The id of the approval, or of the bulk. */
    approvalId: string
  }
}

/** The argument of `abandonPayrollApproval`. */
export type AbandonPayrollApprovalCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id of the approval, or of the bulk. */
    approvalId: string
  }
}

/** The argument of `cancelPayroll`. */
export type CancelPayrollCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: PayrollCancellationRequest
}

/** The argument of `getPayrollCancellation`. */
export type GetPayrollCancellationCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id of the cancellation. */
    id: string
  }
}

/** The argument of `abandonPayrollCancellation`. */
export type AbandonPayrollCancellationCall = CallOptions & {
  /** The consent of the request. */
  consentId: string
  /** The user's present session; absent when the user is not there. */
  psu?: PsuSession | undefined
  params: {
    /** The id of the cancellation. */
    id: string
  }
}

/** The argument of `createWebhookSubscription`. */
export type CreateWebhookSubscriptionCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: WebhookSubscriptionRequest
}

/** The argument of `listWebhookSubscriptions`. */
export type ListWebhookSubscriptionsCall = CallOptions

/** The argument of `getWebhookSubscription`. */
export type GetWebhookSubscriptionCall = CallOptions & {
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `updateWebhookSubscription`. */
export type UpdateWebhookSubscriptionCall = CallOptions & {
  params: {
    /** The subscription. */
    id: string
  }
  body: WebhookSubscriptionRequest
}

/** The argument of `disableWebhookSubscription`. */
export type DisableWebhookSubscriptionCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `pauseWebhookSubscription`. */
export type PauseWebhookSubscriptionCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `resumeWebhookSubscription`. */
export type ResumeWebhookSubscriptionCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `rotateWebhookBearerToken`. */
export type RotateWebhookBearerTokenCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
  body: WebhookBearerToken
}

/** The argument of `rotateWebhookSigningSecret`. */
export type RotateWebhookSigningSecretCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `testWebhookSubscription`. */
export type TestWebhookSubscriptionCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
}

/** The argument of `replayWebhookEvents`. */
export type ReplayWebhookEventsCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
  }
  body: WebhookReplayRequest
}

/** The argument of `listWebhookDeliveries`. */
export type ListWebhookDeliveriesCall = CallOptions & {
  params: {
    /** The subscription. */
    id: string
  }
  query?: {
    status?: WebhookDeliveryStatus
    eventType?: WebhookDeliveredEventType
    /** `nextCursor` of the previous page. */
    cursor?: string
    /** The page size. */
    limit?: number
  } | undefined
}

/** The argument of `getWebhookDelivery`. */
export type GetWebhookDeliveryCall = CallOptions & {
  params: {
    /** The subscription. */
    id: string
    /** The delivery. */
    deliveryId: string
  }
}

/** The argument of `retryWebhookDelivery`. */
export type RetryWebhookDeliveryCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The subscription. */
    id: string
    /** The delivery. */
    deliveryId: string
  }
}

/** The argument of `listWebhookEvents`. */
export type ListWebhookEventsCall = CallOptions & {
  query?: {
    /** `nextAfter` of the previous page; the beginning by default. */
    after?: string
    /**
     * Events of this family only, or of all with ALL; PAYMENT_STATUS by default. Events of the other families are
     * recorded while a subscription selects them.
     */
    family?: 'PAYMENT_STATUS' | 'PAYROLL_STATUS' | 'PAYROLL_TRANSACTION_STATUS' | 'APPROVAL_STATUS' | 'CONSENT' | 'ONBOARDING_STATUS' | 'EXCHANGE' | 'ACCOUNT_ENTRIES' | 'ALL'
    /** The page size. */
    limit?: number
  } | undefined
}

/** The argument of `listRequests`. */
export type ListRequestsCall = CallOptions & {
  query?: {
    /** The HTTP method. */
    method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
    /** Requests with these statuses; errors are 4xx and 5xx. */
    status?: '2xx' | '4xx' | '5xx' | 'errors'
    /** Requests whose path begins with it. */
    path?: string
    /** Requests that were rejected with this code. */
    errorCode?: string
    /** Requests received at this time or later. */
    from?: string
    /** Requests received before this time. */
    before?: string
    /** `nextCursor` of the previous page. */
    cursor?: string
    /** The page size. */
    limit?: number
  } | undefined
}

/** The argument of `getRequest`. */
export type GetRequestCall = CallOptions & {
  params: {
    /** The `svc-request-id`. */
    svcRequestId: string
  }
}

/** The argument of `getSandboxClock`. */
export type GetSandboxClockCall = CallOptions

/** The argument of `moveSandboxClock`. */
export type MoveSandboxClockCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: ClockMove
}

/** The argument of `decideSandboxApproval`. */
export type DecideSandboxApprovalCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The approval. */
    approvalId: string
    decision: SandboxDecision
  }
  body: SandboxUser
}

/** The argument of `decideSandboxConsent`. */
export type DecideSandboxConsentCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The consent. */
    consentId: string
    decision: SandboxDecision
  }
  body: SandboxUser
}

/** The argument of `decideSandboxCancellation`. */
export type DecideSandboxCancellationCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The cancellation. */
    cancellationId: string
    decision: SandboxDecision
  }
  body: SandboxUser
}

/** The argument of `stepSandboxOnboarding`. */
export type StepSandboxOnboardingCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The onboarding. */
    onboardingId: string
    step: SandboxOnboardingStep
  }
  body: SandboxOnboardingDetails
}

/** The argument of `stepSandboxPayment`. */
export type StepSandboxPaymentCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The payment. */
    paymentId: string
    step: SandboxPaymentStep
  }
  body: SandboxUser
}

/** The argument of `setSandboxPaymentStatus`. */
export type SetSandboxPaymentStatusCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The payment. */
    paymentId: string
  }
  body: SandboxPaymentStatus
}

/** The argument of `endSandboxConsent`. */
export type EndSandboxConsentCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The consent. */
    consentId: string
  }
  body: SandboxConsentEnd
}

/** The argument of `addSandboxEntry`. */
export type AddSandboxEntryCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The account. */
    bban: string
  }
  body: SandboxEntry
}

/** The argument of `openSandboxInbox`. */
export type OpenSandboxInboxCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
}

/** The argument of `listSandboxInboxDeliveries`. */
export type ListSandboxInboxDeliveriesCall = CallOptions & {
  query?: {
    /** What was received at this time or later. */
    receivedSince?: string
  } | undefined
}

/** The argument of `disturbSandboxBank`. */
export type DisturbSandboxBankCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The bank's BIC. */
    bic: string
  }
  body: SandboxFault
}

/** The argument of `disturbSandboxExchange`. */
export type DisturbSandboxExchangeCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: SandboxExchangeFault
}

/** The argument of `stepSandboxPayout`. */
export type StepSandboxPayoutCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  params: {
    /** The payment, one with exchange. */
    paymentId: string
    step: SandboxPayoutEvent
  }
  body: SandboxPayoutStep
}

/** The argument of `addSandboxArrival`. */
export type AddSandboxArrivalCall = CallOptions & {
  /** Makes a repetition safe, also one by another process: 1 to 255 ASCII characters. Made if absent. */
  idempotencyKey?: string | undefined
  body: SandboxArrival
}

/** The argument of `healSandboxBanks`. */
export type HealSandboxBanksCall = CallOptions

/** One method per operation of the API. */
export type HavnOperations = {
  /**
   * Issue an access token: `POST /v2/connect/token`.
   *
   * To be called from a trusted backend only. Reuse the token until shortly before it expires.
   */
  issueToken(call: IssueTokenCall): Promise<Token>

  /**
   * Get the token signing keys: `GET /.well-known/jwks.json`.
   *
   * The public keys (JWK set, RFC 7517) of access tokens. Keys are rotated: fetch them again for an unknown `kid`.
   */
  getKeys(call?: GetKeysCall): Promise<JsonWebKeySet>

  /**
   * Get the metadata of the authorisation server: `GET /.well-known/openid-configuration`.
   *
   * The metadata of the authorisation server (RFC 8414).
   */
  getServerMetadata(call?: GetServerMetadataCall): Promise<ServerMetadata>

  /**
   * List the banks of a country: `GET /api/v2/banks/{countryCode}`.
   *
   * Each bank with its products, limits and cut-off times.
   */
  listBanks(call: ListBanksCall): Promise<Bank[]>

  /**
   * Get a bank: `GET /api/v2/banks/{countryCode}/{bic}`.
   *
   * The products, limits and cut-off times of one bank.
   */
  getBank(call: GetBankCall): Promise<Bank>

  /**
   * List the receiver countries: `GET /api/country`.
   *
   * The countries to which cross-border payments can be sent.
   */
  listCountries(call?: ListCountriesCall): Promise<CountrySummary[]>

  /**
   * Get the payment requirements of a country: `GET /api/country/{country}/paymentrequirement`.
   *
   * Quotes and payments are validated by the same rules: an order that meets them is not rejected for its receiver.
   * Without a currency the response covers all currencies.
   */
  getPaymentRequirement(call: GetPaymentRequirementCall): Promise<PaymentRequirement>

  /**
   * List the regulatory reporting codes: `GET /api/v2/payments/regulatory-reporting/{countryCode}`.
   *
   * The codes that the central bank of the payer’s country requires with some payments abroad.
   */
  listRegulatoryCodes(call: ListRegulatoryCodesCall): Promise<RegulatoryCodes>

  /**
   * List the partner's companies: `GET /api/companies`.
   *
   * The companies that the partner acts for, by name.
   */
  listCompanies(call?: ListCompaniesCall): Promise<Company[]>

  /**
   * Activate the subscription of a company: `PATCH
   * /api/companies/subscription/activate/{countryCode}/{organizationNumber}`.
   *
   * Takes effect from the next request. Repeating the request changes nothing.
   */
  activateSubscription(call: ActivateSubscriptionCall): Promise<Company>

  /**
   * Cancel the subscription of a company: `PATCH
   * /api/companies/subscription/cancel/{countryCode}/{organizationNumber}`.
   *
   * New requests for the company are rejected; existing payments are still tracked until final. Repeating it changes
   * nothing.
   */
  cancelSubscription(call: CancelSubscriptionCall): Promise<Company>

  /**
   * Onboard a company: `POST /onboarding`.
   *
   * Send the user to `url`: there the company’s representatives identify themselves, accept the terms and sign. They
   * can leave and return with the same url.
   */
  startOnboarding(call: StartOnboardingCall): Promise<OnboardingStarted>

  /**
   * List onboardings: `GET /onboarding`.
   *
   * The onboardings of the partner, optionally of one company or status.
   */
  listOnboardings(call?: ListOnboardingsCall): Promise<Onboarding[]>

  /**
   * Get an onboarding: `GET /onboarding/{id}/status`.
   *
   * The status of one onboarding.
   */
  getOnboardingStatus(call: GetOnboardingStatusCall): Promise<Onboarding>

  /**
   * Cancel the onboarding: `POST /onboarding/{id}/cancel`.
   *
   * An onboarding that has already ended is unchanged; an accepted one cannot be cancelled: 409.
   */
  cancelOnboarding(call: CancelOnboardingCall): Promise<Onboarding>

  /**
   * Register a company for account information: `POST /onboarding/registration`.
   *
   * Without onboarding, by prior agreement only: the company gives account information and cannot pay. It may be
   * onboarded later.
   */
  registerCompany(call: RegisterCompanyCall): Promise<Registration>

  /**
   * Create a consent: `POST /api/v2/consents`.
   *
   * Send the user to `sca.url`. Once accepted, send the id as `consent-id` in other operations.
   */
  createConsent(call: CreateConsentCall): Promise<ConsentCreated>

  /**
   * Get a consent: `GET /api/v2/consents`.
   *
   * Returns the consent of the `consent-id` header, in any status.
   */
  getConsent(call: GetConsentCall): Promise<Consent>

  /**
   * List consents: `GET /api/v2/consents/list`.
   *
   * The consents of the partner, optionally of one company, or those that expire before a time.
   */
  listConsents(call?: ListConsentsCall): Promise<Consent[]>

  /**
   * Revoke a consent: `DELETE /api/v2/consents`.
   *
   * Revokes the consent here at once, and at the bank as soon as it can be reached. Payments that were signed under it
   * are still tracked.
   */
  revokeConsent(call: RevokeConsentCall): Promise<void>

  /**
   * List the accounts on a consent: `GET /api/v2/accounts`.
   *
   * Without the PSU headers the user counts as absent: then four reads a day are allowed, by the calendar day of the
   * bank, for each consent and account, unless agreed otherwise. Further reads return 429 with `Retry-After`. With the
   * PSU headers of a user who is present there is no such limit.
   */
  listAccounts(call: ListAccountsCall): Promise<AccountList>

  /**
   * Get an account's balance: `GET /api/v2/accounts/{accountId}/balance`.
   *
   * Without the PSU headers the user counts as absent: then four reads a day are allowed, by the calendar day of the
   * bank, for each consent and account, unless agreed otherwise. Further reads return 429 with `Retry-After`. With the
   * PSU headers of a user who is present there is no such limit.
   */
  getAccountBalance(call: GetAccountBalanceCall): Promise<AccountBalance>

  /** The response in another format, as a stream of bytes. A stream that fails is incomplete. */
  listAccountEntries(call: ListAccountEntriesCall & { accept: 'application/xml' | 'text/csv' }): Promise<ReadableStream<Uint8Array>>
  /**
   * List the entries on an account: `GET /api/v2/accounts/{accountId}/entries`.
   *
   * The response is streamed while the bank is read. If the bank fails or the consent ends meanwhile, the connection is
   * aborted, so that an incomplete response cannot be mistaken for a complete one. Four lists may be read concurrently.
   * Without the PSU headers the user counts as absent, and banks allow only a few reads a day.
   */
  listAccountEntries(call: ListAccountEntriesCall): Promise<AccountEntryList>

  /** The response in another format, as a stream of bytes. A stream that fails is incomplete. */
  listExtendedAccountEntries(call: ListExtendedAccountEntriesCall & { accept: 'application/xml' | 'text/csv' }): Promise<ReadableStream<Uint8Array>>
  /**
   * List the entries on an account with details: `GET /api/v2/accounts/{accountId}/entries/extended`.
   *
   * The latest entries are enriched with the details that the bank gives for single entries, up to a maximum number and
   * time; `enriched` says which. The response is streamed while the bank is read. If the bank fails or the consent ends
   * meanwhile, the connection is aborted, so that an incomplete response cannot be mistaken for a complete one. Four
   * lists may be read concurrently. Without the PSU headers the user counts as absent, and banks allow only a few reads
   * a day.
   */
  listExtendedAccountEntries(call: ListExtendedAccountEntriesCall): Promise<AccountEntryList>

  /**
   * Get the details of an entry: `GET /api/v2/accounts/{accountId}/entries/{transactionId}/details`.
   *
   * Not every bank offers them; the others return `UNSUPPORTED_PRODUCT_BY_BANK`.
   */
  getAccountEntryDetails(call: GetAccountEntryDetailsCall): Promise<AccountEntryDetails>

  /**
   * Initiate a domestic payment: `POST /api/v2/payments`.
   *
   * Submits the order to the debtor's bank; the status is usually Unsigned, and the user must approve it. A 503 with a
   * paymentId means that the outcome at the bank is unknown: do not send it again, get that payment. Needs a bank with
   * the product PAYMENT_DOMESTIC.
   */
  initiateDomesticPayment(call: InitiateDomesticPaymentCall): Promise<PaymentInitiated>

  /**
   * Initiate a cross-border payment: `POST /api/v2/payments/cross-border`.
   *
   * For payments to another country, or from or to an account in a foreign currency. In the currency of the debtor
   * account the bank executes it as a cross-border payment, which needs the product PAYMENT_CROSS_BORDER. In another
   * currency the amount is exchanged: a quote is booked, and the user signs, before `quoteExpiryTime`, a domestic
   * payment of `costAmount` to the intermediary account; unsigned by then it is cancelled. A 503 with a paymentId means
   * that the outcome at the bank is unknown: do not send it again, get that payment.
   */
  initiateCrossBorderPayment(call: InitiateCrossBorderPaymentCall): Promise<CrossBorderInitiated>

  /**
   * List payments: `GET /api/v2/payments`.
   *
   * Use it to find an order whose response was lost, and for a nightly synchronisation. Payments are sorted by
   * creation; with `updatedSince`, by their last change. Follow `nextCursor` with the same filters until it is null:
   * every payment that matches throughout is returned exactly once, one that is created meanwhile at most once, and
   * with `updatedSince` one that changes meanwhile is returned again. For a synchronisation, set `updatedSince` to one
   * minute before the start of the previous one, so that no change that was being written then is missed.
   */
  listPayments(call?: ListPaymentsCall): Promise<PaymentPage>

  /**
   * Get a payment: `GET /api/v2/payments/{paymentId}`.
   *
   * The payment as ordered, with the history of its statuses.
   */
  getPayment(call: GetPaymentCall): Promise<Payment>

  /**
   * Get a payment's status: `GET /api/v2/payments/{paymentId}/status`.
   *
   * Polls the bank if the stored status is older than the bank’s poll interval.
   */
  getPaymentStatus(call: GetPaymentStatusCall): Promise<PaymentStatusResponse>

  /**
   * Validate a reference: `POST /api/v2/remittance/validate`.
   *
   * Validates a reference by the rules of the receiver's country, without asking a bank. Whether a receiver requires a
   * reference, or a certain length, only the bank knows: a payment without it is rejected with INVALID_OCR.
   */
  validateRemittance(call: ValidateRemittanceCall): Promise<RemittanceValidation>

  /**
   * Create a quote: `POST /api/fx/payments`.
   *
   * Holds a price for a payment in another currency: two minutes when it is due today, otherwise five, and never longer
   * than the provider holds its rate. Book it by a cross-border payment with the quoteId, or by a domestic payment of
   * `costAmount` to the intermediary account with the referenceCode in its message. A quote that is not booked costs
   * nothing.
   */
  quoteExchange(call: QuoteExchangeCall): Promise<ExchangeQuote>

  /**
   * Validate an exchange: `POST /api/fx/payments/validate`.
   *
   * Validates an order like a request for a quote, including the provider’s own rules, without holding a price. If the
   * payment is due now and a consent covers the account, the balance is checked too: that counts as a read without the
   * user, and is skipped when no such reads are left for the day.
   */
  validateExchange(call: ValidateExchangeCall): Promise<ExchangeValidation>

  /**
   * List the currencies: `GET /api/currencies`.
   *
   * The currencies of payments with exchange, with their limits.
   */
  listCurrencies(call?: ListCurrenciesCall): Promise<Currency[]>

  /**
   * Get the exchange calendar: `GET /api/fx/calendar`.
   *
   * The opening hours and possible due dates of payments with exchange.
   */
  getExchangeCalendar(call?: GetExchangeCalendarCall): Promise<ExchangeCalendar>

  /**
   * Start the approval of payments: `POST /api/v2/payments/approve`.
   *
   * Acts for the user of the `consent-id`, who may be another than the creator of the payments. Send the user to
   * `sca.url`; the browser returns to callbackUrl with `status`, the outcome confirmed by the bank. A user who closed
   * the tab can open the same URL again in the same browser and continue at the bank. While the user is at the bank,
   * another approval of the same payments is rejected with `AUTHENTICATION_TEMPORARY_UNAVAILABLE`; `DELETE
   * /api/v2/payments/approve/{approvalId}` abandons the open one.
   */
  approvePayments(call: ApprovePaymentsCall): Promise<Approval>

  /**
   * Get an approval: `GET /api/v2/payments/approve/{approvalId}`.
   *
   * With the QR method the response has the current code; poll it every second.
   */
  getPaymentApproval(call: GetPaymentApprovalCall): Promise<Approval>

  /**
   * Abandon an approval: `DELETE /api/v2/payments/approve/{approvalId}`.
   *
   * Ends an approval that the user left unfinished, for example by closing the tab. Asks the bank first. 204: nothing
   * was signed; the orders can be approved or cancelled again at once. 409: some orders were signed and stay signed;
   * the rest is abandoned, and the message lists the signed ones. 503: the bank does not report whether it was signed;
   * nothing is abandoned, and the user can continue with the same link. A user who is still at the bank may sign after
   * the 204, until the bank ends that session: check the status. Repeating the request is safe.
   */
  abandonPaymentApproval(call: AbandonPaymentApprovalCall): Promise<void>

  /**
   * Cancel a payment: `POST /api/v2/payments/cancel`.
   *
   * Acts for the user of the `consent-id`, who may be another than the creator of the payment, but must be one whom the
   * bank has let pay from the account; otherwise `ACCESS_DENIED`. An approval whose user is not at the bank yet is
   * ended first. Some banks require the user to sign the cancellation: then send the user to `sca.url`. A repeated
   * request while it is open returns the same cancellation.
   */
  cancelPayment(call: CancelPaymentCall): Promise<Cancellation>

  /**
   * Get a cancellation: `GET /api/v2/payments/cancel/{id}`.
   *
   * With the QR method the response has the current code; poll it every second.
   */
  getPaymentCancellation(call: GetPaymentCancellationCall): Promise<Cancellation>

  /**
   * Abandon a cancellation that is not signed yet: `DELETE /api/v2/payments/cancel/{id}`.
   *
   * Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: it becomes `REJECTED`, and the
   * payment is unchanged. Asks the bank first. 204: nothing was signed; the orders can be approved or cancelled again
   * at once. 409: some orders were signed and stay signed; the rest is abandoned, and the message lists the signed
   * ones. 503: the bank does not report whether it was signed; nothing is abandoned, and the user can continue with the
   * same link. A user who is still at the bank may sign after the 204, until the bank ends that session: check the
   * status. Repeating the request is safe.
   */
  abandonPaymentCancellation(call: AbandonPaymentCancellationCall): Promise<void>

  /**
   * Order a payroll: `POST /api/v2/payroll`.
   *
   * Submits the transactions to the debtor's bank; the user must approve them. They are one order if the bank accepts
   * payrolls, and otherwise single orders after the response. A 503 with a payrollId means that the outcome at the bank
   * is unknown: do not send it again, get that payroll. The first 1 000 errors are listed; if there are more, a last
   * one with the path `.` and the code InvalidRequest gives their number. No reason repeats a value of a transaction.
   * Bodies may have 10 MB. Needs a bank with the product PAYROLL, and credentials that may order payrolls (403).
   */
  initiatePayroll(call: InitiatePayrollCall): Promise<PayrollInitiated>

  /**
   * Order several payrolls at once: `POST /api/v2/payroll/bulk`.
   *
   * Orders every payroll and starts one approval of all of them: send the user to `sca.redirect.url`. The first 1 000
   * errors are listed; if there are more, a last one with the path `.` and the code InvalidRequest gives their number.
   * No reason repeats a value of a transaction. Needs a bank with the product PAYROLL_BULK and an agreement with us;
   * without one it is as at a bank without the product.
   */
  initiatePayrollBulk(call: InitiatePayrollBulkCall): Promise<PayrollBulkInitiated>

  /**
   * List payrolls: `GET /api/v2/payroll`.
   *
   * Use it to find an order whose response was lost, and for a nightly synchronisation, like the list of payments.
   * `status` filters by the status of the payroll.
   */
  listPayrolls(call?: ListPayrollsCall): Promise<PayrollPage>

  /**
   * Get a payroll's status: `GET /api/v2/payroll/{payrollId}/status`.
   *
   * Returns the status of each transaction; polls the bank if the stored status is older than its poll interval. If the
   * consent of the payroll is no longer valid, it returns 400 `INVALID_CONSENT`.
   */
  getPayrollStatus(call: GetPayrollStatusCall): Promise<PayrollStatus>

  /**
   * Start the approval of payrolls: `POST /api/v2/payroll/approve`.
   *
   * Acts for the user of the `consent-id`, who may be another than the orderer. Send the user to `sca.url`; a page
   * there shows a code or waits for an app if the bank uses one. Right after ordering it waits, up to 20 seconds, until
   * the bank has received every transaction. If that takes longer it returns `AUTHENTICATION_TEMPORARY_UNAVAILABLE`
   * with `Retry-After`: ask again.
   */
  approvePayrolls(call: ApprovePayrollsCall): Promise<PayrollApproval>

  /**
   * Get an approval of payrolls: `GET /api/v2/payroll/approve/{approvalId}`.
   *
   * The status of an approval of payrolls, and how the user signs it.
   */
  getPayrollApproval(call: GetPayrollApprovalCall): Promise<PayrollApproval>

  /**
   * Abandon an approval of payrolls: `DELETE /api/v2/payroll/approve/{approvalId}`.
   *
   * Ends an approval that the user left unfinished, for example by closing the tab. Asks the bank first. 204: nothing
   * was signed; the orders can be approved or cancelled again at once. 409: some orders were signed and stay signed;
   * the rest is abandoned, and the message lists the signed ones. 503: the bank does not report whether it was signed;
   * nothing is abandoned, and the user can continue with the same link. A user who is still at the bank may sign after
   * the 204, until the bank ends that session: check the status. Repeating the request is safe.
   */
  abandonPayrollApproval(call: AbandonPayrollApprovalCall): Promise<void>

  /**
   * Cancel a payroll: `POST /api/v2/payroll/cancel`.
   *
   * Acts for the user of the `consent-id`, who may be another than the orderer, but must be one whom the bank has let
   * pay from the account; otherwise `ACCESS_DENIED`. An approval whose user is not at the bank yet is ended first. Some
   * banks require the user to sign the cancellation: send the user to `sca.url` then. A repeated request while it is
   * open returns the same cancellation. A payroll that the bank has as many orders can take longer than 20 seconds:
   * then the answer is 202 with `progress`, the orders are cancelled further, and `GET /api/v2/payroll/cancel/{id}`
   * shows how it ends.
   */
  cancelPayroll(call: CancelPayrollCall): Promise<PayrollCancellation>

  /**
   * Get a cancellation of a payroll: `GET /api/v2/payroll/cancel/{id}`.
   *
   * The status of the cancellation of a payroll, and how the user signs it where that is needed.
   */
  getPayrollCancellation(call: GetPayrollCancellationCall): Promise<PayrollCancellation>

  /**
   * Abandon a cancellation of a payroll that is not signed yet: `DELETE /api/v2/payroll/cancel/{id}`.
   *
   * Ends a cancellation in `AUTHORIZATION_REQUIRED` that the user left unfinished: what is not cancelled by then is
   * unchanged. Asks the bank first. 204: nothing was signed; the orders can be approved or cancelled again at once.
   * 409: some orders were signed and stay signed; the rest is abandoned, and the message lists the signed ones. 503:
   * the bank does not report whether it was signed; nothing is abandoned, and the user can continue with the same link.
   * A user who is still at the bank may sign after the 204, until the bank ends that session: check the status.
   * Repeating the request is safe.
   */
  abandonPayrollCancellation(call: AbandonPayrollCancellationCall): Promise<void>

  /**
   * Subscribe to events: `POST /api/webhooks/subscription`.
   *
   * Enabled at once; earlier events are not delivered. Store the signing secret: it is not returned again. Only the
   * format of the URL is validated, not whether the endpoint responds. `warnings` names another subscription that
   * delivers to the same URL.
   */
  createWebhookSubscription(call: CreateWebhookSubscriptionCall): Promise<WebhookSubscriptionWithSecret>

  /**
   * List subscriptions: `GET /api/webhooks/subscription`.
   *
   * Enabled ones first, then disabled ones, each newest first; 500 at most.
   */
  listWebhookSubscriptions(call?: ListWebhookSubscriptionsCall): Promise<WebhookSubscription[]>

  /**
   * Get a subscription: `GET /api/webhooks/subscription/{id}`.
   *
   * The subscription, without its secrets.
   */
  getWebhookSubscription(call: GetWebhookSubscriptionCall): Promise<WebhookSubscription>

  /**
   * Update a subscription: `PATCH /api/webhooks/subscription/{id}`.
   *
   * Send both fields; each replaces the old value. Bearer token and signing secret stay; queued deliveries still go to
   * the former URL. A disabled subscription stays disabled.
   */
  updateWebhookSubscription(call: UpdateWebhookSubscriptionCall): Promise<UpdatedWebhookSubscription>

  /**
   * Disable a subscription: `POST /api/webhooks/subscription/{id}/disable`.
   *
   * Cannot be undone. Queued deliveries are still sent; repeating it changes nothing.
   */
  disableWebhookSubscription(call: DisableWebhookSubscriptionCall): Promise<WebhookSubscription>

  /**
   * Pause a subscription: `POST /api/webhooks/subscription/{id}/pause`.
   *
   * New events wait until it is resumed, for 30 days at most. Queued deliveries are still sent; repeating it changes
   * nothing. Returns 404 for a disabled subscription.
   */
  pauseWebhookSubscription(call: PauseWebhookSubscriptionCall): Promise<WebhookSubscription>

  /**
   * Resume a subscription: `POST /api/webhooks/subscription/{id}/resume`.
   *
   * Queues every event that it selects and that has occurred since it was paused, in their order; later ones follow
   * them. Repeating it changes nothing. Returns 404 for a disabled subscription.
   */
  resumeWebhookSubscription(call: ResumeWebhookSubscriptionCall): Promise<WebhookSubscription>

  /**
   * Set or replace the bearer token: `POST /api/webhooks/subscription/{id}/rotate-bearer-token`.
   *
   * Deliveries queued from now on carry it. It cannot be removed.
   */
  rotateWebhookBearerToken(call: RotateWebhookBearerTokenCall): Promise<WebhookSubscription>

  /**
   * Rotate the signing secret: `POST /api/webhooks/subscription/{id}/rotate-signing-secret`.
   *
   * Deliveries queued from now on are signed with it; those queued before, retries included, with the old.
   */
  rotateWebhookSigningSecret(call: RotateWebhookSigningSecretCall): Promise<WebhookSubscriptionWithSecret>

  /**
   * Send a test delivery: `POST /api/webhooks/subscription/{id}/test`.
   *
   * Sends `webhook.test` within the request, independent of the event types. Returns 200 also if it fails; if possible
   * it is retried. Returns 429 while other tests are in flight, and after 30 in a minute.
   */
  testWebhookSubscription(call: TestWebhookSubscriptionCall): Promise<WebhookTestResult>

  /**
   * Deliver past events again: `POST /api/webhooks/subscription/{id}/replay`.
   *
   * Queues a new delivery of every event of a time window that the subscription selects now, also of events from before
   * it was created; events are retained for 30 days. Receivers see each event under its own id. Returns 404 for a
   * disabled subscription.
   */
  replayWebhookEvents(call: ReplayWebhookEventsCall): Promise<WebhookReplayResult>

  /**
   * List deliveries: `GET /api/webhooks/subscription/{id}/deliveries`.
   *
   * Newest first; retained for 30 days.
   */
  listWebhookDeliveries(call: ListWebhookDeliveriesCall): Promise<WebhookDeliveryPage>

  /**
   * Get a delivery: `GET /api/webhooks/subscription/{id}/deliveries/{deliveryId}`.
   *
   * The delivery with its body and its attempts.
   */
  getWebhookDelivery(call: GetWebhookDeliveryCall): Promise<WebhookDelivery>

  /**
   * Deliver again: `POST /api/webhooks/subscription/{id}/deliveries/{deliveryId}/retry`.
   *
   * Queues a new delivery of the same event, to the present URL of the subscription, with its present secret and token.
   * The original delivery is unchanged. Returns 409 while it is still queued, while an earlier retry is queued, and
   * when the subscription is disabled.
   */
  retryWebhookDelivery(call: RetryWebhookDeliveryCall): Promise<WebhookDelivery>

  /**
   * Read events: `GET /api/webhooks/events`.
   *
   * The events of the partner in the order of recording; those about payments are there without a subscription. Send
   * `nextAfter` as `after` to continue; no event is skipped. Events are retained for 30 days: from an older position
   * the list continues with the oldest event, and `missed` is true.
   */
  listWebhookEvents(call?: ListWebhookEventsCall): Promise<WebhookEventPage>

  /**
   * List requests: `GET /api/requests`.
   *
   * The requests of the partner of the last 30 days, newest first; a large log loses its oldest ones before. Those of
   * payrolls are listed if the credentials may order payrolls. A request appears within a second of its response.
   * Reading the log, and operations of the sandbox, are not logged. A page may have fewer requests than `limit`, or
   * none, although `nextCursor` is there: a rare filter is searched in steps.
   */
  listRequests(call?: ListRequestsCall): Promise<RequestPage>

  /**
   * Get a request: `GET /api/requests/{svcRequestId}`.
   *
   * A request of the partner with its response, by the `svc-request-id` of the response.
   */
  getRequest(call: GetRequestCall): Promise<LoggedRequestDetails>

  /**
   * Read the sandbox clock: `GET /api/sandbox/clock`.
   *
   * Business time and wall time, and the target of a move in progress.
   *
   * Exists in the sandbox only.
   */
  getSandboxClock(call?: GetSandboxClockCall): Promise<SandboxClock>

  /**
   * Move the sandbox clock: `POST /api/sandbox/clock`.
   *
   * What falls due in between happens in order. The answer is 200 when business time has arrived. If that takes longer
   * than 5 seconds, the answer is 202 with `movingTo`, and the move continues: `GET /api/sandbox/clock` shows
   * `movingTo` until it has ended. Until then another move is rejected with 409. Backwards only by `reset`.
   *
   * Exists in the sandbox only.
   */
  moveSandboxClock(call: MoveSandboxClockCall): Promise<SandboxClock>

  /**
   * Simulate the user's decision on an approval: `POST /api/sandbox/approvals/{approvalId}/{decision}`.
   *
   * Follows the link to the bank and back, for each signature that is missing. Works for redirects, apps and codes
   * alike. Repeat it with another `userId` where an account needs two.
   *
   * Exists in the sandbox only.
   */
  decideSandboxApproval(call: DecideSandboxApprovalCall): Promise<SandboxScaResult>

  /**
   * Simulate the user's decision on a consent: `POST /api/sandbox/consents/{consentId}/{decision}`.
   *
   * Follows the link to the bank and back.
   *
   * Exists in the sandbox only.
   */
  decideSandboxConsent(call: DecideSandboxConsentCall): Promise<SandboxScaResult>

  /**
   * Simulate the user's decision on a cancellation: `POST /api/sandbox/cancellations/{cancellationId}/{decision}`.
   *
   * Follows the link to the bank and back.
   *
   * Exists in the sandbox only.
   */
  decideSandboxCancellation(call: DecideSandboxCancellationCall): Promise<SandboxScaResult>

  /**
   * Simulate a step of an onboarding: `POST /api/sandbox/onboardings/{onboardingId}/{step}`.
   *
   * See the onboarding guide for the outcome of each sandbox company. Returns the resulting onboarding; 409 if the step
   * is not possible now.
   *
   * Exists in the sandbox only.
   */
  stepSandboxOnboarding(call: StepSandboxOnboardingCall): Promise<Onboarding>

  /**
   * Simulate a bank event of a payment: `POST /api/sandbox/payments/{paymentId}/{step}`.
   *
   * Returns the resulting status at the bank.
   *
   * Exists in the sandbox only.
   */
  stepSandboxPayment(call: StepSandboxPaymentCall): Promise<PaymentStatus>

  /**
   * Set a payment's status at its bank: `POST /api/sandbox/payments/{paymentId}/status`.
   *
   * It stays until it is set again. Returns the resulting status of the payment.
   *
   * Exists in the sandbox only.
   */
  setSandboxPaymentStatus(call: SetSandboxPaymentStatusCall): Promise<PaymentStatus>

  /**
   * End a consent at its bank: `POST /api/sandbox/consents/{consentId}/end`.
   *
   * As its user or its bank might, without a notification: it is detected at the next use.
   *
   * Exists in the sandbox only.
   */
  endSandboxConsent(call: EndSandboxConsentCall): Promise<void>

  /**
   * Book an entry on an account: `POST /api/sandbox/accounts/{bban}/entries`.
   *
   * As if another bank had sent it. Payments that waited for funds continue at once.
   *
   * Exists in the sandbox only.
   */
  addSandboxEntry(call: AddSandboxEntryCall): Promise<SandboxEntryBooked>

  /**
   * Open the webhook inbox: `POST /api/sandbox/inbox`.
   *
   * Returns the URL of an endpoint of ours, the same each time. Deliveries of subscriptions with this URL are verified
   * and stored: the newest 100, for 30 days. The console shows them, too. Returns 503 if the gateway runs without an
   * inbox.
   *
   * Exists in the sandbox only.
   */
  openSandboxInbox(call?: OpenSandboxInboxCall): Promise<SandboxInbox>

  /**
   * List what the webhook inbox has received: `GET /api/sandbox/inbox/deliveries`.
   *
   * Newest first, the newest 100.
   *
   * Exists in the sandbox only.
   */
  listSandboxInboxDeliveries(call?: ListSandboxInboxDeliveriesCall): Promise<SandboxInboxDelivery[]>

  /**
   * Simulate a fault of a bank: `POST /api/sandbox/banks/{bic}/faults`.
   *
   * Lasts until `DELETE /api/sandbox/faults`; `lose-next-answer` applies once.
   *
   * Exists in the sandbox only.
   */
  disturbSandboxBank(call: DisturbSandboxBankCall): Promise<void>

  /**
   * Simulate a fault of the FX provider: `POST /api/sandbox/exchange/faults`.
   *
   * Once, unless `times` says otherwise; `down` until `DELETE /api/sandbox/faults`, which ends every fault.
   *
   * Exists in the sandbox only.
   */
  disturbSandboxExchange(call: DisturbSandboxExchangeCall): Promise<void>

  /**
   * Simulate an event of the payout of a payment: `POST /api/sandbox/payments/{paymentId}/payout/{step}`.
   *
   * Returns the resulting status at the provider; the payment is updated at the next poll.
   *
   * Exists in the sandbox only.
   */
  stepSandboxPayout(call: StepSandboxPayoutCall): Promise<SandboxPayout>

  /**
   * Send funds to the FX provider: `POST /api/sandbox/exchange/arrivals`.
   *
   * As if another bank had sent it: with the reference of a quote, it books the quote.
   *
   * Exists in the sandbox only.
   */
  addSandboxArrival(call: AddSandboxArrivalCall): Promise<SandboxArrived>

  /**
   * Clear simulated faults: `DELETE /api/sandbox/faults`.
   *
   * All banks of the sandbox respond normally again.
   *
   * Exists in the sandbox only.
   */
  healSandboxBanks(call?: HealSandboxBanksCall): Promise<void>
}
