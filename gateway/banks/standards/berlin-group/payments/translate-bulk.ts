/** Translates what a bank tells of the payments in a bulk, and draws from it how the bulk stands. */
import type { PaymentStatusValue } from '../../../../../contract/shapes.ts'
import type { BulkObservation, ElementObservation, KnownElement } from '../../../bulk-order.ts'
import type { StatusObservation } from '../../../connector/order-at-bank.ts'
import type { Dialect } from '../dialect.ts'
import { observe, remarkOf, standardWord } from '../translate-status.ts'
import type { PaymentStatus } from '../wire.ts'
import { endToEndIdFor } from './order-body.ts'
import { withoutAmounts } from './redact-bulk-texts.ts'
import type { ListedElement } from './wire-bulk.ts'

/** ISO 20022: stands where nobody gave an end-to-end id. */
const NO_END_TO_END_ID = 'NOTPROVIDED'

const UNTOLD = 'The bank carries out a part of these payments, and does not tell which'

/** While one of these is among the payments of a bulk, it is open; the first is told, as that which people can act upon. */
const OPEN_FIRST: readonly PaymentStatusValue[] = ['CustomerActionRequired', 'Unsigned', 'InProgress']
const FINAL_FIRST: readonly PaymentStatusValue[] = ['Completed', 'Rejected', 'Cancelled']

/** Whether the bank took or carried out a part of a bulk: said only once all have signed (API, `PART`). */
export function isInParts({ transactionStatus }: PaymentStatus, dialect: Dialect): boolean {
  return standardWord(transactionStatus, dialect) === 'PART'
}

/** How a payment of such a bulk stands. */
export function observeElement(
  answer: PaymentStatus,
  place: Pick<ElementObservation, 'position' | 'elementId'>,
  dialect: Dialect,
): ElementObservation {
  return { ...place, ...withoutAmounts(observe(answer, true, dialect)) }
}

/** How a bulk in parts stands, by what is told of its payments now and was known of the others. */
export function observeInParts(
  answer: PaymentStatus,
  known: readonly KnownElement[],
  elements: readonly ElementObservation[] | null,
): BulkObservation {
  const bankStatus = answer.transactionStatus
  const text = remarkOf(answer)
  if (elements === null) {
    const both = text === null ? UNTOLD : `${UNTOLD}: ${text}`
    return withoutAmounts({ status: 'InProgress', statusReason: null, statusReasonText: both, bankStatus })
  }
  const toldByPosition = new Map(elements.map((element) => [element.position, element]))
  const statuses = new Set(known.map(({ status }, position) => toldByPosition.get(position)?.status ?? status))
  const status = statuses.has(null) && !statuses.has('CustomerActionRequired') ? 'InProgress' : firstOf(statuses)
  const { statusReason = null } = elements.find((element) => element.status === status) ?? {}
  const reason = status === 'CustomerActionRequired' ? statusReason : null
  return { ...withoutAmounts({ status, statusReason: reason, statusReasonText: text, bankStatus }), elements }
}

function firstOf(statuses: ReadonlySet<PaymentStatusValue | null>): StatusObservation['status'] {
  return [...OPEN_FIRST, ...FINAL_FIRST].find((status) => statuses.has(status)) ?? 'InProgress'
}

/** Whether nothing more is expected of it. */
export function isOver({ status }: Pick<KnownElement, 'status'>): boolean {
  return status !== null && FINAL_FIRST.includes(status)
}

/**
 * Which payments a bank lists, by position. The bank's own id tells it, else ours; where neither does, the place in the
 * list, as long as the list is whole.
 */
export function placesOf(
  listed: readonly ListedElement[],
  known: readonly KnownElement[],
  dialect: Dialect,
): ReadonlyMap<number, ListedElement> {
  const byElementId = new Map(known.map(({ elementId }, position) => [elementId, position]))
  const byEndToEndId = new Map(known.map(({ endToEndId }, position) => [endToEndIdFor(endToEndId, dialect), position]))
  const isWhole = listed.length === known.length
  const placed = listed.map((element, index): readonly [number | undefined, ListedElement] => {
    const { paymentId = '', endToEndIdentification: shown = NO_END_TO_END_ID } = element
    const isNamed = dialect.endToEndIdMax !== null && shown !== NO_END_TO_END_ID
    const named = isNamed ? byEndToEndId.get(shown) : isWhole ? index : undefined
    return [byElementId.get(paymentId) ?? named, element]
  })
  const places = new Map<number, ListedElement>()
  for (const [position, element] of placed) {
    if (position !== undefined && !places.has(position)) {
      places.set(position, element)
    }
  }
  return places
}
