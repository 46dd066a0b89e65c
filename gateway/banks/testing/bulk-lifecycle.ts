/** Runs bulks at a sandbox bank through their lifecycle, for validators of requests and answers. */

import { runAuthorisation } from '../conformance/conformance-harness.ts'
import type { BulkOrder } from '../connector/bank-order.ts'
import type { BankCaller, BulkPaymentProduct, Connector } from '../connector/connector.ts'
import { SAMPLE_RETURN_URLS } from './samples.ts'
import { businessDay, type Control } from './sandbox-control.ts'
import { rejectedInBulk, sandboxBulk } from './sandbox-samples.ts'
import { sandboxUser } from './sandbox-user.ts'

/** A bulk that is executed except for one payment, one with a past due date, and one that is cancelled. */
export async function runBulkLifecycle(
  { bulkPayments }: Connector,
  caller: BankCaller,
  control: Control,
): Promise<void> {
  if (bulkPayments === undefined || caller.bank.profile.payroll?.submissionMode !== 'bulk') {
    return
  }
  const today = await businessDay(control, caller.bank.profile.timeZone)
  const sound = sandboxBulk(caller.bank, today, 210_000n)
  const payments = sound.payments.map((one, position) => (position === 1 ? rejectedInBulk(one) : one))
  const known = payments.map(({ endToEndId }) => ({ endToEndId, elementId: null, status: null, readAt: null }))
  const signed = await placed(bulkPayments, caller, { ...sound, payments })
  const playing = { back: SAMPLE_RETURN_URLS, decide: sandboxUser(control) }
  await runAuthorisation(playing, bulkPayments.authorisations, { caller, target: signed })
  await control('POST', `/payments/${signed.bankPaymentId}/settle`, {}).catch(() => undefined)
  await bulkPayments.read(caller, signed, { signed: true, elements: known })
  await bulkPayments.readOrder(caller, signed)
  await placed(bulkPayments, caller, { ...sound, dueDate: today.subtract({ days: 7 }) }).catch(() => undefined)
  const unsigned = await placed(bulkPayments, caller, sandboxBulk(caller.bank, today, 220_000n))
  await bulkPayments.cancellation.cancel(caller, unsigned, crypto.randomUUID())
  await bulkPayments.read(caller, unsigned, { signed: false, elements: known })
}

async function placed(bulks: BulkPaymentProduct, caller: BankCaller, order: BulkOrder) {
  const request = { requestId: crypto.randomUUID(), notification: SAMPLE_RETURN_URLS.notification }
  const { bankPaymentId } = await bulks.initiate(caller, order, request)
  return { bankPaymentId, rail: 'account', debtorBban: order.debtor.bban, creditorBban: 'digest' } as const
}
