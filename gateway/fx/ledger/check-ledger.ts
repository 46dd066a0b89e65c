/** Checks the whole ledger: every entry balances, closed accounts are at zero, and each state has its postings. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { TRANSIENT_ACCOUNTS } from './ledger-lines.ts'
import {
  findOrphanedLines,
  findUnbalancedEntries,
  findUnclosedAccounts,
  findUnpostedStates,
  type LedgerDiscrepancy,
} from './ledger-store.ts'

export type { LedgerDiscrepancy } from './ledger-store.ts'

/** The discrepancies; empty when the ledger is consistent. Each check scans whole tables, so they follow each other. */
export async function checkLedger(database: Queryable): Promise<readonly LedgerDiscrepancy[]> {
  return [
    ...(await findUnbalancedEntries(database)),
    ...(await findUnclosedAccounts(database, TRANSIENT_ACCOUNTS)),
    ...(await findUnpostedStates(database)),
    ...(await findOrphanedLines(database)),
  ]
}
