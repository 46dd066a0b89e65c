/** `havn replay`: has past events, or one delivery, delivered again to a subscription. */

import type { Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { developerCommand } from '../command-options.ts'
import type { Context } from '../context.ts'

export type ReplayOptions = { readonly since?: string; readonly until?: string; readonly delivery?: string }

export async function replay(context: Context, subscription: string, options: ReplayOptions): Promise<void> {
  const { since, until, delivery } = options
  if ((since === undefined) === (delivery === undefined) || (until !== undefined && since === undefined)) {
    throw new CommandError(
      'invalid',
      'Say what is delivered again: either --since, with --until or not, or --delivery',
      {
        next: 'havn replay --help',
      },
    )
  }
  const { havn } = await context.connect()
  if (delivery !== undefined) {
    const queued = await havn.retryWebhookDelivery({ params: { id: subscription, deliveryId: delivery } })
    context.output.result(queued, `Delivery ${queued.id} is queued`)
    return
  }
  const body = { since: since ?? '', ...(until === undefined ? {} : { until }) }
  const result = await havn.replayWebhookEvents({ params: { id: subscription }, body })
  const { events, deliveries } = result
  context.output.result(
    result,
    deliveries === 0
      ? `Nothing is delivered again: of ${events} events then, the subscription selects none`
      : `${deliveries} of ${events} events are queued for delivery`,
  )
}

export function declareReplay(command: Command): void {
  developerCommand(command, replay, [
    'havn replay $SUBSCRIPTION --since 2026-11-01',
    'havn replay $SUBSCRIPTION --delivery $DELIVERY',
  ])
    .argument('<subscription>', 'its id')
    .option('--since <time>', 'a date or timestamp: events that occurred then or later')
    .option('--until <time>', 'events that occurred before this time; a date is included')
    .option('--delivery <id>', 'only this delivery')
}
