/** Derives the new status of an order and its transactions from a bank report and their previous status. */
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type {
  BulkObservation,
  BulkTransactionObservation,
  KnownBulkTransaction,
  StatusObservation,
} from '../../banks/connector/bank-order.ts'
import type { FileReport, ReportedPayment } from '../../banks/connector/file-product.ts'
import { isFinalStatus } from '../payment.ts'

/** The state before a report is applied. */
export type StateBeforeReport = {
  readonly order: StatusObservation
  /** All transactions, by position. */
  readonly elements: readonly KnownBulkTransaction[]
  /** Whether a newer report was applied already. */
  readonly isLate: boolean
}

/**
 * An order status in the report applies to every transaction that has no final status of its own; a transaction status
 * applies to that transaction. A late report only adds final statuses to transactions without any. Transactions that are
 * not in the file are ignored.
 */
export function applyBankReport(report: FileReport, before: StateBeforeReport): BulkObservation {
  const named = reportedTransactions(report, before)
  const orderStatus = before.isLate ? null : report.whole
  const effective = orderStatus ?? before.order
  const withStatusOf = (order: StatusObservation, isAffected: (status: PaymentStatusValue | null) => boolean) =>
    before.elements.flatMap(({ status, elementId }, position) =>
      isAffected(status) && !named.has(position) ? [{ ...order, position, elementId }] : [],
    )
  // Transactions with an open status of their own follow the order from now on.
  const isFollowing = (status: PaymentStatusValue | null) => status !== null && !isFinal(status)
  const isOrderReported = orderStatus !== null && orderStatus.status !== null
  const reported = [...named.values(), ...(isOrderReported ? withStatusOf(orderStatus, isFollowing) : [])]
  const order = orderStatusAfter(effective, reported, before)
  // Those without a status of their own keep the reported one when the order gets another.
  const keeping = order.status === effective.status ? [] : withStatusOf(effective, (status) => status === null)
  const elements = [...reported, ...keeping]
  return { ...order, elements: elements.toSorted((one, other) => one.position - other.position) }
}

function reportedTransactions(
  { payments }: FileReport,
  { elements, isLate }: StateBeforeReport,
): ReadonlyMap<number, BulkTransactionObservation> {
  const positionById = new Map(elements.map(({ endToEndId }, position) => [endToEndId, position]))
  const named = new Map<number, BulkTransactionObservation>()
  for (const { position: reported, endToEndId, ...observation } of payments) {
    const position = positionInFile({ position: reported, endToEndId }, elements, positionById)
    const known = position === undefined ? undefined : elements[position]
    const isApplicable = !isLate || (known?.status === null && isFinal(observation.status))
    if (position !== undefined && known !== undefined && isApplicable) {
      named.set(position, { ...observation, position, elementId: known.elementId })
    }
  }
  return named
}

/** If the report has both, the end-to-end id decides: the bank may have renumbered the positions. */
function positionInFile(
  { position, endToEndId }: Pick<ReportedPayment, 'position' | 'endToEndId'>,
  elements: readonly KnownBulkTransaction[],
  positionById: ReadonlyMap<string, number>,
): number | undefined {
  if (position !== null && elements[position] !== undefined) {
    const isSame = endToEndId === null || elements[position].endToEndId === endToEndId
    return isSame ? position : positionById.get(endToEndId)
  }
  return endToEndId === null ? undefined : positionById.get(endToEndId)
}

/** The order is open while any transaction is. If all are final, `Completed` takes precedence. */
function orderStatusAfter(
  orderStatus: StatusObservation,
  reported: readonly BulkTransactionObservation[],
  { elements }: StateBeforeReport,
): StatusObservation {
  const now = new Map(reported.map(({ position, status }) => [position, status]))
  const statuses = elements.map(({ status }, position) => now.get(position) ?? status ?? orderStatus.status)
  const open = new Set(statuses.filter((status) => !isFinal(status)))
  if (open.has(orderStatus.status)) {
    return orderStatus
  }
  const [status = FINAL_PRECEDENCE.find((end) => statuses.includes(end)) ?? orderStatus.status] = open
  return status === orderStatus.status
    ? orderStatus
    : { status: open.size > 1 ? 'InProgress' : status, statusReason: null, statusReasonText: null, bankStatus: 'PART' }
}

const FINAL_PRECEDENCE: readonly PaymentStatusValue[] = ['Completed', 'Rejected', 'Cancelled']

function isFinal(status: PaymentStatusValue | null): boolean {
  return status !== null && isFinalStatus(status)
}
