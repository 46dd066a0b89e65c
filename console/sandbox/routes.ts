/** What can be done in the sandbox by mouse: moving its clock, and giving its banks faults. */
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANK_FIXTURE_PATH, bankFixturePage } from './bank-fixture-page.ts'
import { dataSetRoutes } from './data-sets.ts'
import { moveByButton, moveToDate, switchFault } from './sandbox-actions.ts'
import { SANDBOX_PATH, sandboxPage } from './sandbox-page.ts'

/** Empty in production. */
export function sandboxRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  if (context.config.mode !== 'sandbox') {
    return []
  }
  const act = { method: 'POST', permission: 'sandbox' } as const
  return [
    { method: 'GET', permission: 'sandbox', path: SANDBOX_PATH, handle: ({ viewer }) => sandboxPage(context, viewer) },
    ...dataSetRoutes(context),
    { ...act, path: `${SANDBOX_PATH}/clock`, handle: (request) => moveByButton(context, request) },
    { ...act, path: `${SANDBOX_PATH}/clock-date`, handle: (request) => moveToDate(context, request) },
    { ...act, path: `${SANDBOX_PATH}/bank-fault`, handle: (request) => switchFault(context, request) },
    {
      method: 'GET',
      permission: 'sandbox',
      path: BANK_FIXTURE_PATH,
      handle: ({ query }) => bankFixturePage(context, query),
    },
    {
      ...act,
      path: `${SANDBOX_PATH}/clear-faults`,
      handle: async ({ viewer }) => {
        const simulation = requireSimulation(context)
        await simulation.provider?.clearFaults()
        await requireSandboxBank(simulation).clearFaults()
        return await sandboxPage(context, viewer, { done: consoleText('sandbox.faultsCleared') })
      },
    },
  ]
}
