/** The audit log of what operators, partners and programs did: no operation changes or deletes an entry. */
import { type Kysely, sql } from 'kysely'
import { PARTNERS, partnerListFilter } from '../partners/partner-rows.ts'
import { rowOf, type TableOf } from '../platform/database/columns.ts'
import type { Queryable } from '../platform/database/in-transaction.ts'
import { allOf } from '../platform/database/sql-fragments.ts'
import { type Timeline, timelineName } from '../platform/database/timeline.ts'
import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { AuditAction } from './audit-actions.ts'

/** The partner id of entries about Havn itself, keys for example. */
export const NO_PARTNER = '00000000-0000-0000-0000-000000000000'

/** One action. Never contains secrets, link tokens, or data of a payroll. */
export type AuditEntry = {
  readonly partnerId: string
  /** `client <id>`, `operator <name>`, `user <name>` for a user of the console, or the program's own part. */
  readonly actor: string
  readonly action: AuditAction
  readonly subject: readonly [type: string, id: string]
  readonly detail?: Readonly<Record<string, unknown>>
}

/** Which entries a search returns; those that are undefined exclude nothing. */
export type AuditLogFilter = {
  /** Null for the entries of all partners and of Havn itself. */
  readonly partnerId: string | null
  readonly subjectId: string | undefined
  /** Entries from this id on, and before that one: ids are in the order of time. */
  readonly fromId: string | undefined
  readonly beforeId: string | undefined
}

/** An entry with its partner, whose name is null for entries about Havn itself. */
export type FoundAuditEntry = {
  readonly id: string
  readonly at: Temporal.Instant
  readonly partnerName: string | null
  readonly actor: string
  readonly action: string
  readonly subjectType: string
  readonly subjectId: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** An entry of a known subject. */
export type AuditLogEntry = Pick<FoundAuditEntry, 'at' | 'actor' | 'action' | 'detail'>

type Tables = { audit_log: TableOf<Omit<FoundAuditEntry, 'partnerName'> & { readonly partnerId: string }> }

const tables = (database: Queryable): Kysely<Tables> => database.query.withTables<Tables>()

/** Inserts an entry at wall time; in the transaction of the action, where there is one. */
export async function writeAuditEntry(
  { database, clock }: ProgramContext,
  { subject: [subjectType, subjectId], detail = {}, ...entry }: AuditEntry,
): Promise<void> {
  const row = { ...entry, id: newId(), at: clock.real(), subjectType, subjectId, detail }
  await tables(database).insertInto('audit_log').values(rowOf(row)).execute()
}

/** The entries of a partner's subject, oldest first. */
export async function listAuditLog(
  { database }: ProgramContext,
  partnerId: string,
  subjectId: string,
): Promise<readonly AuditLogEntry[]> {
  return await tables(database)
    .selectFrom('audit_log')
    .select(['at', 'actor', 'action', 'detail'])
    .where('partner_id', '=', partnerId)
    .where('subject_id', '=', subjectId)
    .orderBy('id')
    .execute()
}

/** The latest entries that a filter lets through. Each partner's are read in the order of an index; partners are few. */
export async function searchAuditLog(
  { database }: ProgramContext,
  { partnerId, subjectId, fromId, beforeId }: AuditLogFilter,
  limit: number,
): Promise<readonly FoundAuditEntry[]> {
  const isSought = allOf(
    sql`partner_id = o.id`,
    subjectId !== undefined && sql`subject_id = ${subjectId}`,
    fromId !== undefined && sql`id >= ${fromId}::uuid`,
    beforeId !== undefined && sql`id < ${beforeId}::uuid`,
  )
  const { rows } = await sql<FoundAuditEntry>`
    select a.id, a.at, o.name as "partnerName", a.actor, a.action, a.subject_type as "subjectType",
      a.subject_id as "subjectId", a.detail
    from (select id, name from ${PARTNERS} union all select ${NO_PARTNER}::uuid, null) o, lateral (
      select * from audit_log where ${isSought} order by id desc limit ${limit}) a
    where ${partnerListFilter(partnerId)}
    order by a.id desc limit ${limit}`.execute(database.query)
  return rows
}

/** The subject of the entry about a database that was restored, or that lost changes in a failover. */
export const RESTORED_DATABASE = ['database', 'restored'] as const

/** Whether the database was restored after something was stored, by the time in its id. */
export async function wasRestoredSince({ query }: Queryable, id: string): Promise<boolean> {
  const { rows } = await sql<{ wasRestored: boolean }>`
    select exists (select from audit_log where partner_id = ${NO_PARTNER} and subject_type = ${RESTORED_DATABASE[0]}
      and subject_id = ${RESTORED_DATABASE[1]} and id > ${id}::uuid) as "wasRestored"`.execute(query)
  return rows[0]?.wasRestored === true
}

/** Records that nothing was lost when a replica was promoted, so that `havn doctor` no longer asks about it. */
export async function recordFailover(
  context: ProgramContext,
  { timeline, actor }: { readonly timeline: Timeline; readonly actor: string },
): Promise<void> {
  const action = 'failover without loss recorded'
  const detail = { timeline: timelineName(timeline) }
  await writeAuditEntry(context, { partnerId: NO_PARTNER, actor, action, subject: ['database', 'promoted'], detail })
}

/** Whether a failover or a restore that began the timeline is recorded. */
export async function isTimelineRecorded({ query }: Queryable, timeline: Timeline): Promise<boolean> {
  const { rows } = await sql<{ isRecorded: boolean }>`
    select exists (select from audit_log where subject_type = 'database' and detail->>'timeline' = ${timelineName(timeline)})
      as "isRecorded"`.execute(query)
  return rows[0]?.isRecorded === true
}
