/** Lists audit entries for operators: those of one subject, or the latest ones. */

import type { Context } from '../context.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { AuditLogFilter, FoundAuditEntry } from './audit-entry.ts'
import { listAuditEntries, searchAuditEntries } from './audit-store.ts'

/** The entries of a subject. */
export type AuditLogEntry = {
  readonly at: Temporal.Instant
  readonly actor: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The entries of a partner's subject, oldest first. */
export async function listAuditLog(
  { database }: ProgramContext,
  partnerId: string,
  subjectId: string,
): Promise<readonly AuditLogEntry[]> {
  return await listAuditEntries(database, partnerId, subjectId)
}

/** The latest entries that a filter lets through, at most `limit`. */
export async function searchAuditLog(
  { database }: Context,
  filter: AuditLogFilter,
  limit: number,
): Promise<readonly FoundAuditEntry[]> {
  return await searchAuditEntries(database, filter, limit)
}
