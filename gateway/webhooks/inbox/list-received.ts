/** Lists what a partner's inbox has received, for its programs. */
import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { SandboxInboxDelivery } from '../../../contract/sandbox/sandbox-inbox.ts'
import type { PartnerCaller } from '../../auth/partner.ts'
import type { Context } from '../../context.ts'
import type { ValidationError } from '../../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { INBOX_DELIVERIES_MAX } from './inbox.ts'
import { readInbox } from './open-inbox.ts'

type Query = QueryOf<typeof operations.listSandboxInboxDeliveries>

/** Of instants, which have their own offset. */
const TIME_ZONE = 'UTC'

/** The schema knows the form of a time, and not whether it is one. */
export function validateReceivedQuery({ receivedSince }: Query): readonly ValidationError[] {
  const isTime = receivedSince === undefined || parseTimeParameter(receivedSince, TIME_ZONE) !== undefined
  return isTime ? [] : [{ code: 'InvalidRequest', reason: 'is not a time', path: '.receivedSince' }]
}

/** Newest first. */
export async function listReceived(
  context: Context,
  { partnerId }: Pick<PartnerCaller, 'partnerId'>,
  { receivedSince }: Query,
): Promise<SandboxInboxDelivery[]> {
  const since = receivedSince === undefined ? undefined : parseTimeParameter(receivedSince, TIME_ZONE)
  const received = await readInbox(context, partnerId, INBOX_DELIVERIES_MAX)
  return received
    .filter(({ receivedAt }) => since === undefined || Temporal.Instant.compare(since, receivedAt) <= 0)
    .map(({ id, receivedAt, eventType, headers, body, signatureStatus }) => ({
      id,
      receivedAt: formatTimestamp(receivedAt),
      eventType,
      headers: { ...headers },
      body,
      signature: signatureStatus,
    }))
}
