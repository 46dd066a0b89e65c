/** `havn webhooks`: lists subscriptions and deliveries, and replays events. */

import type { Command } from 'commander'
import { WebhookDeliveryStatus } from '../../contract/webhooks/webhook-deliveries.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import { parseEndParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import { listRecentDeliveries } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { replayEvents } from '../../gateway/webhooks/events/replay-events.ts'
import { listWebhookSubscriptions } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import type { Table } from './print-table.ts'
import { type Given, operatorAction, partnerArgument, tableCommand } from './run-operator-command.ts'
import { typedChoice, typedId, typedTime } from './typed-values.ts'

type ReplayOptions = {
  readonly since: string
  readonly until?: string
  readonly partner?: string
  readonly subscription?: string
  readonly dryRun?: boolean
}

type DeliveryLogOptions = { readonly status?: string; readonly limit: string }

/** Maximum number of deliveries in a list. */
const PRINTED_MAX = 500

async function subscriptionTable({ context }: Given, nameOrId: string): Promise<Table> {
  const partner = await requirePartner(context, nameOrId)
  const subscriptions = await listWebhookSubscriptions(context, { partnerId: partner.id })
  const rows = subscriptions.map(({ id, enabled, paused, targetUrl, eventTypes, hasBearerToken }) => ({
    subscription: id,
    state: enabled ? (paused ? 'paused' : 'enabled') : 'disabled',
    carries: hasBearerToken ? 'bearer token' : null,
    types: { value: eventTypes, shown: eventTypes.join(',') },
    address: targetUrl,
  }))
  return { rows, whenEmpty: `${partner.name} has no webhook subscription.` }
}

async function deliveryTable(
  { context }: Given,
  nameOrId: string,
  subscriptionId: string,
  { status, limit }: DeliveryLogOptions,
): Promise<Table> {
  const partner = await requirePartner(context, nameOrId)
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > PRINTED_MAX) {
    throw new Error(`--limit must be between 1 and ${PRINTED_MAX}, not ${limit}`)
  }
  const narrowed = status === undefined ? {} : { status: typedChoice('--status', status, WebhookDeliveryStatus.enum) }
  const key = { partnerId: partner.id, id: idOf(subscriptionId) }
  const rows = (await listRecentDeliveries(context, key, narrowed, count)).map((delivery) => ({
    delivery: delivery.id,
    queued: delivery.createdAt,
    type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attemptsMade,
    next: delivery.nextAttemptAt ?? null,
    error: delivery.lastError ?? null,
  }))
  return { rows, whenEmpty: 'No deliveries.' }
}

/** Enqueues past events again, or prints their number. */
async function replay({ context, actor }: Given, typed: ReplayOptions): Promise<void> {
  const window = windowOf(typed)
  if (typed.subscription !== undefined && typed.partner === undefined) {
    throw new Error('--subscription requires --partner')
  }
  const partner = typed.partner === undefined ? undefined : await requirePartner(context, typed.partner)
  const dryRun = typed.dryRun === true
  const replayed = await replayEvents(context, actor, {
    ...window,
    dryRun,
    ...(partner === undefined ? {} : { partnerId: partner.id }),
    ...(typed.subscription === undefined ? {} : { subscriptionId: idOf(typed.subscription) }),
  })
  const names = new Map((await listPartnersWithClients(context)).map(({ partner: { id, name } }) => [id, name]))
  for (const { partnerId, events, deliveries } of replayed) {
    const verb = dryRun ? 'would be queued' : 'queued'
    console.log(`${names.get(partnerId) ?? partnerId}: ${deliveries} deliveries ${verb}, of ${events} events.`)
  }
  if (replayed.length === 0) {
    console.log('No partner has an enabled subscription.')
  }
}

function windowOf({ since: from, until: to }: ReplayOptions) {
  const since = typedTime('--since', from)
  const until = to === undefined ? undefined : typedTime('--until', to, parseEndParameter)
  if (until !== undefined && Temporal.Instant.compare(since, until) >= 0) {
    throw new Error('--until must be after --since')
  }
  return { since, until }
}

function idOf(text: string): string {
  return typedId(text, 'a subscription id', 'havn webhooks list')
}

export function addWebhookCommands(group: Command): void {
  const list = group.command('list').description("print a partner's subscriptions")
  tableCommand(list.addArgument(partnerArgument()), subscriptionTable)
  const deliveries = group
    .command('deliveries')
    .description('print the newest deliveries of a subscription')
    .addArgument(partnerArgument())
    .argument('<subscription>', 'its id, as printed by `havn webhooks list`')
    .option('--status <status>', 'filter by status: queued, delivered, failed or refused')
    .option('--limit <count>', 'how many', '50')
  tableCommand(deliveries, deliveryTable)
  group
    .command('replay')
    .description('replay past events to the subscriptions that select them now')
    .requiredOption('--since <time>', 'a date or timestamp: events that occurred then or later')
    .option('--until <time>', 'events that occurred before this time; a date is included')
    .option('--partner <partner>', 'only those of this partner, by name or id')
    .option('--subscription <id>', 'only to this subscription of the partner')
    .option('--dry-run', 'print the number of deliveries without queuing them')
    .addHelpText(
      'after',
      '\nReceivers see each event again under its id, in a new delivery. Recorded in the audit log.',
    )
    .action(operatorAction(replay))
}
