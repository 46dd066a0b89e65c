/** Checks the whole ledger: every entry balances, what is closed is at zero, and each state is what was posted. */
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { PASSING_ACCOUNTS } from './ledger-lines.ts'
import {
  type Finding,
  findOrphans,
  findUnbalancedEntries,
  findUnclosedAccounts,
  findUnpostedStates,
} from './ledger-store.ts'

export type { Finding } from './ledger-store.ts'

/** What does not balance; nothing when all is well. */
export async function checkLedger(database: Queryable): Promise<readonly Finding[]> {
  const found = await Promise.all([
    findUnbalancedEntries(database),
    findUnclosedAccounts(database, PASSING_ACCOUNTS),
    findUnpostedStates(database),
    findOrphans(database),
  ])
  return found.flat()
}
