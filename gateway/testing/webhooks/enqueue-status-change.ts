/** Enqueues status changes of payments that do not exist, for tests of webhooks. */
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { enqueueEvent } from '../../webhooks/events/enqueue-event.ts'
import type { StatusChange } from '../../webhooks/store/event.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

export async function demoPartnerId({ context }: Pick<TestGateway, 'context'>): Promise<string> {
  const { rows } = await context.database.pool.query<{ id: string }>(
    `select partner_id as id from clients where client_id = 'demo-partner'`,
  )
  return rows[0]?.id ?? ''
}

/** Enqueues a status change in a separate transaction. */
export async function enqueueStatusChange(
  { context }: Pick<TestGateway, 'context'>,
  partnerId: string,
  status: PaymentStatusValue = 'InProgress',
  changes: Partial<StatusChange> = {},
): Promise<StatusChange> {
  const change = { ...statusChange(context, partnerId, status), ...changes }
  await inTransaction(context, (context) => enqueueEvent(context, context.database, change))
  return change
}

/** Enqueues so many of them, each of another payment, in one transaction. */
export async function enqueueStatusChanges(
  { context }: Pick<TestGateway, 'context'>,
  partnerId: string,
  count: number,
): Promise<readonly StatusChange[]> {
  const changes = Array.from({ length: count }, () => statusChange(context, partnerId, 'InProgress'))
  await inTransaction(context, async (context) => {
    for (const change of changes) {
      await enqueueEvent(context, context.database, change)
    }
  })
  return changes
}

function statusChange({ clock }: TestGateway['context'], partnerId: string, status: PaymentStatusValue): StatusChange {
  return {
    partnerId,
    paymentId: newId(),
    previousStatus: 'Unsigned',
    status,
    statusReason: null,
    statusReasonText: null,
    occurredAt: clock.now(),
    occurrence: nextOccurrence(),
  }
}

let occurrences = 0

/** These payments have no history, so that the process counts for all of them. */
function nextOccurrence(): number {
  occurrences += 1
  return occurrences
}
