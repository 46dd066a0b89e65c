/** Lists a partner's events after a position, independent of subscriptions. */
import type { QueryOf, ResponseOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import { eventFamilies } from '../../../contract/webhooks/event-types.ts'
import { ALL_FAMILIES, WEBHOOK_PAGE } from '../../../contract/webhooks/webhook-deliveries.ts'
import { ALL_PAYMENT_EVENTS } from '../../../contract/webhooks/webhook-subscriptions.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import { listEvents } from '../store/event-store.ts'

type ListEvents = typeof operations.listWebhookEvents

/** A page, oldest first. Positions become visible in order, so that only deleted events can be missed. */
export async function listWebhookEvents(
  context: Context,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  { after, limit = WEBHOOK_PAGE.default, family = ALL_PAYMENT_EVENTS }: QueryOf<ListEvents>,
): Promise<ResponseOf<ListEvents>> {
  const from = BigInt(after ?? '0')
  const types = family === ALL_FAMILIES ? {} : { types: eventFamilies[family] }
  const { events, deletedUpTo, newest } = await listEvents(context.database, partnerId, {
    after: from,
    limit,
    ...types,
  })
  const last = events.length < limit ? newest : (events.at(-1)?.position ?? newest)
  return {
    // Bodies were written by the contract that this response has.
    events: events.map(({ body }) => JSON.parse(body)),
    // Nothing up to the newest position is left to read, so that events of other families are not scanned again.
    nextAfter: String(from > last ? from : last),
    // A reader that starts from the beginning has missed nothing.
    missed: after !== undefined && from < deletedUpTo,
  }
}
