/** Shows an operator what was done to one thing, by whom and when. */
import type { Context } from '../context.ts'
import { listAuditEntries } from './audit-store.ts'

/** What happened to a subject. */
export type AuditLine = {
  readonly at: Temporal.Instant
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The entries of a partner's subject, oldest first. */
export async function showAudit(
  { database }: Pick<Context, 'database'>,
  partnerId: string,
  subjectId: string,
): Promise<readonly AuditLine[]> {
  return await listAuditEntries(database, partnerId, subjectId)
}
