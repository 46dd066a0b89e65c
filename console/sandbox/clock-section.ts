/** Shows the sandbox's clock, what is due next, and the forms that move it. */

import { html } from 'ghtml'
import type { SandboxClock } from '../../contract/sandbox/sandbox-clock.ts'
import { nextBankDay, REPORTING_TIME_ZONE } from '../../gateway/countries/bank-days.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { listDueTimes } from '../../gateway/simulation/advance-clock-in-steps.ts'
import { getSandboxClock } from '../../gateway/simulation/move-clock.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import { parseDay } from '../lists/filter-reader.ts'
import { actionForm, renderedField } from '../markup/action-form.ts'
import { dataTable, factList } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

/** The moves that a button makes. */
export const CLOCK_MOVES = ['hour', 'bankDay', 'reset'] as const

/** Why the date that was entered is rejected. */
export type RejectedDate = { readonly date?: string; readonly dateError?: string }

const NORDIC_CALENDARS = ['NO', 'SE', 'DK', 'FI'] as const
/** When banks in all Nordic countries are open. */
const MORNING = { timeZone: REPORTING_TIME_ZONE, plainTime: '08:00' }

/** `path` is where the forms go. */
export async function clockSection(
  context: ConsoleContext,
  { path, token, rejected }: { readonly path: string; readonly token: string; readonly rejected: RejectedDate },
): Promise<string> {
  const clock = await getSandboxClock(context)
  return html`<h2>${consoleText('sandbox.clock')}</h2>
!${clockFacts(clock)}
<p class="quiet">${consoleText('sandbox.zone')}</p>
!${clockForms(path, token, rejected)}
<h3>${consoleText('sandbox.due')}</h3>
!${await dueTable(context)}`
}

export function nextBankMorning({ clock }: Pick<ConsoleContext, 'clock'>): Temporal.Instant {
  const tomorrow = clock.today(MORNING.timeZone).add({ days: 1 })
  return nextBankDay(NORDIC_CALENDARS, tomorrow).toZonedDateTime(MORNING).toInstant()
}

/** Undefined for a text that is no date. */
export function morningOf(date: string): Temporal.Instant | undefined {
  return parseDay(date)?.toZonedDateTime(MORNING).toInstant()
}

function clockFacts({ now, real, movingTo }: SandboxClock): string {
  return factList({
    'sandbox.now': timeMarkup(Temporal.Instant.from(now)),
    'sandbox.real': timeMarkup(Temporal.Instant.from(real)),
    'sandbox.movingTo': movingTo === undefined ? undefined : timeMarkup(Temporal.Instant.from(movingTo)),
  })
}

function clockForms(path: string, token: string, { date = '', dateError }: RejectedDate): string {
  const buttons = CLOCK_MOVES.map(
    (move) => html`<button class="second" name="move" value="${move}">${consoleText(`sandbox.moves.${move}`)}</button>`,
  )
  const [label, button] = [consoleText('sandbox.date'), consoleText('sandbox.setDate')]
  const fields = [{ name: 'date', label, type: 'date', value: date, error: dateError }] as const
  return html`<form class="actions" method="post" action="${path}/clock">!${tokenField(token)}!${renderedField()}!${buttons.join('\n')}</form>
!${actionForm({ path: `${path}/clock-date`, button, fields, token, isRow: true, isSecondary: true })}`
}

/** What a move will run on its way, by the moves of the buttons. */
async function dueTable(context: ConsoleContext): Promise<string> {
  const dues = await listDueTimes(context, requireSimulation(context)).catch(() => undefined)
  if (dues === undefined) {
    return html`<p class="empty">${consoleText('sandbox.dueUnknown')}</p>`
  }
  const now = context.clock.now()
  const [hour, bankDay] = [now.add({ hours: 1 }), nextBankMorning(context)]
  // What waits for a worker may have no time of its own.
  const first = (at: Temporal.Instant) =>
    Temporal.Instant.compare(at, now) <= 0 ? html`${consoleText('sandbox.dueNow')}` : timeMarkup(at)
  const mark = (at: Temporal.Instant, until: Temporal.Instant) =>
    html`${consoleText(Temporal.Instant.compare(at, until) <= 0 ? 'sandbox.isDue' : 'sandbox.isNotDue')}`
  return dataTable(
    dues,
    {
      'sandbox.dueWhat': ({ name }) => html`${name}`,
      'sandbox.dueFirst': ({ at }) => first(at),
      'sandbox.moves.hour': ({ at }) => mark(at, hour),
      'sandbox.moves.bankDay': ({ at }) => mark(at, bankDay),
    },
    consoleText('sandbox.nothingDue'),
  )
}
