/** `havn provider`: whether the provider of exchange serves us as the settings say. */

import { checkProvider } from '../../gateway/fx/providers/check-provider.ts'
import { printMoney } from '../../gateway/platform/money.ts'
import { tableOf } from './print-table.ts'
import { withContext } from './with-gateway-context.ts'

/** Prints what paying from each country needs; whatever is missing ends the program with 1. */
export async function printProviderCheck(environment: NodeJS.ProcessEnv): Promise<void> {
  await withContext(environment, async ({ fx }) => {
    if (fx === null) {
      throw new Error('The settings name no provider of exchange: HAVN_FX_PROVIDER is none')
    }
    const checks = await checkProvider(fx)
    const rows = checks.map(({ country, currency, account, cost, fault }) => [
      country,
      currency,
      account ?? 'none',
      cost === null ? 'none' : printMoney(cost).amount,
      fault ?? '',
    ])
    console.log(
      tableOf(['country', 'currency', 'account', 'costs now', 'fault'], rows, 'There is no country to pay from.'),
    )
    if (checks.some(({ fault }) => fault !== null)) {
      process.exitCode = 1
    }
  })
}
