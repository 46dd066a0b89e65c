/** Queries on the audit log, which is append-only. */
import type { ColumnType, Kysely } from 'kysely'
import type { Queryable } from '../platform/database/in-transaction.ts'
import type { AuditEntry } from './audit-entry.ts'

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

/** Inserts an entry. */
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
