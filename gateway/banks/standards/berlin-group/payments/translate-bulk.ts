/** Translates the reported statuses of the payments in a bulk, and derives the status of the bulk. */
import type { PaymentStatusValue } from '../../../../../contract/payments/payment-status.ts'
import type {
  BulkObservation,
  BulkTransactionObservation,
  KnownBulkTransaction,
} from '../../../connector/bulk-order.ts'
import type { StatusObservation } from '../../../connector/order-at-bank.ts'
import { statedText } from '../../../connector/stated-text.ts'
import type { Dialect } from '../dialect.ts'
import { bankReasonOf, standardStatus, toStatusObservation } from '../translate-payment-status.ts'
import type { PaymentStatus } from '../wire.ts'
import { endToEndIdFor } from './order-body.ts'
import { redactAmounts } from './redact-bulk-texts.ts'
import type { ListedTransaction } from './wire-bulk.ts'

const UNKNOWN_TRANSACTIONS_MESSAGE = 'The bank executes a part of these payments and does not report which'

/** A bulk is open while one of its payments has one of these; the first, which users can act upon, is reported. */
const OPEN_FIRST: readonly PaymentStatusValue[] = ['CustomerActionRequired', 'Unsigned', 'InProgress']
const FINAL_FIRST: readonly PaymentStatusValue[] = ['Completed', 'Rejected', 'Cancelled']

/** Whether the bank accepted or executed a part of a bulk: reported only once all have signed (API, `PART`). */
export function isPartlyAccepted({ transactionStatus }: PaymentStatus, dialect: Dialect): boolean {
  return standardStatus(transactionStatus, dialect) === 'PART'
}

/** The status of a payment in such a bulk. */
export function toTransactionObservation(
  answer: PaymentStatus,
  place: Pick<BulkTransactionObservation, 'position' | 'elementId'>,
  dialect: Dialect,
): BulkTransactionObservation {
  return { ...place, ...redactAmounts(toStatusObservation(answer, true, dialect)) }
}

/** The status of a partly accepted bulk, by the reported and stored statuses of its payments. */
export function toPartialBulkObservation(
  answer: PaymentStatus,
  known: readonly KnownBulkTransaction[],
  elements: readonly BulkTransactionObservation[] | null,
): BulkObservation {
  const bankStatus = answer.transactionStatus
  const text = bankReasonOf(answer)
  if (elements === null) {
    const both = text === null ? UNKNOWN_TRANSACTIONS_MESSAGE : `${UNKNOWN_TRANSACTIONS_MESSAGE}: ${text}`
    return redactAmounts({ status: 'InProgress', statusReason: null, statusReasonText: both, bankStatus })
  }
  const reportedByPosition = new Map(elements.map((element) => [element.position, element]))
  const statuses = new Set(known.map(({ status }, position) => reportedByPosition.get(position)?.status ?? status))
  const status = statuses.has(null) && !statuses.has('CustomerActionRequired') ? 'InProgress' : firstOf(statuses)
  const { statusReason = null } = elements.find((element) => element.status === status) ?? {}
  const reason = status === 'CustomerActionRequired' ? statusReason : null
  return { ...redactAmounts({ status, statusReason: reason, statusReasonText: text, bankStatus }), elements }
}

function firstOf(statuses: ReadonlySet<PaymentStatusValue | null>): StatusObservation['status'] {
  return [...OPEN_FIRST, ...FINAL_FIRST].find((status) => statuses.has(status)) ?? 'InProgress'
}

/** Whether no further status is expected. */
export function isFinalTransaction({ status }: Pick<KnownBulkTransaction, 'status'>): boolean {
  return status !== null && FINAL_FIRST.includes(status)
}

/**
 * The payments that a bank lists, by position: matched by the bank's id, else by ours, else by the index in the list if
 * the list is complete.
 */
export function matchTransactions(
  listed: readonly ListedTransaction[],
  known: readonly KnownBulkTransaction[],
  dialect: Dialect,
): ReadonlyMap<number, ListedTransaction> {
  const byElementId = positionsByUniqueId(known.map(({ elementId }) => elementId))
  const byEndToEndId = positionsByUniqueId(known.map(({ endToEndId }) => endToEndIdFor(endToEndId, dialect)))
  const unique = positionsByUniqueId(listed.map(({ paymentId }) => statedText(paymentId)))
  const isWhole = listed.length === known.length
  const submitted = listed.map((element, index): readonly [number | undefined, ListedTransaction] => {
    const { paymentId = '' } = element
    const shown = statedText(element.endToEndIdentification)
    const isNamed = dialect.endToEndIdMax !== null && shown !== null
    const named = isNamed ? byEndToEndId.get(shown) : isWhole ? index : undefined
    const byOwnId = unique.has(paymentId) ? byElementId.get(paymentId) : undefined
    return [byOwnId ?? named, element]
  })
  const places = new Map<number, ListedTransaction>()
  for (const [position, element] of submitted) {
    if (position !== undefined && !places.has(position)) {
      places.set(position, element)
    }
  }
  return places
}

/** An id that is given twice identifies nothing. */
function positionsByUniqueId(ids: readonly (string | null)[]): ReadonlyMap<string, number> {
  const positions = Map.groupBy(ids.keys(), (position) => ids[position] ?? '')
  return new Map(
    [...positions].flatMap(([id, [first, ...others]]) =>
      id === '' || first === undefined || others.length > 0 ? [] : [[id, first]],
    ),
  )
}
