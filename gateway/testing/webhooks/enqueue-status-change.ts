/** Announces changes of payments that are nobody's, for tests of what becomes of events. */
import type { PaymentStatusValue } from '../../../contract/shapes.ts'
import { atomically } from '../../platform/database/in-transaction.ts'
import { newId } from '../../platform/ids.ts'
import { announce } from '../../webhooks/announce.ts'
import type { StatusChange } from '../../webhooks/events/event.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'

/** The partner whose client a whole gateway has. */
export async function demoPartnerId({ context }: Pick<WholeGateway, 'context'>): Promise<string> {
  const { rows } = await context.database.pool.query<{ id: string }>(
    `select partner_id as id from clients where client_id = 'demo-partner'`,
  )
  return rows[0]?.id ?? ''
}

/** Announces a change in a transaction of its own. */
export async function announceChange(
  { context }: Pick<WholeGateway, 'context'>,
  partnerId: string,
  status: PaymentStatusValue = 'InProgress',
  changes: Partial<StatusChange> = {},
): Promise<StatusChange> {
  const change: StatusChange = {
    partnerId,
    paymentId: newId(),
    previousStatus: 'Unsigned',
    status,
    statusReason: null,
    statusReasonText: null,
    occurredAt: context.clock.now(),
    ...changes,
  }
  await atomically(context.database, (transaction) => announce(context, transaction, change))
  return change
}
