/** Shows the sandbox: its clock with what is due, and the faults of its banks as switches. */
import { html } from 'ghtml'
import type { Bank } from '../../gateway/banks/connector/bank.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { BANK_FAULTS, type BankFault, listBankFaults } from '../../gateway/simulation/simulate-bank-events.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { actionColumn, type Columns, dataTable } from '../markup/data-table.ts'
import { noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANK_FIXTURE_PATH } from './bank-fixture-page.ts'
import { clockSection, type RejectedDate } from './clock-section.ts'
import { dataSetSection } from './data-sets.ts'

export const SANDBOX_PATH = '/console/sandbox'

/** What an action has done, or why the date that was entered is rejected. */
type SandboxNotice = RejectedDate & { readonly done?: string }

export async function sandboxPage(
  context: ConsoleContext,
  viewer: Viewer,
  notice: SandboxNotice = {},
): Promise<ConsolePage> {
  const { token } = viewer
  const body = html`!${noticeMarkup(notice.done === undefined ? undefined : { status: 200, message: notice.done })}
<p>${consoleText('sandbox.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
!${await clockSection(context, { path: SANDBOX_PATH, token, rejected: notice })}
!${await bankFaultSection(context, token)}
!${dataSetSection(viewer)}`
  return { kind: 'page', status: notice.dateError === undefined ? 200 : 422, title: consoleText('sandbox.title'), body }
}

async function bankFaultSection({ banks, simulation }: ConsoleContext, token: string): Promise<string> {
  // A gateway in sandbox mode may run without the sandbox bank.
  const faults = simulation?.bank == null ? undefined : await listBankFaults(simulation.bank)
  const columns: Columns<Bank> = {
    'sandbox.bank': ({ bic, name }) => html`<a href="${BANK_FIXTURE_PATH}?bic=${bic}">${name} (${bic})</a>`,
    'sandbox.country': ({ countryCode }) => html`${countryCode}`,
    'sandbox.fault': actionColumn((bank) => switches(bank, faults?.get(bank.bic), token)),
  }
  return html`<h2>${consoleText('sandbox.banks')}</h2>
<p>${consoleText('sandbox.faultsExplain')}</p>
!${dataTable(await banks.all(), columns, consoleText('sandbox.noBanks'))}
!${buttonForm({ path: `${SANDBOX_PATH}/clear-faults`, token, label: consoleText('sandbox.clearFaults'), isPrimary: true, isBlock: true })}`
}

function switches({ bic, name }: Bank, on: ReadonlySet<BankFault['effect']> | undefined, token: string): string {
  const buttons = BANK_FAULTS.map((fault) => {
    const [text, isOn] = [consoleText(`sandbox.faults.${fault}`), on?.has(fault) === true]
    const value = `${fault} ${isOn ? 'off' : 'on'}`
    return html`<button class="second switch" name="switch" value="${value}" aria-pressed="${String(isOn)}" aria-label="${name}: ${text}">${text}</button>`
  })
  return html`<form class="row" method="post" action="${SANDBOX_PATH}/bank-fault">!${tokenField(token)}<input type="hidden" name="bic" value="${bic}">!${buttons.join('\n')}</form>`
}
