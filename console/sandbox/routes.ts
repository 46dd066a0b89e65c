/** What can be done in the sandbox by mouse: moving its clock, and giving its banks faults. */
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
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
  const act = post('sandbox')
  return [
    get('sandbox')(SANDBOX_PATH, ({ viewer }) => sandboxPage(context, viewer)),
    ...dataSetRoutes(context),
    act(`${SANDBOX_PATH}/clock`, (request) => moveByButton(context, request)),
    act(`${SANDBOX_PATH}/clock-date`, (request) => moveToDate(context, request)),
    act(`${SANDBOX_PATH}/bank-fault`, (request) => switchFault(context, request)),
    get('sandbox')(BANK_FIXTURE_PATH, ({ query }) => bankFixturePage(context, query)),
    act(`${SANDBOX_PATH}/clear-faults`, async ({ viewer }) => {
      const simulation = requireSimulation(context)
      await simulation.provider?.clearFaults()
      await requireSandboxBank(simulation).clearFaults()
      return await sandboxPage(context, viewer, { done: consoleText('sandbox.faultsCleared') })
    }),
  ]
}
