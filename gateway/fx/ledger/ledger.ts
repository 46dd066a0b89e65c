/** Posts entries to the ledger of exchanges, and checks that it balances. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { type LedgerDiscrepancy, netLines, TRANSIENT_ACCOUNTS, unbalancedCurrencies } from './ledger-lines.ts'
import {
  findOrphanedLines,
  findUnbalancedEntries,
  findUnclosedAccounts,
  findUnpostedStates,
  insertEntry,
  type LedgerEntry,
} from './ledger-store.ts'

/** Nets the lines and stores them. Throws when they do not balance, which is a bug of ours. */
export async function postLedgerEntry(database: Queryable, entry: LedgerEntry): Promise<void> {
  const lines = netLines(entry.lines)
  const unbalanced = unbalancedCurrencies(lines)
  if (unbalanced.length > 0) {
    throw new Error(`The ledger entry for "${entry.event}" does not balance in ${unbalanced.join(', ')}`)
  }
  if (lines.length > 0) {
    await insertEntry(database, { ...entry, lines })
  }
}

/** The discrepancies; empty when the ledger is consistent. Each check scans whole tables, so they follow each other. */
export async function checkLedger(database: Queryable): Promise<readonly LedgerDiscrepancy[]> {
  return [
    ...(await findUnbalancedEntries(database)),
    ...(await findUnclosedAccounts(database, TRANSIENT_ACCOUNTS)),
    ...(await findUnpostedStates(database)),
    ...(await findOrphanedLines(database)),
  ]
}
