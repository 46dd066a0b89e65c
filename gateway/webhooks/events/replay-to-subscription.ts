/** Enqueues past events again to one subscription, for its partner. */
import type { BodyOf, ResponseOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import type { Parsing } from '../../platform/http/operations/served-operation.ts'
import { parseEndParameter, parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import type { EventWindow } from '../store/event-store.ts'
import { replayEvents } from './replay-events.ts'

type Replay = typeof operations.replayWebhookEvents

/** Days of the parameter, as of other lists. */
const DAYS_OF = 'UTC'

/** The schema knows the form of a time, and not whether it is one. */
export function parseReplayWindow(body: BodyOf<Replay>): Parsing<EventWindow> {
  const since = parseTimeParameter(body.since, DAYS_OF)
  const until = body.until === undefined ? undefined : parseEndParameter(body.until, DAYS_OF)
  const error = (path: string, reason: string): ValidationError => ({ code: 'InvalidRequest', reason, path })
  const errors = [
    ...(since === undefined ? [error('.since', 'is not a time')] : []),
    ...(body.until !== undefined && until === undefined ? [error('.until', 'is not a time')] : []),
  ]
  if (since === undefined || errors.length > 0) {
    return errors
  }
  return until !== undefined && Temporal.Instant.compare(since, until) >= 0
    ? [error('.until', 'must be after since')]
    : { parsed: { since, until } }
}

/** Throws 404 for a disabled subscription, and 409 for a paused one. */
export async function replayToSubscription(
  context: Context,
  { partnerId, clientId }: PartnerCaller,
  subscriptionId: string,
  window: EventWindow,
): Promise<ResponseOf<Replay>> {
  const request = { partnerId, subscriptionId: subscriptionId.toLowerCase(), ...window, dryRun: false }
  const [replayed] = await replayEvents(context, `client ${clientId}`, request)
  return { events: replayed?.events ?? 0, deliveries: replayed?.deliveries ?? 0 }
}
