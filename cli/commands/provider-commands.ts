/** Declares the commands of `havn provider`, for the FX provider. */
import type { Command } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption } from './run-operator-command.ts'

export function addProviderCommands(group: Command): void {
  group
    .command('check')
    .description('log in with the settings, and print accounts and prices by country; exits with 1 if any is missing')
    .addOption(jsonOption())
    .action(async (options: TableOptions) =>
      (await import('../operator/provider.ts')).printProviderCheck(process.env, options),
    )
}
