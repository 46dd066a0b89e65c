/** Creates submitted payments, records their settlement, and ends their polling. */
import { invoice } from '../../../contract/examples/demo-fixture.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import type { Context } from '../../context.ts'
import { findPaymentsOf } from '../../orders/find-orders.ts'
import type { Payment } from '../../orders/payment.ts'
import { recordPaymentStatus } from '../../orders/status/record-payment-status.ts'
import { newId } from '../../platform/ids.ts'

const SETTLED: StatusObservation = {
  status: 'Completed',
  statusReason: null,
  statusReasonText: null,
  bankStatus: 'ACSC',
}

/** In progress at their bank and not polled; they differ only in their ids. */
const PAYMENTS = `
  insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
    amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
    status, bank_status, signed, notification_token_hash, created_at, status_at, changed_at)
  select $1::uuid, id, 'Domestic', id, 'FJORNO22', 'NO', '987654325', id::text,
    1, 'NOK', '80501100017', '80501200011', '2026-01-02', $4, 'known', id, id::text,
    'InProgress', 'ACSP', true, 'hint', $3::timestamptz, $3::timestamptz, $3::timestamptz
  from unnest($2::uuid[]) as id`

const ORDERED = JSON.stringify({ ...invoice, dueDate: '2026-01-02' })

/** Creates so many payments of a partner. */
export async function insertPendingPayments(
  context: Context,
  partnerId: string,
  count: number,
): Promise<readonly Payment[]> {
  const ids = Array.from({ length: count }, () => newId())
  await context.database.pool.query(PAYMENTS, [partnerId, ids, context.clock.now().toString(), ORDERED])
  const [sample] = await findPaymentsOf(context, partnerId, ids.slice(0, 1))
  return sample === undefined ? [] : ids.map((id) => ({ ...sample, id, bankPaymentId: id }))
}

/** Records the final status of one of them, with its event and deliveries. */
export async function settlePayment(context: Context, payment: Payment): Promise<void> {
  await recordPaymentStatus(context, payment, SETTLED)
}

/** Ends the polling of earlier tests' payments, so that it does not delay moves of the clock. */
export async function disablePaymentPolling({ context }: { readonly context: Context }): Promise<void> {
  await context.database.pool.query('update payments set poll_at = null')
}
