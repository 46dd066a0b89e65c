/** `havn webhooks`: whom partners have us tell of what, what became of it, and telling it again. */
import { WebhookDeliveryStatus } from '../../contract/webhooks/webhook-deliveries.ts'
import { requirePartner, showPartners } from '../../gateway/auth/list-partners.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { readAskedTime } from '../../gateway/platform/http/parse-time-parameter.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { readLog } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { replayEvents } from '../../gateway/webhooks/events/replay-events.ts'
import { showSubscriptions } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** What an operator types to have events delivered again. */
export type ReplayTyped = {
  readonly since: string
  readonly partner?: string
  readonly subscription?: string
  readonly dryRun?: boolean
}

/** What an operator types to see deliveries. */
export type LogTyped = { readonly status?: string; readonly limit: string }

/** More would not fit a screen, or a pipe's reader. */
const PRINTED_MAX = 500

/** Prints a partner's subscriptions. */
export async function printSubscriptions(surroundings: Surroundings, nameOrId: string): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const subscriptions = await showSubscriptions(surroundings, { partnerId: partner.id })
  const rows = subscriptions.map(({ id, enabled, targetUrl, eventTypes, hasBearerToken }) => [
    id,
    enabled ? 'enabled' : 'disabled',
    hasBearerToken ? 'bearer token' : '-',
    eventTypes.join(','),
    targetUrl,
  ])
  const headings = ['subscription', 'state', 'carries', 'types', 'address']
  console.log(tableOf(headings, rows, `${partner.name} has no webhook subscription.`))
}

/** Prints the newest deliveries of a subscription. */
export async function printDeliveries(
  surroundings: Surroundings,
  [nameOrId, subscriptionId]: readonly [partner: string, subscription: string],
  { status, limit }: LogTyped,
): Promise<void> {
  const partner = await requirePartner(surroundings, nameOrId)
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > PRINTED_MAX) {
    throw new Error(`--limit must be between 1 and ${PRINTED_MAX}, not ${limit}`)
  }
  const narrowed = status === undefined ? {} : { status: statusOf(status) }
  const key = { partnerId: partner.id, id: idOf(subscriptionId) }
  const deliveries = await readLog(surroundings, key, narrowed, count)
  const rows = deliveries.map(
    ({ id, createdAt, eventType, status: became, attemptsMade, nextAttemptAt, lastError }) => [
      id,
      createdAt,
      eventType,
      became,
      String(attemptsMade),
      nextAttemptAt ?? '-',
      lastError ?? '-',
    ],
  )
  const headings = ['delivery', 'queued', 'type', 'status', 'attempts', 'next', 'error']
  console.log(tableOf(headings, rows, 'There is no such delivery.'))
}

/** Queues past events anew, or says how many there would be. */
export async function replayTyped(surroundings: Surroundings, actor: string, typed: ReplayTyped): Promise<void> {
  const since = readAskedTime(typed.since, 'UTC')
  if (since === undefined) {
    throw new Error(`--since must be a day or an instant, such as 2026-11-23T09:00:00Z, not ${typed.since}`)
  }
  if (typed.subscription !== undefined && typed.partner === undefined) {
    throw new Error('Say with --partner whose subscription it is')
  }
  // The sandbox may have moved business time.
  await readClock(surroundings.database, surroundings.clock)
  const partner = typed.partner === undefined ? undefined : await requirePartner(surroundings, typed.partner)
  const dryRun = typed.dryRun === true
  const replayed = await replayEvents(surroundings, actor, {
    since,
    dryRun,
    ...(partner === undefined ? {} : { partnerId: partner.id }),
    ...(typed.subscription === undefined ? {} : { subscriptionId: idOf(typed.subscription) }),
  })
  const names = new Map((await showPartners(surroundings)).map(({ partner: { id, name } }) => [id, name]))
  for (const { partnerId, events, deliveries } of replayed) {
    const verb = dryRun ? 'would be queued' : 'queued'
    console.log(`${names.get(partnerId) ?? partnerId}: ${deliveries} deliveries ${verb}, of ${events} events.`)
  }
  if (replayed.length === 0) {
    console.log('No partner has an enabled subscription.')
  }
}

function idOf(text: string): string {
  if (!isId(text)) {
    throw new Error(`${text} is no id of a subscription; havn webhooks list prints them`)
  }
  return text
}

function statusOf(text: string): WebhookDeliveryStatus {
  const found = WebhookDeliveryStatus.enum.find((status) => status.toLowerCase() === text.toLowerCase())
  if (found === undefined) {
    throw new Error(`--status must be one of ${WebhookDeliveryStatus.enum.join(', ')}, not ${text}`)
  }
  return found
}
