/** Enqueues past events again to one subscription, for its partner. */
import type { BodyOf, ResponseOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import type { Context } from '../../context.ts'
import { apiError, type ValidationError } from '../../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import { requireSubscription } from '../subscriptions/require-subscription.ts'
import { replayEvents } from './replay-events.ts'

type Replay = typeof operations.replayWebhookEvents

/** Days of the parameter, as of other lists. */
const DAYS_OF = 'UTC'

/** The schema knows the form of a time, and not whether it is one. */
export function validateReplay({ since }: BodyOf<Replay>): readonly ValidationError[] {
  const isTime = parseTimeParameter(since, DAYS_OF) !== undefined
  return isTime ? [] : [{ code: 'InvalidRequest', reason: 'is not a time', path: '.since' }]
}

/** Throws 404 for a disabled subscription, to which nothing is delivered. */
export async function replayToSubscription(
  context: Pick<Context, 'database' | 'clock'>,
  { partnerId, clientId }: PartnerCaller,
  subscriptionId: string,
  { since: text }: BodyOf<Replay>,
): Promise<ResponseOf<Replay>> {
  const since = parseTimeParameter(text, DAYS_OF)
  if (since === undefined) {
    throw new Error('Expected a validated time')
  }
  const { enabled, id } = await requireSubscription(context.database, { partnerId, id: subscriptionId })
  if (!enabled) {
    throw apiError('not-found', 'This webhook subscription is disabled')
  }
  const request = { partnerId, subscriptionId: id, since, dryRun: false }
  const [replayed] = await replayEvents(context, `client ${clientId}`, request)
  return { events: replayed?.events ?? 0, deliveries: replayed?.deliveries ?? 0 }
}
