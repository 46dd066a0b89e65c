/** Writes the file of a payroll anew from what is kept: the same to the letter, whenever it is needed. */

import type { BulkElement } from '../../banks/bulk-order.ts'
import type { Bank } from '../../banks/directory/bank.ts'
import type { OrderFile } from '../../banks/file-product.ts'
import { heldConsentId } from '../../consents/consent.ts'
import { accountNumbered } from '../../consents/find-account.ts'
import { consentOf } from '../../consents/find-consent.ts'
import type { Context } from '../../context.ts'
import type { PayrollPayment } from '../../orders/payment.ts'
import { bulkOrderOf, type PayoutTerms } from '../../orders/payroll/build-payroll-orders.ts'
import { payrollContents } from '../../orders/payroll/payroll-contents.ts'
import { type PayrollKey, SLICE_PAYOUTS } from '../../orders/payroll/payroll-order.ts'
import { termsOf } from '../payroll-terms.ts'
import type { PaymentFile } from './payment-file.ts'

/** The agreement may have ended since: what was ordered under it is sent all the same. */
export async function orderFileOf(
  context: Context,
  bank: Bank,
  { messageId, createdAt }: PaymentFile,
  payment: PayrollPayment,
): Promise<OrderFile> {
  const { partnerId, ordered, dueDate, consentId } = payment
  const { payrollId, count } = ordered
  const consent = await consentOf(context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error(`The agreement of payroll ${payrollId} is gone`)
  }
  const { from, total } = await termsOf(context, { partnerId, id: payrollId })
  const account = await accountNumbered(context, consent, payment.debtorBban)
  const terms = { countryCode: bank.countryCode, currency: total.currency, dueDate, debtorIban: account?.iban ?? null }
  const batchBooking = bank.profile.payroll?.batchBooking === true
  return {
    messageId,
    createdAt,
    organisationNumber: payment.organisationNumber,
    agreement: heldConsentId(consent),
    debtor: { bban: payment.debtorBban, iban: terms.debtorIban, name: from.name, currency: total.currency },
    dueDate,
    batchBooking,
    count,
    total,
    payments: payouts(context, { partnerId, payrollId }, count, terms),
  }
}

/** A slice is opened when the one before it is written: a payroll is never in memory as a whole. */
async function* payouts(
  context: Context,
  key: PayrollKey,
  count: number,
  terms: PayoutTerms,
): AsyncIterable<readonly BulkElement[]> {
  for (let first = 0; first < count; first += SLICE_PAYOUTS) {
    const contents = await payrollContents(context, key, { first, count: Math.min(SLICE_PAYOUTS, count - first) })
    yield (await bulkOrderOf(contents, terms, { bulkId: '', batchBooking: false })).payments
  }
}
