/** Adds to the ledger of the exchange, within the transaction that makes it true. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { netOf, unbalancedIn } from './ledger-lines.ts'
import { type Entry, insertEntry } from './ledger-store.ts'

/** Refuses what does not balance: that is a mistake of ours, and must not be kept. */
export async function post(database: Queryable, entry: Entry): Promise<void> {
  const lines = netOf(entry.lines)
  const unbalanced = unbalancedIn(lines)
  if (unbalanced.length > 0) {
    throw new Error(`The ledger's entry for "${entry.event}" does not balance in ${unbalanced.join(', ')}`)
  }
  if (lines.length > 0) {
    await insertEntry(database, { ...entry, lines })
  }
}
