/** Handles a bank's notification about an SCA session: it only brings the next poll forward. */
import type { Context } from '../context.ts'
import { NOTIFICATION_INTERVAL } from '../platform/http/notification-endpoint.ts'
import { hashToken, isId } from '../platform/ids.ts'
import type { ScaSessionUrlParams } from './find-sca-sessions.ts'
import type { ScaSubjects } from './sca-session.ts'
import { recordBankNotified } from './store/callback-store.ts'

/**
 * The response does not reveal whether the URI is known. Banks send later statuses of an order to the newest
 * notification URI, that of its last authorisation: once that has ended, the order is read.
 */
export async function handleBankNotification(
  context: Context,
  subjects: ScaSubjects,
  { partnerId, scaSessionId, token }: ScaSessionUrlParams,
): Promise<void> {
  if (!isId(partnerId) || !isId(scaSessionId)) {
    return
  }
  const at = context.clock.real()
  const times = { dueAt: context.clock.now(), at, quietSince: at.subtract(NOTIFICATION_INTERVAL) }
  const key = { partnerId, id: scaSessionId }
  const notified = await recordBankNotified(context.database, key, hashToken(token), times)
  if (notified?.status === 'ended') {
    await subjects[notified.kind].notified?.(context, notified)
  }
}
