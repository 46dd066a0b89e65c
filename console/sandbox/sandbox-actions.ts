/** Moves the clock of the sandbox, and gives its banks faults. */
import type { ClockMove } from '../../contract/sandbox/sandbox-clock.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { moveClock } from '../../gateway/simulation/move-clock.ts'
import { BANK_FAULTS, clearBankFault, injectBankFault } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { formatTime } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CLOCK_MOVES, morningOf, nextBankMorning } from './clock-section.ts'
import { sandboxPage } from './sandbox-page.ts'

export async function moveByButton(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
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
export async function moveToDate(context: ConsoleContext, request: ConsoleRequest): Promise<ConsoleAnswer> {
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
export async function switchFault(context: ConsoleContext, { viewer, form }: ConsoleRequest): Promise<ConsoleAnswer> {
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
