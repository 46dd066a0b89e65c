/** Records actions of operators and programs: no operation changes or deletes an entry. */

import { newId } from '../platform/ids.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { AuditEntry } from './audit-entry.ts'
import { insertAuditEntry } from './audit-store.ts'

/** Inserts an entry at wall time; in the transaction of the action, where there is one. */
export async function writeAuditEntry({ database, clock }: ProgramContext, entry: AuditEntry): Promise<void> {
  await insertAuditEntry(database, { ...entry, id: newId(), at: clock.real() })
}
