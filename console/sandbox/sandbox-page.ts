/** Shows the sandbox: its clock, and the faults that its banks can be given. */
import { html } from 'ghtml'
import type { SandboxClock } from '../../contract/sandbox/sandbox-clock.ts'
import type { Bank } from '../../gateway/banks/directory/bank.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { getSandboxClock } from '../../gateway/simulation/move-clock.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import type { Viewer } from '../layout/viewer.ts'
import { dataTable } from '../markup/data-table.ts'
import { factList } from '../markup/fact-list.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

export const SANDBOX_PATH = '/console/sandbox'

/** The moves that a button makes. */
export const CLOCK_MOVES = ['hour', 'bankDay', 'reset'] as const
/** The faults of banks, as the API names them. */
export const BANK_FAULTS = ['down', 'slow', 'lose-next-answer'] as const

/** What an action has done, or why the date that was entered is rejected. */
export type SandboxNotice = { readonly done?: string; readonly dateError?: string; readonly date?: string }

export async function sandboxPage(
  context: ConsoleContext,
  { token }: Viewer,
  notice: SandboxNotice = {},
): Promise<ConsolePage> {
  const [clock, banks] = [await getSandboxClock(context), await context.banks.all()]
  const body = html`!${notice.done === undefined ? '' : html`<div class="notice" role="status"><p>${notice.done}</p></div>`}
<p>${consoleText('sandbox.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
<h2>${consoleText('sandbox.clock')}</h2>
!${clockFacts(clock)}
!${clockForms(token, notice)}
<h2>${consoleText('sandbox.banks')}</h2>
<p>${consoleText('sandbox.faultsExplain')}</p>
!${bankTable(banks, token)}
<form class="actions" method="post" action="${SANDBOX_PATH}/clear-faults">!${tokenField(token)}<button>${consoleText('sandbox.clearFaults')}</button></form>`
  return { kind: 'page', status: notice.dateError === undefined ? 200 : 422, title: consoleText('sandbox.title'), body }
}

function clockFacts({ now, real, movingTo }: SandboxClock): string {
  return factList([
    [consoleText('sandbox.now'), timeMarkup(Temporal.Instant.from(now))],
    [consoleText('sandbox.real'), timeMarkup(Temporal.Instant.from(real))],
    [consoleText('sandbox.movingTo'), movingTo === undefined ? undefined : timeMarkup(Temporal.Instant.from(movingTo))],
  ])
}

function clockForms(token: string, { date = '', dateError }: SandboxNotice): string {
  const buttons = CLOCK_MOVES.map(
    (move) => html`<button class="second" name="move" value="${move}">${consoleText(`sandbox.moves.${move}`)}</button>`,
  )
  const invalid = dateError === undefined ? '' : html`aria-invalid="true" aria-describedby="clock-date-error"`
  return html`<form class="actions" method="post" action="${SANDBOX_PATH}/clock">!${tokenField(token)}!${buttons.join('\n')}</form>
<form class="filters" method="post" action="${SANDBOX_PATH}/clock-date">!${tokenField(token)}
<div class="field"><label for="clock-date">${consoleText('sandbox.date')}</label>
<input type="date" id="clock-date" name="date" value="${date}" required !${invalid}>
!${dateError === undefined ? '' : html`<p class="error" id="clock-date-error">${dateError}</p>`}</div>
<div class="field buttons"><button class="second">${consoleText('sandbox.setDate')}</button></div>
</form>`
}

function bankTable(banks: readonly Bank[], token: string): string {
  const columns = [
    { label: consoleText('sandbox.bank') },
    { label: consoleText('sandbox.country') },
    { label: consoleText('sandbox.fault'), kind: 'action' as const },
  ]
  return dataTable(
    columns,
    banks.map((bank) => [html`${bank.name} (${bank.bic})`, html`${bank.countryCode}`, faultForm(bank, token)]),
    consoleText('sandbox.noBanks'),
  )
}

function faultForm({ bic, name }: Bank, token: string): string {
  const buttons = BANK_FAULTS.map((fault) => {
    const text = consoleText(`sandbox.faults.${fault}`)
    return html`<button class="second" name="effect" value="${fault}" aria-label="${name}: ${text}">${text}</button>`
  })
  return html`<form class="row" method="post" action="${SANDBOX_PATH}/bank-fault">!${tokenField(token)}<input type="hidden" name="bic" value="${bic}">!${buttons.join('\n')}</form>`
}
