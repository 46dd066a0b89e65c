/** Builds the payment file of a payroll from the stored data, identical each time. */

import type { Bank } from '../../banks/connector/bank.ts'
import type { BulkTransaction } from '../../banks/connector/bank-order.ts'
import type { OrderFile } from '../../banks/connector/file-product.ts'
import { findAccountByBban } from '../../consents/accounts/find-account.ts'
import { requireBankConsentId } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { parseDebtor } from '../parse/domestic-payment-parts.ts'
import { buildBulkOrder, type PayrollOrderTerms } from '../parse/payroll-orders.ts'
import type { PayrollPayment } from '../payment.ts'
import type { PaymentFile } from '../payment-file.ts'
import { type PayrollKey, TRANSACTIONS_PER_CHUNK } from '../payroll-order.ts'
import { readPayrollContents, readPayrollTerms } from '../store/payroll-contents.ts'

/** The consent may have ended since; a payroll that was ordered under it is sent nevertheless. */
export async function buildOrderFile(
  context: Context,
  bank: Bank,
  { messageId, createdAt }: PaymentFile,
  payment: PayrollPayment,
): Promise<OrderFile> {
  const { partnerId, ordered, dueDate, consentId } = payment
  const { payrollId, count } = ordered
  const consent = await consentOf(context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error(`The consent of payroll ${payrollId} does not exist`)
  }
  const { from, total } = await readPayrollTerms(context, { partnerId, id: payrollId })
  const account = await findAccountByBban(context, consent, payment.debtorBban)
  const { countryCode } = bank
  const debtor = parseDebtor(countryCode, from.account.bban)
  const terms = { countryCode, currency: total.currency, dueDate, debtorIban: account?.iban ?? null, debtor }
  const batchBooking = bank.profile.payroll?.batchBooking === true
  return {
    messageId,
    createdAt,
    organisationNumber: payment.organisationNumber,
    agreement: requireBankConsentId(consent),
    debtor: { bban: payment.debtorBban, iban: terms.debtorIban, name: from.name, currency: total.currency },
    dueDate,
    batchBooking,
    count,
    total,
    payments: streamTransactions(context, { partnerId, payrollId }, count, terms),
  }
}

/** Decrypts a chunk when the previous one is written: a payroll is never completely in memory. */
async function* streamTransactions(
  context: Context,
  key: PayrollKey,
  count: number,
  terms: PayrollOrderTerms,
): AsyncIterable<readonly BulkTransaction[]> {
  for (let first = 0; first < count; first += TRANSACTIONS_PER_CHUNK) {
    const contents = await readPayrollContents(context, key, {
      first,
      count: Math.min(TRANSACTIONS_PER_CHUNK, count - first),
    })
    yield (await buildBulkOrder(contents, terms, { bulkId: '', batchBooking: false })).payments
  }
}
