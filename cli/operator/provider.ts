/** `havn provider`: checks the FX provider against the settings. */

import type { Command } from 'commander'
import { checkProvider } from '../../gateway/fx/providers/check-provider.ts'
import { formatMoney } from '../../gateway/platform/money.ts'
import { withGatewayContext } from './operator-context.ts'
import { cellOr, printTable, type TableOptions } from './print-table.ts'
import { jsonOption } from './run-operator-command.ts'

/** Prints what payments from each country require; exits with 1 when anything is missing. */
export async function printProviderCheck(environment: NodeJS.ProcessEnv, options: TableOptions): Promise<void> {
  await withGatewayContext(environment, async ({ fx }) => {
    if (fx === null) {
      throw new Error('No FX provider is configured: HAVN_FX_PROVIDER is none')
    }
    const checks = await checkProvider(fx)
    const rows = checks.map(({ country, currency, account, cost, fault }) => ({
      country,
      currency,
      account: cellOr(account, 'none'),
      'costs now': cellOr(cost === null ? null : formatMoney(cost).amount, 'none'),
      fault: cellOr(fault, ''),
    }))
    printTable({ rows, whenEmpty: 'The provider supports no country of a debtor.' }, options)
    if (checks.some(({ fault }) => fault !== null)) {
      process.exitCode = 1
    }
  })
}

export function addProviderCommands(group: Command): void {
  group
    .command('check')
    .description('log in with the settings, and print accounts and prices by country; exits with 1 if any is missing')
    .addOption(jsonOption())
    .action((options: TableOptions) => printProviderCheck(process.env, options))
}
