/** `havn bank list`: prints the bank directory, and loads nothing of the banks' standards. */
import { listDirectoryEntries } from '../../gateway/banks/directory/list-directory-entries.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { printTable, type TableOptions } from './print-table.ts'

/** Prints every bank with its recent availability. */
export async function printBanks({ database, clock }: ProgramContext, options: TableOptions): Promise<void> {
  const entries = await listDirectoryEntries(database, clock)
  const rows = entries.map(({ row, status }) => [
    row.bic,
    row.country_code,
    row.name,
    row.profile,
    row.certificate ?? '',
    row.enabled ? status : 'disabled',
    row.address,
  ])
  const headings = ['bic', 'country', 'name', 'profile', 'certificate', 'state', 'address']
  printTable({ headings, rows, whenEmpty: 'The directory has no banks; havn bank put adds one.' }, options)
}
