/** Submits bulk payments and reads their status, and that of their payments where the bank reports it. */

import { mapYieldingToEventLoop } from '../../../../platform/concurrency.ts'
import type { Money } from '../../../../platform/money.ts'
import { BankError } from '../../../connector/bank-error.ts'
import type {
  BulkObservation,
  BulkOrder,
  KnownBulk,
  OrderShownByBank,
  SubmittedOrder,
} from '../../../connector/bank-order.ts'
import type { BankProfile } from '../../../connector/bank-profile.ts'
import type { BankCaller, BulkPaymentProduct } from '../../../connector/connector.ts'
import { debtorAccountReference, matchAccountNumber } from '../accounts/account-reference.ts'
import { parseSignedMoney } from '../accounts/translate-accounts.ts'
import { dialectOf } from '../dialect.ts'
import { toStatusObservation } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { path } from '../transport/send-request.ts'
import { transactionBody } from './order-body.ts'
import { createOrderOperations, fetchPaymentStatus } from './order-operations.ts'
import { initiateOrder, productFor } from './payments.ts'
import { readBulkTransactions } from './read-bulk-transactions.ts'
import {
  type BulkDetails,
  isPartlyAccepted,
  type ListedTransaction,
  parseBulkCreated,
  parseBulkDetails,
  parseTransactionIds,
  redactAmounts,
  redactBulkError,
  toPartialBulkObservation,
} from './translate-bulk.ts'

const SERVICE = 'bulk-payments'

export function bulkPaymentProduct(line: BankClient): BulkPaymentProduct {
  return {
    ...createOrderOperations(line, {
      service: SERVICE,
      read: parseBulkDetails,
      name: bulkProductAt,
      held: (shown, submitted, { bank }) => toBulkShownByBank(shown, submitted, bank.countryCode),
      // This was the last signature.
      asSingle: (answer, { bank }) =>
        isPartlyAccepted(answer, dialectOf(bank.profile)) ? { ...answer, transactionStatus: 'ACSP' } : answer,
    }),
    initiate: async (caller, order, request) => {
      const { name, profile } = caller.bank
      if (profile.payroll?.submissionMode !== 'bulk') {
        throw new BankError('unsupported-product', `${name} accepts no bulks`)
      }
      const product = bulkProductAt(caller)
      const products = await mapYieldingToEventLoop(order.payments, (payment) => productFor(caller, payment))
      if (products.some((other) => other !== product)) {
        throw new BankError('unsupported-product', `${name} accepts no bulks with several kinds of payments`)
      }
      const body = await bulkBody(order, profile)
      const initiation = { service: SERVICE, product, body, read: parseBulkCreated } as const
      const { result, created } = await initiateOrder(line, caller, request, initiation).catch((error: unknown) => {
        throw error instanceof BankError ? redactBulkError(error) : error
      })
      const observation = redactAmounts(result.observation)
      const ids = parseTransactionIds(created.payments)
      return ids?.length === order.payments.length
        ? { ...result, observation, elementIds: ids.map(({ paymentId = null }) => paymentId) }
        : { ...result, observation }
    },
    read: (caller, submitted, known) => read(line, caller, submitted, known),
  }
}

async function read(
  line: BankClient,
  caller: BankCaller,
  { bankPaymentId }: SubmittedOrder,
  { signed, elements }: KnownBulk,
): Promise<BulkObservation> {
  const dialect = dialectOf(caller.bank.profile)
  const product = bulkProductAt(caller)
  const where = path(SERVICE, product, bankPaymentId)
  const answer = await fetchPaymentStatus(line, caller, { name: 'BulkPayment', where })
  return isPartlyAccepted(answer, dialect)
    ? toPartialBulkObservation(
        answer,
        elements,
        await readBulkTransactions(line, caller, { product, bankPaymentId, elements }),
      )
    : redactAmounts(toStatusObservation(answer, signed, dialect))
}

/** Bulks use the product of the account rail. */
function bulkProductAt({ bank }: BankCaller): string {
  return dialectOf(bank.profile).products.account
}

const PAYMENTS_AT_ONCE = 10

/** The JSON of a bulk, built a few payments at a time. Batch booking is requested only at banks that support it. */
export async function bulkBody(
  { bulkId, debtor, dueDate, batchBooking, payments }: BulkOrder,
  profile: BankProfile,
): Promise<string> {
  const dialect = dialectOf(profile)
  const runs = Array.from({ length: Math.ceil(payments.length / PAYMENTS_AT_ONCE) }).keys()
  // A few long strings need less memory than thousands of short ones.
  const elements = await mapYieldingToEventLoop(runs, (run) => {
    const some = payments.slice(run * PAYMENTS_AT_ONCE, (run + 1) * PAYMENTS_AT_ONCE)
    return JSON.stringify(some.map((payment) => transactionBody(payment, dialect))).slice(1, -1)
  })
  const head = JSON.stringify({
    ...(profile.payroll?.batchBooking === true ? { batchBookingPreferred: batchBooking } : {}),
    debtorAccount: debtorAccountReference(debtor, dialect),
    ...(dialect.paymentInformationId === true ? { paymentInformationId: bulkId } : {}),
    requestedExecutionDate: dueDate.toString(),
  })
  return `${head.slice(0, -1)},"payments":[${elements.join(',')}]}`
}

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
