/** Shows the directory of banks to an operator: every row, and how each bank has answered of late. */
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { BankStatus } from './directory/bank.ts'
import { bankStatusOf, healthIn } from './directory/bank-health.ts'
import { type BankRow, selectBanks } from './directory/bank-store.ts'

/** A row, and what it says of the bank's health. */
export type ShownEntry = { readonly row: BankRow; readonly status: BankStatus }

/** All rows by BIC, disabled ones too. */
export async function showEntries(database: Database<unknown>, clock: Clock): Promise<readonly ShownEntry[]> {
  const rows = await selectBanks(database)
  return rows.map((row) => ({ row, status: bankStatusOf(healthIn(row), clock.real()) }))
}
