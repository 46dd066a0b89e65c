/** Translates the provider's payouts and receipts into the port's types. */
import { redactAccountNumbers } from '../../../banks/connector/bank-text.ts'
import type { PayoutState, ProviderPayout } from '../payout.ts'
import type { ProviderInboundFunds } from '../provider-inbound-funds.ts'
import { instantOf } from './translate-conversions.ts'
import { moneyOf } from './translate-money.ts'
import type * as wire from './wire.ts'

const STATES = {
  new: 'waiting',
  awaiting_authorisation: 'waiting',
  authorised: 'waiting',
  ready_to_send: 'waiting',
  submitted: 'sent',
  // Released after a suspension: in transit, and completed later.
  released: 'sent',
  completed: 'completed',
  suspended: 'held',
  failed: 'failed',
  deleted: 'deleted',
} as const satisfies Record<string, PayoutState>

/** Undefined when an amount is invalid. */
export function payoutOf(payment: wire.Payment): ProviderPayout | undefined {
  const amount = moneyOf(payment.amount, payment.currency)
  const returned = moneyOf(payment.failure_returned_amount || '0', payment.currency)
  const stateByStatus: Readonly<Record<string, PayoutState>> = STATES
  if (amount === undefined || returned === undefined) {
    return undefined
  }
  return {
    id: payment.id,
    state: Object.hasOwn(stateByStatus, payment.status) ? (stateByStatus[payment.status] ?? null) : null,
    providerStatus: payment.status,
    amount,
    conversionId: payment.conversion_id || null,
    requestId: payment.unique_request_id || null,
    failureReason: payment.failure_reason ? redactAccountNumbers(payment.failure_reason) : null,
    // Completed payouts have this field too.
    returned: payment.status === 'failed' && returned.minor > 0n ? returned : null,
  }
}

/** Undefined when the amount or time is invalid. */
export function receiptOf(transaction: wire.FundingTransaction): ProviderInboundFunds | undefined {
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
