/** Tells what a report makes of an order and its payouts, together with what was known of them before. */
import type { PaymentStatusValue } from '../../../contract/shapes.ts'
import type { BulkObservation, ElementObservation, KnownElement } from '../../banks/bulk-order.ts'
import type { StatusObservation } from '../../banks/connector/order-at-bank.ts'
import type { FileReport, PaymentReported } from '../../banks/file-product.ts'
import { isFinalValue } from '../../orders/payment.ts'

/** What is known before a report is read. */
export type BeforeReport = {
  readonly order: StatusObservation
  /** By position, all of them. */
  readonly elements: readonly KnownElement[]
  /** Whether a newer report was taken already. */
  readonly isLate: boolean
}

/**
 * A report on the whole speaks for every payout that has not ended by itself, and one on payouts for those that it names.
 * One that comes late says nothing but how payouts ended of which nothing was told. Payouts that are not in the file
 * count as not named.
 */
export function standingOfReport(report: FileReport, before: BeforeReport): BulkObservation {
  const named = namedIn(report, before)
  const whole = before.isLate ? null : report.whole
  const speaks = whole ?? before.order
  const told = [...named.values(), ...(whole === null ? [] : followers(whole, before.elements, named))]
  const order = orderAfter(speaks, told, before)
  const elements = order.status === speaks.status ? told : [...told, ...silent(speaks, before.elements, named)]
  return { ...order, elements: elements.toSorted((one, other) => one.position - other.position) }
}

function namedIn(
  { payments }: FileReport,
  { elements, isLate }: BeforeReport,
): ReadonlyMap<number, ElementObservation> {
  const positionById = new Map(elements.map(({ endToEndId }, position) => [endToEndId, position]))
  const named = new Map<number, ElementObservation>()
  for (const { position: told, endToEndId, ...observation } of payments) {
    const position = placeOf({ position: told, endToEndId }, elements, positionById)
    const known = position === undefined ? undefined : elements[position]
    const says = !isLate || (known?.status === null && isFinal(observation.status))
    if (position !== undefined && known !== undefined && says) {
      named.set(position, { ...observation, position, elementId: known.elementId })
    }
  }
  return named
}

/** The payer's own id counts where both are told: numbers of ours may have been given anew on the way. */
function placeOf(
  { position, endToEndId }: Pick<PaymentReported, 'position' | 'endToEndId'>,
  elements: readonly KnownElement[],
  positionById: ReadonlyMap<string, number>,
): number | undefined {
  if (position !== null && elements[position] !== undefined) {
    const isSame = endToEndId === null || elements[position].endToEndId === endToEndId
    return isSame ? position : positionById.get(endToEndId)
  }
  return endToEndId === null ? undefined : positionById.get(endToEndId)
}

/** Payouts with an open status of their own, which the whole speaks for from now on. */
function followers(
  whole: StatusObservation,
  elements: readonly KnownElement[],
  named: ReadonlyMap<number, unknown>,
): readonly ElementObservation[] {
  return elements.flatMap(({ status, elementId }, position) =>
    status === null || whole.status === null || isFinal(status) || named.has(position)
      ? []
      : [{ ...whole, position, elementId }],
  )
}

/** Payouts without a status of their own, for which the order stands no longer as it did. */
function silent(
  whole: StatusObservation,
  elements: readonly KnownElement[],
  named: ReadonlyMap<number, unknown>,
): readonly ElementObservation[] {
  return elements.flatMap(({ status, elementId }, position) =>
    status === null && !named.has(position) ? [{ ...whole, position, elementId }] : [],
  )
}

/** The order is open while one of its payouts is; of those that have all ended, one that is paid counts most. */
function orderAfter(
  whole: StatusObservation,
  told: readonly ElementObservation[],
  { elements }: BeforeReport,
): StatusObservation {
  const now = new Map(told.map(({ position, status }) => [position, status]))
  const statuses = elements.map(({ status }, position) => now.get(position) ?? status ?? whole.status)
  const open = new Set(statuses.filter((status) => !isFinal(status)))
  if (open.has(whole.status)) {
    return whole
  }
  const [status = ENDS.find((end) => statuses.includes(end)) ?? whole.status] = open
  return status === whole.status
    ? whole
    : { status: open.size > 1 ? 'InProgress' : status, statusReason: null, statusReasonText: null, bankStatus: 'PART' }
}

const ENDS: readonly PaymentStatusValue[] = ['Completed', 'Rejected', 'Cancelled']

function isFinal(status: PaymentStatusValue | null): boolean {
  return status !== null && isFinalValue(status)
}
