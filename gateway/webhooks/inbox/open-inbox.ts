/** Opens the inbox of a partner, and lists what it has received, on pages and for the partner's programs. */

import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { SandboxInboxDelivery } from '../../../contract/sandbox/sandbox-inbox.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import { newToken } from '../../platform/ids.ts'
import { formatTimestamp } from '../../platform/time-format.ts'
import { INBOX_DELIVERIES_MAX, type InboxDelivery, inboxUrlOf } from './inbox.ts'
import { findInboxToken, insertInbox, listInboxDeliveries, newestInboxDeliveries } from './inbox-store.ts'

/** The URL of the partner's inbox, which is created at the first call. Throws `unavailable` where there is none. */
export async function openInbox({ database, clock, config }: Context, partnerId: string): Promise<string> {
  const { sandboxInboxUrl } = config
  if (sandboxInboxUrl === null) {
    throw apiError('unavailable', 'This gateway has no webhook inbox (HAVN_SANDBOX_INBOX_URL is not set)')
  }
  await insertInbox(database, { partnerId, token: newToken(), createdAt: clock.real() })
  const token = await findInboxToken(database, partnerId)
  return inboxUrlOf(sandboxInboxUrl, { partnerId, token: token ?? '' })
}

/** The newest first, of one partner or of all. */
export async function readInbox(
  { database }: Context,
  partnerId: string | null,
  limit: number,
): Promise<readonly (InboxDelivery & { readonly partnerName: string })[]> {
  return await listInboxDeliveries(database, partnerId, limit)
}

/** Texts that differ whenever the partner's inbox has received something. */
export async function readInboxVersions(
  { database }: Context,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return await newestInboxDeliveries(database, partnerIds)
}

type Query = QueryOf<typeof operations.listSandboxInboxDeliveries>

/** Of instants, which have their own offset. */
const TIME_ZONE = 'UTC'

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
