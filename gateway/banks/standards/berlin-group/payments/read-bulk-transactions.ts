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
import { isFinalTransaction, matchTransactions, parseBulkDetails, toTransactionObservation } from './translate-bulk.ts'

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
  { product, bankPaymentId, elements }: BulkQuery,
): Promise<readonly BulkTransactionObservation[] | null> {
  const dialect = dialectOf(caller.bank.profile)
  const known = elements.map(({ elementId }) => elementId)
  const listed = async () => {
    const where = path('bulk-payments', product, bankPaymentId)
    const { payments = [] } = await fetchOrder(line, caller, { name: 'BulkPayment', where }, parseBulkDetails)
    return [...matchTransactions(payments, elements, dialect)].map(
      ([position, { paymentId, ...shown }]) =>
        ({ position, elementId: parseIdentifier(paymentId) ?? known[position] ?? null, ...shown }) as const,
    )
  }
  switch (caller.bank.profile.payroll?.elements) {
    case 'listed':
      return (await listed())
        .flatMap(({ position, elementId, transactionStatus, ...remarks }) =>
          transactionStatus === undefined
            ? []
            : [toTransactionObservation({ transactionStatus, ...remarks }, { position, elementId }, dialect)],
        )
        .sort(byPosition)
    case 'own-ids': {
      const positions = selectNextPositions(elements)
      // The ids are read from the bulk where they are unknown.
      const isKnown = positions.every((position) => known[position] != null)
      const shown = new Map((isKnown ? [] : await listed()).map(({ position, elementId }) => [position, elementId]))
      const places = positions.flatMap((position) => {
        const elementId = known[position] ?? shown.get(position) ?? null
        return elementId === null ? [] : [{ position, elementId }]
      })
      return await readOneByOne(line, caller, product, places)
    }
    default:
      return null
  }
}

async function readOneByOne(
  line: BankClient,
  caller: BankCaller,
  product: string,
  places: readonly { readonly position: number; readonly elementId: string }[],
): Promise<readonly BulkTransactionObservation[]> {
  const until = line.now().add({ seconds: READ_SECONDS_MAX })
  const observations: BulkTransactionObservation[] = []
  const left = [...places]
  while (left.length > 0 && Temporal.Instant.compare(line.now(), until) < 0) {
    const answers = await Promise.allSettled(
      left.splice(0, CONCURRENT_READS).map(async (place) => {
        const where = path('payments', product, place.elementId)
        const answer = await fetchPaymentStatus(line, caller, { name: 'Payment', where })
        return toTransactionObservation(answer, place, dialectOf(caller.bank.profile))
      }),
    )
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

function byPosition(one: BulkTransactionObservation, other: BulkTransactionObservation): number {
  return one.position - other.position
}
