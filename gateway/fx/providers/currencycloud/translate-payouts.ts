/** Turns the provider's payouts and receipts into the port's words. */
import { redact } from '../../../banks/connector/redact.ts'
import type { ProviderReceipt } from '../../provider/receipt.ts'
import type { PayoutState, ProviderPayment } from '../payout.ts'
import { instantOf } from './translate-conversions.ts'
import { moneyOf } from './translate-money.ts'
import type * as wire from './wire.ts'

const STATES = {
  new: 'waiting',
  awaiting_authorisation: 'waiting',
  authorised: 'waiting',
  ready_to_send: 'waiting',
  submitted: 'sent',
  // Let go after it was held: on its way, and completed later.
  released: 'sent',
  completed: 'completed',
  suspended: 'held',
  failed: 'failed',
  deleted: 'deleted',
} as const satisfies Record<string, PayoutState>

/** Undefined when an amount is none. */
export function payoutOf(payment: wire.Payment): ProviderPayment | undefined {
  const amount = moneyOf(payment.amount, payment.currency)
  const returned = moneyOf(payment.failure_returned_amount || '0', payment.currency)
  const known: Readonly<Record<string, PayoutState>> = STATES
  if (amount === undefined || returned === undefined) {
    return undefined
  }
  return {
    id: payment.id,
    state: Object.hasOwn(known, payment.status) ? (known[payment.status] ?? null) : null,
    providerStatus: payment.status,
    amount,
    conversionId: payment.conversion_id || null,
    requestId: payment.unique_request_id || null,
    failureReason: payment.failure_reason ? redact(payment.failure_reason) : null,
    // Completed payouts carry what would have come back, too.
    returned: payment.status === 'failed' && returned.minor > 0n ? returned : null,
  }
}

/** Undefined when the amount or the time is none. */
export function receiptOf(transaction: wire.FundingTransaction): ProviderReceipt | undefined {
  const amount = moneyOf(transaction.amount, transaction.currency)
  const receivedAt = instantOf(transaction.completed_at) ?? instantOf(transaction.created_at)
  if (amount === undefined || receivedAt === null) {
    return undefined
  }
  return {
    id: transaction.id,
    amount,
    reference: transaction.additional_information || null,
    senderName: transaction.sender?.sender_name || null,
    receivedAt,
  }
}
