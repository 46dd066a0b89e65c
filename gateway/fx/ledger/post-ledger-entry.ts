/** Posts a ledger entry, within the transaction that makes the change. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { netLines, unbalancedCurrencies } from './ledger-lines.ts'
import { insertEntry, type LedgerEntry } from './ledger-store.ts'

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
