/** Lists every row of the bank directory with the bank's status, for operators. */
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { BankStatus } from '../connector/bank.ts'
import { bankStatusOf } from './bank-health.ts'
import { type BankRow, selectBanks } from './bank-store.ts'

export type ListedDirectoryEntry = { readonly row: BankRow; readonly status: BankStatus }

/** All rows sorted by BIC, including disabled ones. */
export async function listDirectoryEntries(
  database: Database<unknown>,
  clock: Clock,
): Promise<readonly ListedDirectoryEntry[]> {
  const rows = await selectBanks(database)
  return rows.map((row) => ({ row, status: bankStatusOf(row, clock.real()) }))
}
