/** Writes a bulk as a bank's product takes it, and reads back the one that the bank holds. */

import type { Money } from '../../../../platform/money.ts'
import { mapLettingOthersIn } from '../../../../platform/yield-to-event-loop.ts'
import type { BulkOrder } from '../../../bulk-order.ts'
import type { HeldOrder, PlacedOrder } from '../../../connector/order-at-bank.ts'
import type { BankProfile } from '../../../directory/bank.ts'
import { accountReference, numberExpected } from '../accounts/account-reference.ts'
import { signedMoney } from '../accounts/translate-accounts.ts'
import { dialectOf } from '../dialect.ts'
import { elementBody } from './order-body.ts'
import type { BulkHeld, ListedElement } from './wire-bulk.ts'

const PAYMENTS_AT_ONCE = 10

/** The JSON of a bulk, written a few payments at a time. The wish for one debit is told only to banks that hear it. */
export async function bulkBody(
  { bulkId, debtor, dueDate, batchBooking, payments }: BulkOrder,
  profile: BankProfile,
): Promise<string> {
  const dialect = dialectOf(profile)
  const elements = await mapLettingOthersIn(runsOf(payments), (run) =>
    JSON.stringify(run.map((payment) => elementBody(payment, dialect))).slice(1, -1),
  )
  const head = JSON.stringify({
    ...(profile.payroll?.batchBooking === true ? { batchBookingPreferred: batchBooking } : {}),
    debtorAccount: accountReference(debtor, dialect),
    ...(dialect.paymentInformationId === true ? { paymentInformationId: bulkId } : {}),
    requestedExecutionDate: dueDate.toString(),
  })
  return `${head.slice(0, -1)},"payments":[${elements.join(',')}]}`
}

/** Few long texts are less to keep track of than thousands of short ones. */
function* runsOf(payments: BulkOrder['payments']): Generator<BulkOrder['payments']> {
  for (let first = 0; first < payments.length; first += PAYMENTS_AT_ONCE) {
    yield payments.slice(first, first + PAYMENTS_AT_ONCE)
  }
}

/** The bulk that a bank holds. */
export function heldBulk(
  { debtorAccount, paymentInformationId, payments }: BulkHeld,
  placed: PlacedOrder,
  countryCode: string,
): HeldOrder {
  return {
    debtorBban: numberExpected(debtorAccount, placed.debtorBban, countryCode),
    creditorBban: null,
    amount: payments === undefined ? null : sumOf(payments),
    bulk: { bulkId: paymentInformationId ?? null, count: payments?.length ?? null },
  }
}

/** Null unless every amount is shown, and all in one currency. */
function sumOf(payments: readonly ListedElement[]): Money | null {
  const amounts = payments.map(({ instructedAmount: shown }) => shown && signedMoney(shown.amount, shown.currency))
  return amounts.reduce<Money | null>((sum, amount, position) => {
    if (!amount || (position > 0 && sum?.currency !== amount.currency)) {
      return null
    }
    return { minor: (sum?.minor ?? 0n) + amount.minor, currency: amount.currency }
  }, null)
}
