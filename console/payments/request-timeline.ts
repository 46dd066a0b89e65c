/** The request that ordered a payment in its story. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import type { PartnerPayment } from '../../gateway/orders/payment.ts'
import { findRequestThatCreated } from '../../gateway/request-log/find-requests.ts'
import { formatMilliseconds } from '../markup/format-time.ts'
import type { TimelineEntry } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Empty when the request is not in the log any more; linked for developers, who may open it. */
export async function requestEntries(
  context: Context,
  payment: PartnerPayment,
  { deliveries: isDeveloper }: { readonly deliveries: boolean },
): Promise<readonly TimelineEntry[]> {
  const request = await findRequestThatCreated(context, payment)
  if (request === undefined) {
    return []
  }
  const text = consoleText('timeline.request', { duration: formatMilliseconds(request.milliseconds) })
  const title = isDeveloper ? html`<a href="/console/requests/${request.id}">${text}</a>` : html`${text}`
  return [{ at: payment.createdAt, title, details: [] }]
}
