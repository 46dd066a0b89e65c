/** The public entry of the TypeScript client: everything that partners' programs import. */
export { createHavnClient, type HavnClient, type HavnClientSettings } from './client.ts'
export { HavnError, type HavnErrorDetails } from './havn-error.ts'
export { moveClock } from './move-clock.ts'
export type { PsuSession } from './request.ts'
export {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRejection,
  type WebhookVerification,
} from './verify-webhook.ts'
export { isPaymentStatusChanged, isTest, type PaymentStatusChanged, type WebhookEvent } from './webhook-event.ts'
