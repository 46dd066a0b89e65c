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

/** The discrepancies; empty when the ledger is consistent. */
export async function checkLedger(database: Queryable): Promise<readonly LedgerDiscrepancy[]> {
  const found = await Promise.all([
    findUnbalancedEntries(database),
    findUnclosedAccounts(database, TRANSIENT_ACCOUNTS),
    findUnpostedStates(database),
    findOrphanedLines(database),
  ])
  return found.flat()
}
