/** `havn data-set`: the data sets of the sandbox on this machine, with the operation of the console. */

import { Argument, type Command } from 'commander'
import { deleteUsersOfOtherPartners } from '../../console/users/user-store.ts'
import { DATA_SETS, type DataSetName } from '../../gateway/simulation/data-sets/data-set.ts'
import {
  beginDataSetLoad,
  findDataSetLoad,
  inspectStoredData,
  storedCountText,
} from '../../gateway/simulation/data-sets/load-data-set.ts'
import { openProgramControl, openSandboxControl } from '../../gateway/simulation/sandbox-control.ts'
import { addressOf, readStartSettings } from '../../launcher/start-settings.ts'
import { findOperator } from './find-operator.ts'
import { withGatewayContext } from './operator-context.ts'

export async function printDataSet(environment: NodeJS.ProcessEnv): Promise<void> {
  await withGatewayContext(settingsOf(environment), async (context) => {
    const load = await findDataSetLoad(context)
    console.log(load === undefined ? 'No data set has been loaded.' : `${load.name}: ${load.state} ${load.error ?? ''}`)
    console.log(countsText(await inspectStoredData(context)))
  })
}

/** Prints its progress. Throws without a confirmation, and outside the sandbox. */
export async function loadByCommand(
  environment: NodeJS.ProcessEnv,
  name: DataSetName,
  { isConfirmed }: { readonly isConfirmed: boolean },
): Promise<void> {
  await withGatewayContext(settingsOf(environment), async (context) => {
    const { sandboxBankUrl, sandboxFxUrl, mode } = context.config
    if (mode !== 'sandbox' || sandboxBankUrl === null) {
      throw new Error('There are data sets in the sandbox only: set HAVN_SANDBOX_BANK_URL to its bank')
    }
    const stored = await inspectStoredData(context)
    if (!isConfirmed) {
      throw new Error(`This deletes ${countsText(stored)}, and all logs. To do so, add --yes`)
    }
    const provider = sandboxFxUrl === null ? null : openProgramControl(sandboxFxUrl, "sandbox's FX provider")
    const tools = {
      bank: openSandboxControl(sandboxBankUrl),
      provider,
      deleteUsers: deleteUsersOfOtherPartners,
      onProgress: ({ step, done, total }: { readonly step: string; readonly done: number; readonly total: number }) =>
        console.log(total === 0 ? step : `${step} ${done} of ${total}`),
    }
    const { actor } = await findOperator(context, environment)
    const { ended } = await beginDataSetLoad(context, tools, { name, actor })
    await ended
    console.log(`${name} is loaded.`)
  })
}

function countsText(stored: Readonly<Record<string, number>>): string {
  return Object.entries(stored)
    .map(([what, count]) => `${storedCountText(count)} ${what}`)
    .join(', ')
}

/** The programs of `npm start` on this machine, unless the environment names others. */
function settingsOf(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { ports } = readStartSettings(environment)
  const gateway = addressOf(ports.gateway)
  return {
    HAVN_BASE_URL: gateway,
    HAVN_AUTH_URL: gateway,
    HAVN_SANDBOX_BANK_URL: addressOf(ports.sandboxBank),
    HAVN_SANDBOX_FX_URL: addressOf(ports.sandboxFxControl),
    ...environment,
  }
}

export function addDataSetCommands(group: Command): void {
  group
    .command('show')
    .description('print what is stored, and the data set that was loaded last')
    .action(() => printDataSet(process.env))
  group
    .command('load')
    .description('delete everything in the sandbox, at its banks, too, and load a data set')
    .addArgument(new Argument('<name>', 'the data set').choices(DATA_SETS))
    .option('--yes', 'delete; without it, what would be deleted is printed', false)
    .action(async (name: DataSetName, { yes }: { yes: boolean }) =>
      loadByCommand(process.env, name, { isConfirmed: yes }),
    )
}
