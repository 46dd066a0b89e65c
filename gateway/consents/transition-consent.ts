/** Changes the status of a consent, with the event of the change; of several concurrent changes one succeeds. */
import { consentEventTypes } from '../../contract/webhooks/event-types.ts'
import type { Context } from '../context.ts'
import { formatTimestamp } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { enqueueSelectedEvents } from '../webhooks/events/enqueue-selected-events.ts'
import type { ReportedChange } from '../webhooks/store/event.ts'
import type { Consent } from './consent.ts'
import { type ConsentTransition, writeConsentTransition } from './consent-schedule-store.ts'

type TransitionedConsent = Pick<Consent, 'partnerId' | 'id' | 'status' | 'validUntil'>

/** `alongside` is done in the same transaction. Returns false when the stored status is another one. */
export async function transitionConsent(
  context: Context,
  consent: TransitionedConsent,
  change: ConsentTransition,
  alongside?: (context: Context) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(context, async (context) => {
    const isWritten = await writeConsentTransition(context.database, consent, change)
    if (isWritten) {
      await alongside?.(context)
      const origin = { partnerId: consent.partnerId, at: change.at }
      await enqueueSelectedEvents(context.database, origin, [changeOf(consent, change)])
    }
    return isWritten
  })
}

function changeOf(
  { id, status: previousStatus, validUntil }: TransitionedConsent,
  { status, statusReason, ...change }: ConsentTransition,
): ReportedChange {
  const until = formatTimestamp(change.validUntil ?? validUntil)
  const data = { consentId: id, previousStatus, status, statusReason: statusReason ?? null, validUntil: until }
  return { type: consentEventTypes[status], subjectId: id, data }
}
