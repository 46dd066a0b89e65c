/** Builds the JSON of a bulk for a bank's product, and parses the bulk that the bank holds. */

import type { Money } from '../../../../platform/money.ts'
import { mapYieldingToEventLoop } from '../../../../platform/yield-to-event-loop.ts'
import type { BulkOrder } from '../../../connector/bulk-order.ts'
import type { OrderShownByBank, SubmittedOrder } from '../../../connector/order-at-bank.ts'
import type { BankProfile } from '../../../directory/bank.ts'
import { accountReference, matchAccountNumber } from '../accounts/account-reference.ts'
import { parseSignedMoney } from '../accounts/translate-accounts.ts'
import { dialectOf } from '../dialect.ts'
import { transactionBody } from './order-body.ts'
import type { BulkDetails, ListedTransaction } from './wire-bulk.ts'

const PAYMENTS_AT_ONCE = 10

/** The JSON of a bulk, built a few payments at a time. Batch booking is requested only at banks that support it. */
export async function bulkBody(
  { bulkId, debtor, dueDate, batchBooking, payments }: BulkOrder,
  profile: BankProfile,
): Promise<string> {
  const dialect = dialectOf(profile)
  const elements = await mapYieldingToEventLoop(runsOf(payments), (run) =>
    JSON.stringify(run.map((payment) => transactionBody(payment, dialect))).slice(1, -1),
  )
  const head = JSON.stringify({
    ...(profile.payroll?.batchBooking === true ? { batchBookingPreferred: batchBooking } : {}),
    debtorAccount: accountReference(debtor, dialect),
    ...(dialect.paymentInformationId === true ? { paymentInformationId: bulkId } : {}),
    requestedExecutionDate: dueDate.toString(),
  })
  return `${head.slice(0, -1)},"payments":[${elements.join(',')}]}`
}

/** A few long strings need less memory than thousands of short ones. */
function* runsOf(payments: BulkOrder['payments']): Generator<BulkOrder['payments']> {
  for (let first = 0; first < payments.length; first += PAYMENTS_AT_ONCE) {
    yield payments.slice(first, first + PAYMENTS_AT_ONCE)
  }
}

/** The content of a bulk at its bank. */
export function toBulkShownByBank(
  { debtorAccount, paymentInformationId, payments }: BulkDetails,
  submitted: SubmittedOrder,
  countryCode: string,
): OrderShownByBank {
  return {
    debtorBban: matchAccountNumber(debtorAccount, submitted.debtorBban, countryCode),
    creditorBban: null,
    amount: payments === undefined ? null : sumOf(payments),
    bulk: { bulkId: paymentInformationId ?? null, count: payments?.length ?? null },
  }
}

/** Null unless every amount is shown in the same currency. */
function sumOf(payments: readonly ListedTransaction[]): Money | null {
  const amounts = payments.map(({ instructedAmount: shown }) => shown && parseSignedMoney(shown.amount, shown.currency))
  return amounts.reduce<Money | null>((sum, amount, position) => {
    if (!amount || (position > 0 && sum?.currency !== amount.currency)) {
      return null
    }
    return { minor: (sum?.minor ?? 0n) + amount.minor, currency: amount.currency }
  }, null)
}
