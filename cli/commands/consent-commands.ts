/** Declares the commands of `havn consent`. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, runOperatorCommand } from './run-operator-command.ts'

export function addConsentCommands(group: Command): void {
  group
    .command('expiring')
    .description('print the consents of all partners that expire within seven days')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => {
        const { printExpiringConsents } = await import('../operator/consents.ts')
        await printExpiringConsents(context, options)
      }),
    )
}
