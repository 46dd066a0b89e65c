/** Handles a bank's notification about an SCA session: it only brings the next poll forward. */
import type { Context } from '../context.ts'
import { NOTIFICATION_INTERVAL } from '../platform/http/notification-endpoint.ts'
import { findScaSessionByNotification, type ScaSessionUrlParams } from './find-sca-session-by-token.ts'
import type { ScaSubjects } from './sca-session.ts'
import { expediteScaSessionPoll } from './store/sca-session-poll-store.ts'

/**
 * The response does not reveal whether the URI is known. Banks send later statuses of an order to the newest
 * notification URI, that of its last authorisation: once that has ended, the order is read.
 */
export async function handleBankNotification(
  context: Context,
  subjects: ScaSubjects,
  address: ScaSessionUrlParams,
): Promise<void> {
  const found = await findScaSessionByNotification(context, address)
  if (found === undefined) {
    return
  }
  const { session, step } = found
  if (session.status === 'ended') {
    await subjects[session.kind].notified?.(context, session, step)
    return
  }
  const at = context.clock.real()
  await expediteScaSessionPoll(context.database, session, {
    dueAt: context.clock.now(),
    at,
    quietSince: at.subtract(NOTIFICATION_INTERVAL),
  })
}
