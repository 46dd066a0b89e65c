/** The public entry of the TypeScript client: everything that partners' programs import. */
export type { CallOptions, PsuSession } from './call.ts'
export { createHavnClient, type HavnClient } from './client.ts'
export type { HavnAttempt, HavnClientSettings, HavnEnvironment } from './client-settings.ts'
export type { FailureCode, HavnErrorDetails, HavnErrorItem, ValidationError } from './errors/error-details.ts'
export {
  HavnAuthenticationError,
  HavnConflictError,
  HavnConnectionError,
  HavnError,
  HavnNotFoundError,
  HavnPermissionError,
  HavnRateLimitError,
  HavnRejectedError,
  HavnResponseError,
  HavnServerError,
  HavnTimeoutError,
  HavnUnknownOutcomeError,
  HavnValidationError,
} from './errors/havn-error.ts'
export type * from './generated/api-types.ts'
export type * from './generated/operations.ts'
export type { HavnIterators } from './lists/iterators.ts'
export { moveClock } from './move-clock.ts'
export { HAVN_CLIENT_VERSION } from './version.ts'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRejection,
  type WebhookVerification,
} from './webhooks/verify-webhook.ts'
export {
  type AccountEntriesBooked,
  type ApprovalEnded,
  type ConsentChanged,
  type ExchangeStepped,
  isAccountEntriesBooked,
  isApprovalEnded,
  isConsentChanged,
  isExchangeStepped,
  isOnboardingStatusChanged,
  isPaymentStatusChanged,
  isPayrollStatusChanged,
  isPayrollTransactionStatusChanged,
  isTest,
  type OnboardingStatusChanged,
  type PaymentStatusChanged,
  type PayrollStatusChanged,
  type PayrollTransactionStatusChanged,
  type UnknownWebhookEvent,
  type WebhookEvent,
} from './webhooks/webhook-event.ts'
