/** Submits bulk payments and reads their status, and that of their payments where the bank reports it. */
import { mapYieldingToEventLoop } from '../../../../platform/yield-to-event-loop.ts'
import { BankError } from '../../../connector/bank-error.ts'
import type { BulkInitiationResult, BulkObservation, BulkOrder, KnownBulk } from '../../../connector/bulk-order.ts'
import type { BankCaller, BulkPaymentProduct } from '../../../connector/connector.ts'
import { creditorAccountNumber } from '../../../connector/domestic-order.ts'
import type { InitiationRequest, SubmittedOrder } from '../../../connector/order-at-bank.ts'
import { dialectOf } from '../dialect.ts'
import { toStatusObservation } from '../translate-payment-status.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { path } from '../transport/send-request.ts'
import { bulkBody, toBulkShownByBank } from './bulk-body.ts'
import { initiateOrder } from './initiate-order.ts'
import { createOrderOperations, fetchPaymentStatus } from './order-operations.ts'
import { productFor } from './payments.ts'
import { readBulkTransactions } from './read-bulk-transactions.ts'
import { redactAmounts, redactBulkError } from './redact-bulk-texts.ts'
import { isPartlyAccepted, toPartialBulkObservation } from './translate-bulk.ts'
import { parseBulkCreated, parseBulkDetails, parseTransactionIds } from './wire-bulk.ts'

const SERVICE = 'bulk-payments'

/** The bulk product of a bank client. */
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
    initiate: (caller, order, request) => initiate(line, caller, order, request),
    read: (caller, submitted, known) => read(line, caller, submitted, known),
  }
}

async function initiate(
  line: BankClient,
  caller: BankCaller,
  order: BulkOrder,
  request: InitiationRequest,
): Promise<BulkInitiationResult> {
  requireBulkSupport(caller)
  const product = bulkProductAt(caller)
  const products = await mapYieldingToEventLoop(order.payments, ({ creditor }) =>
    productFor(caller, creditorAccountNumber(creditor.account)),
  )
  if (products.some((other) => other !== product)) {
    throw new BankError('unsupported-product', `${caller.bank.name} accepts no bulks with several kinds of payments`)
  }
  const body = await bulkBody(order, caller.bank.profile)
  const initiation = { service: SERVICE, product, body, read: parseBulkCreated } as const
  const { result, created } = await initiateOrder(line, caller, request, initiation).catch((error: unknown) => {
    throw error instanceof BankError ? redactBulkError(error) : error
  })
  const observation = redactAmounts(result.observation)
  const ids = parseTransactionIds(created.payments)
  return ids?.length === order.payments.length
    ? { ...result, observation, elementIds: ids.map(({ paymentId = null }) => paymentId) }
    : { ...result, observation }
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

function requireBulkSupport({ bank }: BankCaller): void {
  if (bank.profile.payroll?.way !== 'bulk') {
    throw new BankError('unsupported-product', `${bank.name} accepts no bulks`)
  }
}

/** Bulks use the product of the account rail. */
function bulkProductAt({ bank }: BankCaller): string {
  return dialectOf(bank.profile).products.account
}
