/** Enqueues past events again to one subscription, for its partner. */
import type { BodyOf, ResponseOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { parseEndParameter, parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import { replayEvents } from './replay-events.ts'

type Replay = typeof operations.replayWebhookEvents

/** Days of the parameter, as of other lists. */
const DAYS_OF = 'UTC'

/** The schema knows the form of a time, and not whether it is one. */
export function validateReplay(body: BodyOf<Replay>): readonly ValidationError[] {
  const { since, until } = windowOf(body)
  const error = (path: string, reason: string): ValidationError => ({ code: 'InvalidRequest', reason, path })
  if (since !== undefined && until !== undefined && Temporal.Instant.compare(since, until) >= 0) {
    return [error('.until', 'must be after since')]
  }
  return [
    ...(since === undefined ? [error('.since', 'is not a time')] : []),
    ...(body.until !== undefined && until === undefined ? [error('.until', 'is not a time')] : []),
  ]
}

/** Throws 404 for a disabled subscription, and 409 for a paused one. */
export async function replayToSubscription(
  context: Context,
  { partnerId, clientId }: PartnerCaller,
  subscriptionId: string,
  body: BodyOf<Replay>,
): Promise<ResponseOf<Replay>> {
  const { since, until } = windowOf(body)
  if (since === undefined) {
    throw new Error('Expected a validated time')
  }
  const request = { partnerId, subscriptionId: subscriptionId.toLowerCase(), since, until, dryRun: false }
  const [replayed] = await replayEvents(context, `client ${clientId}`, request)
  return { events: replayed?.events ?? 0, deliveries: replayed?.deliveries ?? 0 }
}

function windowOf({ since, until }: BodyOf<Replay>) {
  return {
    since: parseTimeParameter(since, DAYS_OF),
    until: until === undefined ? undefined : parseEndParameter(until, DAYS_OF),
  }
}
