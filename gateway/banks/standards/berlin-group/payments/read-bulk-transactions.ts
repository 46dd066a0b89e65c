/** Reads the status of the payments in a bulk, in the way that the bank reports it. */

import { BankError } from '../../../connector/bank-error.ts'
import { isResourceGone } from '../../../connector/bank-error-classification.ts'
import type { BulkTransactionObservation, KnownBulkTransaction } from '../../../connector/bank-order.ts'
import type { BankCaller } from '../../../connector/connector.ts'
import { dialectOf } from '../dialect.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { path } from '../transport/send-request.ts'
import { parseIdentifier } from '../wire.ts'
import { fetchOrder, fetchPaymentStatus } from './order-operations.ts'
import {
  type BulkDetails,
  isFinalTransaction,
  matchTransactions,
  parseBulkDetails,
  toTransactionObservation,
} from './translate-bulk.ts'

/** Where every payment needs its own status request, so many are read at once; the next poll reads the others. */
const TRANSACTIONS_PER_READ_MAX = 1_000
/** A fraction of the calls that all processes together may have in flight at a bank. */
const CONCURRENT_READS = 8
/** The lease of a poll is one minute, including the read of the bulk. */
const READ_SECONDS_MAX = 20

export type BulkQuery = {
  readonly product: string
  readonly bankPaymentId: string
  readonly elements: readonly KnownBulkTransaction[]
}

/** The reported payments by ascending position; null where the bank reports none. */
export async function readBulkTransactions(
  line: BankClient,
  caller: BankCaller,
  bulk: BulkQuery,
): Promise<readonly BulkTransactionObservation[] | null> {
  switch (caller.bank.profile.payroll?.elements) {
    case 'listed':
      return await readListed(line, caller, bulk)
    case 'own-ids':
      return await readOneByOne(line, caller, bulk)
    default:
      return null
  }
}

async function readListed(
  line: BankClient,
  caller: BankCaller,
  bulk: BulkQuery,
): Promise<readonly BulkTransactionObservation[]> {
  const dialect = dialectOf(caller.bank.profile)
  const { payments = [] } = await askBulk(line, caller, bulk)
  return [...matchTransactions(payments, bulk.elements, dialect)]
    .flatMap(([position, { transactionStatus, paymentId, ...remarks }]) => {
      const elementId = parseIdentifier(paymentId) ?? bulk.elements[position]?.elementId ?? null
      return transactionStatus === undefined
        ? []
        : [toTransactionObservation({ transactionStatus, ...remarks }, { position, elementId }, dialect)]
    })
    .sort(byPosition)
}

async function readOneByOne(
  line: BankClient,
  caller: BankCaller,
  bulk: BulkQuery,
): Promise<readonly BulkTransactionObservation[]> {
  const requested = await withIds(line, caller, bulk, selectNextPositions(bulk.elements))
  const until = line.now().add({ seconds: READ_SECONDS_MAX })
  const observations: BulkTransactionObservation[] = []
  for (
    let first = 0;
    first < requested.length && Temporal.Instant.compare(line.now(), until) < 0;
    first += CONCURRENT_READS
  ) {
    const batch = requested.slice(first, first + CONCURRENT_READS)
    const answers = await Promise.allSettled(batch.map((one) => readOne(line, caller, bulk.product, one)))
    observations.push(...answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])))
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    const [error] = errors.filter((reason) => !isResourceGone(reason))
    if (error !== undefined) {
      // The observations so far are valid; the other payments are read in the next poll.
      if (observations.length === 0 || !(error instanceof BankError)) {
        throw error
      }
      break
    }
  }
  return observations.sort(byPosition)
}

type TransactionQuery = { readonly position: number; readonly elementId: string }

async function readOne(
  line: BankClient,
  caller: BankCaller,
  product: string,
  place: TransactionQuery,
): Promise<BulkTransactionObservation> {
  const where = path('payments', product, place.elementId)
  const answer = await fetchPaymentStatus(line, caller, { name: 'Payment', where })
  return toTransactionObservation(answer, place, dialectOf(caller.bank.profile))
}

/** Open payments, least recently read first; once all are final, these again, because a paid one may be returned. */
function selectNextPositions(elements: readonly KnownBulkTransaction[]): readonly number[] {
  const positions = elements.map((_element, position) => position)
  const open = positions.filter((position) => !isFinalTransaction(elements[position] ?? NEVER_READ))
  const readAt = (position: number) => elements[position]?.readAt?.epochMilliseconds ?? 0
  return (open.length > 0 ? open : positions)
    .toSorted((one, other) => readAt(one) - readAt(other) || one - other)
    .slice(0, TRANSACTIONS_PER_READ_MAX)
}

const NEVER_READ = { status: null }

/** With the bank's ids, which are read from the bulk where they are unknown. */
async function withIds(
  line: BankClient,
  caller: BankCaller,
  bulk: BulkQuery,
  positions: readonly number[],
): Promise<readonly TransactionQuery[]> {
  const isKnown = positions.every((position) => bulk.elements[position]?.elementId != null)
  const { payments = [] } = isKnown ? {} : await askBulk(line, caller, bulk)
  const places = matchTransactions(payments, bulk.elements, dialectOf(caller.bank.profile))
  return positions.flatMap((position) => {
    const elementId = bulk.elements[position]?.elementId ?? parseIdentifier(places.get(position)?.paymentId) ?? null
    return elementId === null ? [] : [{ position, elementId }]
  })
}

async function askBulk(line: BankClient, caller: BankCaller, bulk: BulkQuery): Promise<BulkDetails> {
  const where = path('bulk-payments', bulk.product, bulk.bankPaymentId)
  return await fetchOrder(line, caller, { name: 'BulkPayment', where }, parseBulkDetails)
}

function byPosition(one: BulkTransactionObservation, other: BulkTransactionObservation): number {
  return one.position - other.position
}
