/** The sandbox's webhook inbox: an endpoint of ours for each partner, which shows what was delivered to it. */
import { type Kysely, sql } from 'kysely'
import type { QueryOf } from '../../../contract/operation.ts'
import type { operations } from '../../../contract/operations.ts'
import type { SandboxInboxDelivery } from '../../../contract/sandbox/sandbox-inbox.ts'
import type { PartnerCaller } from '../../auth/partner-caller.ts'
import type { Context } from '../../context.ts'
import { PARTNERS, partnerListFilter } from '../../partners/partner-rows.ts'
import { formatTimestamp } from '../../platform/clock.ts'
import { rowOf, type TableOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { parseTimeParameter } from '../../platform/http/parse-time-parameter.ts'
import { newToken } from '../../platform/ids.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'

/** A request that the inbox has received. */
export type InboxDelivery = {
  readonly partnerId: string
  readonly id: string
  /** Wall time. */
  readonly receivedAt: Temporal.Instant
  /** The `X-SVC-Webhook-Event` header; null without one. */
  readonly eventType: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signatureStatus: SignatureStatus
}

/** What a receiver finds out before it trusts a body. */
export type SignatureStatus = 'valid' | 'missing' | 'expired' | 'wrong'

/** The newest ones of each partner are stored. */
export const INBOX_DELIVERIES_MAX = 100

/** The URL of a partner's inbox; `token` is a capability like that of every URL without authentication. */
export function inboxUrlOf(baseUrl: string, { partnerId, token }: { partnerId: string; token: string }): string {
  return `${baseUrl.replace(/\/$/, '')}/inbox/${partnerId}/${token}`
}

type Tables = {
  webhook_inboxes: TableOf<{ readonly partnerId: string; readonly token: string; readonly createdAt: Temporal.Instant }>
  webhook_inbox_deliveries: TableOf<Omit<InboxDelivery, 'headers'> & { readonly headers: string }>
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The URL of the partner's inbox, which is created at the first call. Throws `unavailable` where there is none. */
export async function openInbox({ database, clock, config }: Context, partnerId: string): Promise<string> {
  const { sandboxInboxUrl } = config
  if (sandboxInboxUrl === null) {
    throw apiError('unavailable', 'This gateway has no webhook inbox (HAVN_SANDBOX_INBOX_URL is not set)')
  }
  await tables(database)
    .insertInto('webhook_inboxes')
    .values(rowOf({ partnerId, token: newToken(), createdAt: clock.real() }))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const token = await findInboxToken(database, partnerId)
  return inboxUrlOf(sandboxInboxUrl, { partnerId, token: token ?? '' })
}

/** The token of the partner's inbox; undefined before it was opened. */
export async function findInboxToken(database: Queryable, partnerId: string): Promise<string | undefined> {
  const row = await tables(database)
    .selectFrom('webhook_inboxes')
    .select('token')
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  return row?.token
}

/** Stores a delivery, and deletes those that exceed the limit. */
export async function insertInboxDelivery(database: Queryable, delivery: InboxDelivery): Promise<void> {
  const row = rowOf({ ...delivery, headers: JSON.stringify(delivery.headers) })
  await tables(database).insertInto('webhook_inbox_deliveries').values(row).execute()
  const { partnerId } = delivery
  await sql`
    delete from webhook_inbox_deliveries where partner_id = ${partnerId}::uuid and id < (
      select id from webhook_inbox_deliveries where partner_id = ${partnerId}::uuid
      order by id desc offset ${INBOX_DELIVERIES_MAX - 1} limit 1)`.execute(database.query)
}

/** The newest first, of one partner or of all. */
export async function readInbox(
  { database }: Context,
  partnerId: string | null,
  limit: number,
): Promise<readonly (InboxDelivery & { readonly partnerName: string })[]> {
  const { rows } = await sql<InboxDelivery & { partnerName: string }>`
    select d.partner_id as "partnerId", o.name as "partnerName", d.id, d.received_at as "receivedAt",
      d.event_type as "eventType", d.headers, d.body, d.signature_status as "signatureStatus"
    from ${PARTNERS}, lateral (
      select * from webhook_inbox_deliveries where partner_id = o.id order by id desc limit ${limit}) d
    where ${partnerListFilter(partnerId)} order by d.id desc limit ${limit}`.execute(database.query)
  return rows
}

/** Texts that differ whenever the partner's inbox has received something: the id of the newest delivery. */
export async function readInboxVersions(
  { database }: Context,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ partnerId: string; newest: string | null }>`
    select o.id as "partnerId", (select id from webhook_inbox_deliveries
      where partner_id = o.id order by id desc limit 1) as newest
    from ${PARTNERS} where o.id = any(${partnerIds}::uuid[])`.execute(database.query)
  return new Map(rows.map(({ partnerId, newest }) => [partnerId, newest ?? '']))
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

/** Deletes some of what was received before a time, which the ids contain; returns how many. */
export async function deleteOldInboxDeliveries(
  { pool }: Database<unknown>,
  belowId: string,
  { limit, offset }: BatchRange,
): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from webhook_inbox_deliveries d using (
       select o.partner_id, o.id from webhook_inboxes i join webhook_inbox_deliveries o on o.partner_id = i.partner_id
       where o.id < $1::uuid order by o.partner_id, o.id limit $2 offset $3) old
     where d.partner_id = old.partner_id and d.id = old.id`,
    [belowId, limit, offset],
  )
  return rowCount ?? 0
}
