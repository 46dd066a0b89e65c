/** Queries on partners' inboxes and on what they have received. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import { PARTNERS, partnerListFilter } from '../../partners/partner-rows.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import type { BatchRange } from '../../platform/jobs/batch-purge.ts'
import { INBOX_DELIVERIES_MAX, type InboxDelivery, type SignatureStatus } from './inbox.ts'

type Instant = ColumnType<Temporal.Instant, string, string>

type Tables = {
  webhook_inboxes: { partner_id: string; token: string; created_at: Instant }
  webhook_inbox_deliveries: {
    partner_id: string
    id: string
    received_at: Instant
    event_type: string | null
    headers: ColumnType<Readonly<Record<string, string>>, string, never>
    body: string
    signature_status: SignatureStatus
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** The token of the partner's inbox; undefined before it was opened. */
export async function findInboxToken(database: Queryable, partnerId: string): Promise<string | undefined> {
  const row = await tables(database)
    .selectFrom('webhook_inboxes')
    .select('token')
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  return row?.token
}

/** Does nothing when the partner has one. */
export async function insertInbox(
  database: Queryable,
  inbox: { readonly partnerId: string; readonly token: string; readonly createdAt: Temporal.Instant },
): Promise<void> {
  await tables(database)
    .insertInto('webhook_inboxes')
    .values({ partner_id: inbox.partnerId, token: inbox.token, created_at: inbox.createdAt.toString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Stores a delivery, and deletes those that exceed the limit. */
export async function insertInboxDelivery(database: Queryable, delivery: InboxDelivery): Promise<void> {
  const { partnerId, id, receivedAt, eventType, headers, body, signatureStatus } = delivery
  await tables(database)
    .insertInto('webhook_inbox_deliveries')
    .values({
      partner_id: partnerId,
      id,
      received_at: receivedAt.toString(),
      event_type: eventType,
      headers: JSON.stringify(headers),
      body,
      signature_status: signatureStatus,
    })
    .execute()
  await sql`
    delete from webhook_inbox_deliveries where partner_id = ${partnerId}::uuid and id < (
      select id from webhook_inbox_deliveries where partner_id = ${partnerId}::uuid
      order by id desc offset ${INBOX_DELIVERIES_MAX - 1} limit 1)`.execute(database.query)
}

/** The newest first, of one partner or of all. */
export async function listInboxDeliveries(
  database: Queryable,
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

/** The id of the newest delivery of each of these partners. */
export async function newestInboxDeliveries(
  database: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ partnerId: string; newest: string | null }>`
    select o.id as "partnerId", (select id from webhook_inbox_deliveries
      where partner_id = o.id order by id desc limit 1) as newest
    from ${PARTNERS} where o.id = any(${partnerIds}::uuid[])`.execute(database.query)
  return new Map(rows.map(({ partnerId, newest }) => [partnerId, newest ?? '']))
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
