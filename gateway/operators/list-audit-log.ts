/** Lists the audit entries of one subject for an operator. */
import type { Context } from '../context.ts'
import { listAuditEntries } from './audit-store.ts'

/** The entries of a subject. */
export type AuditLogEntry = {
  readonly at: Temporal.Instant
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The entries of a partner's subject, oldest first. */
export async function listAuditLog(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  subjectId: string,
): Promise<readonly AuditLogEntry[]> {
  return await listAuditEntries(database, partnerId, subjectId)
}
