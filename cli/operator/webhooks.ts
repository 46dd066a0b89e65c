/** `havn webhooks`: lists subscriptions and deliveries, and replays events. */

import type { Command } from 'commander'
import { WebhookDeliveryStatus } from '../../contract/webhooks/webhook-deliveries.ts'
import { listPartnersWithClients, requirePartner } from '../../gateway/auth/list-partners.ts'
import { parseEndParameter, parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { listRecentDeliveries } from '../../gateway/webhooks/deliveries/list-webhook-deliveries.ts'
import { replayEvents } from '../../gateway/webhooks/events/replay-events.ts'
import { listWebhookSubscriptions } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { printTable, type TableOptions } from './print-table.ts'
import { jsonOption, operatorAction, partnerArgument } from './run-operator-command.ts'
import { typedId } from './typed-id.ts'

type ReplayOptions = {
  readonly since: string
  readonly until?: string
  readonly partner?: string
  readonly subscription?: string
  readonly dryRun?: boolean
}

type DeliveryLogOptions = TableOptions & { readonly status?: string; readonly limit: string }

/** Maximum number of deliveries in a list. */
const PRINTED_MAX = 500

async function printSubscriptions(context: ProgramContext, nameOrId: string, options: TableOptions): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  const subscriptions = await listWebhookSubscriptions(context, { partnerId: partner.id })
  const rows = subscriptions.map(({ id, enabled, paused, targetUrl, eventTypes, hasBearerToken }) => [
    id,
    enabled ? (paused ? 'paused' : 'enabled') : 'disabled',
    hasBearerToken ? 'bearer token' : null,
    { value: eventTypes, shown: eventTypes.join(',') },
    targetUrl,
  ])
  const headings = ['subscription', 'state', 'carries', 'types', 'address']
  printTable({ headings, rows, whenEmpty: `${partner.name} has no webhook subscription.` }, options)
}

async function printDeliveries(
  context: ProgramContext,
  nameOrId: string,
  subscriptionId: string,
  { status, limit, ...options }: DeliveryLogOptions,
): Promise<void> {
  const partner = await requirePartner(context, nameOrId)
  const count = /^\d{1,4}$/.test(limit) ? Number(limit) : 0
  if (count < 1 || count > PRINTED_MAX) {
    throw new Error(`--limit must be between 1 and ${PRINTED_MAX}, not ${limit}`)
  }
  const narrowed = status === undefined ? {} : { status: statusOf(status) }
  const key = { partnerId: partner.id, id: idOf(subscriptionId) }
  const deliveries = await listRecentDeliveries(context, key, narrowed, count)
  const rows = deliveries.map(
    ({ id, createdAt, eventType, status: became, attemptsMade, nextAttemptAt, lastError }) => [
      id,
      createdAt,
      eventType,
      became,
      attemptsMade,
      nextAttemptAt ?? null,
      lastError ?? null,
    ],
  )
  const headings = ['delivery', 'queued', 'type', 'status', 'attempts', 'next', 'error']
  printTable({ headings, rows, whenEmpty: 'No deliveries.' }, options)
}

/** Enqueues past events again, or prints their number. */
async function replay(context: ProgramContext, actor: string, typed: ReplayOptions): Promise<void> {
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
  const since = parseTimeParameter(from, 'UTC')
  const until = to === undefined ? undefined : parseEndParameter(to, 'UTC')
  const wrong = since === undefined ? ['since', from] : to !== undefined && until === undefined ? ['until', to] : []
  if (since === undefined || wrong.length > 0) {
    throw new Error(`--${wrong[0]} must be a day or an instant, such as 2026-11-23T09:00:00Z, not ${wrong[1]}`)
  }
  if (until !== undefined && Temporal.Instant.compare(since, until) >= 0) {
    throw new Error('--until must be after --since')
  }
  return { since, until }
}

function idOf(text: string): string {
  return typedId(text, 'a subscription id', 'havn webhooks list')
}

function statusOf(text: string): WebhookDeliveryStatus {
  const found = WebhookDeliveryStatus.enum.find((status) => status.toLowerCase() === text.toLowerCase())
  if (found === undefined) {
    throw new Error(`--status must be one of ${WebhookDeliveryStatus.enum.join(', ')}, not ${text}`)
  }
  return found
}

export function addWebhookCommands(group: Command): void {
  group
    .command('list')
    .description("print a partner's subscriptions")
    .addArgument(partnerArgument())
    .addOption(jsonOption())
    .action(
      operatorAction(({ context }, partner: string, options: TableOptions) =>
        printSubscriptions(context, partner, options),
      ),
    )
  group
    .command('deliveries')
    .description('print the newest deliveries of a subscription')
    .addArgument(partnerArgument())
    .argument('<subscription>', 'its id, as printed by `havn webhooks list`')
    .option('--status <status>', 'filter by status: queued, delivered, failed or refused')
    .option('--limit <count>', 'how many', '50')
    .addOption(jsonOption())
    .action(
      operatorAction(({ context }, partner: string, subscription: string, typed: DeliveryLogOptions) =>
        printDeliveries(context, partner, subscription, typed),
      ),
    )
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
      '\nReceivers see each event again under its id, in a new delivery. Recorded in ' + 'the audit log.',
    )
    .action(operatorAction(({ context, actor }, typed: ReplayOptions) => replay(context, actor, typed)))
}
