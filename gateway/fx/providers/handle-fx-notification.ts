/** Handles a provider's notification: reads the resource that it names, because its content is not trusted. */
import type { Context } from '../../context.ts'
import { isId } from '../../platform/ids.ts'
import { makeNotifiedDealDue } from '../deals/deal-transition-store.ts'
import { makeNotifiedReturnDue } from '../funding/inbound-funds-store.ts'
import { recordInboundFunds } from '../funding/record-inbound-funds.ts'
import type { ReceivedNotification } from './provider-notification.ts'
import { tryProviderCall } from './provider-retry.ts'

/** Returns false for a notification with an invalid signature or about an unknown resource. Sweeps do the rest. */
export async function handleFxNotification(context: Context, arrived: ReceivedNotification): Promise<boolean> {
  const { fx, database, clock } = context
  const notification = fx?.parseNotification(arrived) ?? null
  if (fx === null || notification === null) {
    return false
  }
  const now = clock.now()
  if (notification.about === 'receipt') {
    const read = await tryProviderCall(() => fx.readInboundFunds(notification.id))
    if ('error' in read) {
      // The next poll for inbound funds finds it.
      return read.error.kind !== 'unknown-resource'
    }
    await recordInboundFunds(context, fx.name, read.done)
  } else if (notification.requestId !== null && isId(notification.requestId)) {
    await makeNotifiedDealDue(database, notification.requestId, now)
    await makeNotifiedReturnDue(database, notification.requestId, now)
  }
  return true
}
