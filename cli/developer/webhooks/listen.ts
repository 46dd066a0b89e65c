/** `havn listen`: prints the deliveries of a subscription of its own, and forwards them to an address on this machine. */

import type { Command } from 'commander'
import { type EventFamily, eventFamilies } from '../../../contract/webhooks/event-types.ts'
import { WebhookSelection } from '../../../contract/webhooks/webhook-subscriptions.ts'
import { verifyWebhook, type WebhookEvent } from '../../../sdk/index.ts'
import { CommandError } from '../command-error.ts'
import { developerCommand, wholeNumber } from '../command-options.ts'
import { type Context, requireSandbox } from '../context.ts'
import { deliveriesOf, type InboxDelivery, withInboxSubscription } from './inbox-deliveries.ts'
import { endpointUrl, type Forwarded, forwardDelivery } from './post-delivery.ts'

export type ListenOptions = {
  readonly forward?: string
  readonly events?: readonly string[]
  readonly count?: number
}

const FORWARDING = 'havn listen --forward http://localhost:3000/webhooks'

/** Ends at Ctrl-C, or after `count` deliveries; its subscription ends with it. */
export async function listen(context: Context, options: ListenOptions): Promise<void> {
  const eventTypes = selectionOf(options.events)
  const target = options.forward === undefined ? undefined : endpointUrl(options.forward, '--forward', FORWARDING)
  const connection = await context.connect()
  requireSandbox(connection, 'havn listen')
  const { output } = context
  await withInboxSubscription(connection, eventTypes, async ({ id, signingSecret }) => {
    output.note(`Listening to ${eventTypes.join(', ')} until Ctrl-C. Subscription ${id}`)
    if (target !== undefined) {
      output.note(`Forwarding to ${target.href}. Its signing secret, for this time only: ${signingSecret}`)
    }
    let remaining = options.count ?? Number.POSITIVE_INFINITY
    for await (const delivery of deliveriesOf(context, connection, id)) {
      await report(context, delivery, { signingSecret, target })
      remaining -= 1
      if (remaining === 0) {
        return
      }
    }
  })
  output.note('The subscription is disabled')
}

function selectionOf(events: readonly string[] | undefined): WebhookSelection[] {
  const wanted = events ?? (Object.keys(eventFamilies) as EventFamily[])
  return wanted.map((name) => {
    const selected = WebhookSelection.enum.find((one) => one === name)
    if (selected === undefined) {
      throw new CommandError('invalid', `There is no event type ${JSON.stringify(name)}`, {
        next: `choose from ${WebhookSelection.enum.join(', ')}`,
      })
    }
    return selected
  })
}

async function report(
  { output }: Context,
  { receivedAt, eventType, headers, body }: InboxDelivery,
  { signingSecret, target }: { readonly signingSecret: string; readonly target: URL | undefined },
): Promise<void> {
  const checked = verifyWebhook(body, headers, signingSecret)
  const forwarded = target === undefined ? undefined : await forwardDelivery(target, { headers, body })
  const { verified } = checked
  const event = verified ? checked.event : undefined
  const reason = verified ? undefined : checked.reason
  output.result(
    { receivedAt, eventType, verified, reason, event, forwarded },
    [
      `${receivedAt}  ${eventType ?? 'no event type'}  ${verified ? 'verified' : `NOT VERIFIED: ${reason}`}`,
      ...(event === undefined ? [] : [`  ${subjectOf(event)}`]),
      ...(forwarded === undefined ? [] : [`  → ${forwardedText(forwarded)}`]),
    ].join('\n'),
  )
}

/** What changed, in one line. */
export function subjectOf(event: WebhookEvent): string {
  const data: object = 'data' in event ? Object(event['data']) : {}
  const known = Object.entries(data).filter(([, value]) => value !== null && typeof value !== 'object')
  return [`event ${event.id}`, ...known.map(([name, value]) => `${name} ${value}`)].join('  ')
}

function forwardedText(forwarded: Forwarded): string {
  return 'error' in forwarded
    ? `not received: ${forwarded.error}`
    : `answered ${forwarded.status} in ${forwarded.milliseconds} ms`
}

export function declareListen(command: Command): void {
  developerCommand(command, listen, [
    ['havn listen', 'until Ctrl-C'],
    'havn listen --forward http://localhost:3000/webhooks --events PAYMENT_STATUS,CONSENT',
    ['havn listen --count 1 --json', 'in a script'],
  ])
    .option('--forward <url>', 'where each delivery is sent, unchanged, for example http://localhost:3000/webhooks')
    .option('--events <types>', 'event types or families, separated by commas; by default all', listOf)
    .option('--count <number>', 'end after this many deliveries', (value) => wholeNumber(value))
}

function listOf(value: string): readonly string[] {
  return value.split(',').map((part) => part.trim())
}
