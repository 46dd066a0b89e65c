/** Opens the inbox of a partner, and lists what it has received. */
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { newToken } from '../../platform/ids.ts'
import { type InboxDelivery, inboxUrlOf } from './inbox.ts'
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
