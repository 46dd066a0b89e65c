/** Reports what changed in a payroll as events: ids and statuses, never names, accounts or amounts. */
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { payrollEventTypes, payrollTransactionEventTypes } from '../../../contract/webhooks/event-types.ts'
import { TRANSACTIONS_PER_EVENT_MAX } from '../../../contract/webhooks/webhook-events.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import {
  type EventSelection,
  enqueueSelectedEvents,
  findEventSelection,
} from '../../webhooks/events/enqueue-selected-events.ts'
import type { ReportedChange } from '../../webhooks/events/event.ts'
import type { PayrollKey } from '../payroll-order.ts'
import {
  type PayrollStatusChange,
  recordAnnouncedStatuses,
  type TransactionStatusChange,
} from '../store/payroll-status-store.ts'

/** Must be called last in the transaction that changed the status of the payroll or of its transactions. */
export async function announcePayrollChanges(
  transaction: Queryable,
  key: PayrollKey,
  at: Temporal.Instant,
  change: PayrollStatusChange,
): Promise<void> {
  const { partnerId, payrollId } = key
  const selects = await findEventSelection(transaction, partnerId)
  const transactions = selectsTransactions(selects) ? await recordAnnouncedStatuses(transaction, key) : []
  const changes = [...changesOfTransactions(payrollId, transactions), ...changeOfPayroll(payrollId, change)]
  await enqueueSelectedEvents(transaction, { partnerId, at, selects }, changes)
}

function selectsTransactions(selects: EventSelection): boolean {
  return Object.values(payrollTransactionEventTypes).some((type) => selects(type))
}

function changeOfPayroll(payrollId: string, { previousStatus, status }: PayrollStatusChange): ReportedChange[] {
  const data = { payrollId, previousStatus, status }
  return status === previousStatus ? [] : [{ type: payrollEventTypes[status], subjectId: payrollId, data }]
}

/** One event for each status, or several if many transactions have changed to it. */
function changesOfTransactions(payrollId: string, changed: readonly TransactionStatusChange[]): ReportedChange[] {
  const byStatus = Map.groupBy(changed, ({ status }) => status)
  return [...byStatus].flatMap(([status, group]) =>
    Array.from({ length: Math.ceil(group.length / TRANSACTIONS_PER_EVENT_MAX) }, (_, page) => {
      const first = page * TRANSACTIONS_PER_EVENT_MAX
      return changeOfTransactions(payrollId, status, group.slice(first, first + TRANSACTIONS_PER_EVENT_MAX))
    }),
  )
}

function changeOfTransactions(
  payrollId: string,
  status: PaymentStatusValue,
  changed: readonly TransactionStatusChange[],
): ReportedChange {
  const transactions = changed.map(({ position, previousStatus, statusReason }) => {
    return { position, previousStatus, statusReason }
  })
  const data = { payrollId, status, transactions }
  return { type: payrollTransactionEventTypes[status], subjectId: payrollId, data }
}
