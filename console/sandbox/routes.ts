/** What can be done in the sandbox by mouse: moving its clock, and giving its banks faults. */
import type { ClockMove } from '../../contract/sandbox/sandbox-clock.ts'
import { nextBankDay } from '../../gateway/countries/bank-days.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { moveClock } from '../../gateway/simulation/move-clock.ts'
import { injectBankFault } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { parseDay } from '../markup/filter-reader.ts'
import { formatTime } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANK_FAULTS, CLOCK_MOVES, SANDBOX_PATH, sandboxPage } from './sandbox-page.ts'

const NORDIC_CALENDARS = ['NO', 'SE', 'DK', 'FI'] as const
/** When banks in all Nordic countries are open. */
const MORNING = { timeZone: 'Europe/Oslo', plainTime: '08:00' }

/** Empty in production. */
export function sandboxRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  if (context.config.mode !== 'sandbox') {
    return []
  }
  const act = { method: 'POST', permission: 'sandbox' } as const
  return [
    { method: 'GET', permission: 'sandbox', path: SANDBOX_PATH, handle: ({ viewer }) => sandboxPage(context, viewer) },
    { ...act, path: `${SANDBOX_PATH}/clock`, handle: (request) => moveByButton(context, request) },
    { ...act, path: `${SANDBOX_PATH}/clock-date`, handle: (request) => moveToDate(context, request) },
    { ...act, path: `${SANDBOX_PATH}/bank-fault`, handle: (request) => giveFault(context, request) },
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
  const morning = parseDay(date)?.toZonedDateTime(MORNING).toInstant()
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

async function giveFault(context: ConsoleContext, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
  const bank = await context.banks.find(form.text('bic'))
  const effect = BANK_FAULTS.find((fault) => fault === form.text('effect'))
  if (bank === undefined || effect === undefined) {
    throw apiError('bad-request', consoleText('sandbox.noFault'))
  }
  await injectBankFault(requireSandboxBank(requireSimulation(context)), bank.bic, { effect })
  const fault = consoleText(`sandbox.faults.${effect}`)
  return await sandboxPage(context, viewer, { done: consoleText('sandbox.faultGiven', { bank: bank.name, fault }) })
}

function nextBankMorning({ clock }: ConsoleContext): Temporal.Instant {
  const tomorrow = clock.today(MORNING.timeZone).add({ days: 1 })
  return nextBankDay(NORDIC_CALENDARS, tomorrow).toZonedDateTime(MORNING).toInstant()
}
