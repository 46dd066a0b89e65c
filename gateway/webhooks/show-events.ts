/** Shows a partner its events from a position on, whatever it has subscribed to. */
import type { AnswerOf, QueryOf } from '../../contract/operation.ts'
import type { operations } from '../../contract/operations.ts'
import { WEBHOOK_PAGE } from '../../contract/webhooks/webhook-deliveries.ts'
import type { PartnerCaller } from '../auth/partner.ts'
import type { Context } from '../context.ts'
import { readEvents } from './events/read-events.ts'

type ListEvents = typeof operations.listWebhookEvents

/** A page, oldest first. Positions become visible in their order, so none is passed over but what is kept no more. */
export async function showEvents(
  context: Pick<Context, 'database'>,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  { after, limit = WEBHOOK_PAGE.default }: QueryOf<ListEvents>,
): Promise<AnswerOf<ListEvents>> {
  const from = BigInt(after ?? '0')
  const { events, forgottenTo } = await readEvents(context, partnerId, { after: from, limit })
  return {
    // Bodies were written by the same contract that this answer has.
    events: events.map(({ body }) => JSON.parse(body)),
    nextAfter: String(events.at(-1)?.position ?? (from > forgottenTo ? from : forgottenTo)),
    // Who begins has missed nothing.
    missed: after !== undefined && from < forgottenTo,
  }
}
