/** Queries on the audit log, which is append-only. */
import { type ColumnType, type Kysely, sql } from 'kysely'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { type AuditEntry, type AuditLogFilter, type FoundAuditEntry, NO_PARTNER } from './audit-entry.ts'

type Tables = {
  audit_log: {
    partner_id: string
    id: string
    at: ColumnType<Temporal.Instant, string>
    actor: string
    action: string
    subject_type: string
    subject_id: string
    detail: ColumnType<Record<string, unknown>, string>
  }
}

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

export async function insertAuditEntry(
  database: Queryable,
  entry: AuditEntry & { readonly id: string; readonly at: Temporal.Instant },
): Promise<void> {
  const [subjectType, subjectId] = entry.subject
  await tables(database)
    .insertInto('audit_log')
    .values({
      partner_id: entry.partnerId,
      id: entry.id,
      at: entry.at.toString(),
      actor: entry.actor,
      action: entry.action,
      subject_type: subjectType,
      subject_id: subjectId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
}

/** The entries of one subject, oldest first. */
export async function listAuditEntries(
  database: Queryable,
  partnerId: string,
  subjectId: string,
): Promise<readonly { at: Temporal.Instant; actor: string; action: string; detail: Record<string, unknown> }[]> {
  return await tables(database)
    .selectFrom('audit_log')
    .select(['at', 'actor', 'action', 'detail'])
    .where('partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
}

/** Whether an entry about the database names a timeline. */
export async function hasEntryOfTimeline({ query }: Queryable, timeline: string): Promise<boolean> {
  const { rows } = await sql<{ isRecorded: boolean }>`
    select exists (select from audit_log where subject_type = 'database' and detail->>'timeline' = ${timeline})
      as "isRecorded"`.execute(query)
  return rows[0]?.isRecorded === true
}

/** The latest entries first. Each partner's are read in the order of an index; partners are few. */
export async function searchAuditEntries(
  database: Queryable,
  { partnerId, subjectId, fromId, beforeId }: AuditLogFilter,
  limit: number,
): Promise<readonly FoundAuditEntry[]> {
  const { rows } = await sql<FoundAuditEntry>`
    select a.id, a.at, o.name as "partnerName", a.actor, a.action, a.subject_type as "subjectType",
      a.subject_id as "subjectId", a.detail
    from (select id, name from ${PARTNERS} union all select ${NO_PARTNER}::uuid, null) o, lateral (
      select * from audit_log
      where partner_id = o.id ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
        ${fromId === undefined ? sql`` : sql`and id >= ${fromId}::uuid`}
        ${beforeId === undefined ? sql`` : sql`and id < ${beforeId}::uuid`}
      order by id desc limit ${limit}) a
    where ${partnerListFilter(partnerId)}
    order by a.id desc limit ${limit}`.execute(database.query)
  return rows
}
