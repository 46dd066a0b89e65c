/** What can be done in the sandbox by mouse: moving its clock, and giving its banks faults. */

import type { ClockMove } from '../../contract/sandbox/sandbox-clock.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { moveClock } from '../../gateway/simulation/move-clock.ts'
import { BANK_FAULTS, clearBankFault, injectBankFault } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { formatTime } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANK_FIXTURE_PATH, bankFixturePage } from './bank-fixture-page.ts'
import { CLOCK_MOVES, morningOf, nextBankMorning } from './clock-section.ts'
import { dataSetRoutes } from './data-sets.ts'
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

async function moveByButton(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const move = CLOCK_MOVES.find((one) => one === request.form.text('move'))
  if (move === undefined) {
    throw apiError('bad-request', consoleText('sandbox.noMove'))
  }
  const requests: Readonly<Record<typeof move, () => ClockMove>> = {
    hour: () => ({ advance: 'PT1H' }),
    bankDay: () => ({ set: nextBankMorning(context).toString() }),
    reset: () => ({ reset: true }),
  }
  return await movedTo(context, request, requests[move]())
}

/** To the morning of a day that is not over. */
async function moveToDate(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const date = request.form.text('date')
  const morning = morningOf(date)
  if (morning === undefined || Temporal.Instant.compare(morning, context.clock.now()) < 0) {
    return await sandboxPage(context, request.viewer, { date, dateError: consoleText('sandbox.noLaterDay') })
  }
  return await movedTo(context, request, { set: morning.toString() })
}

async function movedTo(context: ConsoleContext, { viewer }: ConsoleRequest, move: ClockMove): Promise<ConsoleAnswer> {
  const { now, movingTo } = await moveClock(context, requireSimulation(context), move)
  const time = formatTime(Temporal.Instant.from(movingTo ?? now))
  const done = movingTo === undefined ? consoleText('sandbox.moved', { time }) : consoleText('sandbox.moving', { time })
  return await sandboxPage(context, viewer, { done })
}

/** The switch says what it is to be, so that a form that is sent twice changes nothing the second time. */
async function switchFault(context: ConsoleContext, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
  const bank = await context.banks.find(form.text('bic'))
  const [name, to] = form.text('switch').split(' ')
  const effect = BANK_FAULTS.find((fault) => fault === name)
  if (bank === undefined || effect === undefined || !(to === 'on' || to === 'off')) {
    throw apiError('bad-request', consoleText('sandbox.noFault'))
  }
  const control = requireSandboxBank(requireSimulation(context))
  await clearBankFault(control, bank.bic, effect)
  if (to === 'on') {
    await injectBankFault(control, bank.bic, { effect })
  }
  const fault = consoleText(`sandbox.faults.${effect}`)
  const done = consoleText(to === 'on' ? 'sandbox.faultGiven' : 'sandbox.faultCleared', { bank: bank.name, fault })
  return await sandboxPage(context, viewer, { done })
}
