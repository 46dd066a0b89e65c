/** Shows the sandbox: its clock with what is due, and the faults of its banks as switches. */
import { html } from 'ghtml'
import type { Bank } from '../../gateway/banks/connector/bank.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { BANK_FAULTS, type BankFault, listBankFaults } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import type { Viewer } from '../access/viewer.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
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
  const forms = { path: SANDBOX_PATH, token }
  const body = html`!${noticeMarkup(notice.done === undefined ? undefined : { status: 200, message: notice.done })}
<p>${consoleText('sandbox.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
!${await clockSection(context, { ...forms, rejected: notice })}
!${await bankFaultSection(context, forms)}
!${dataSetSection(viewer)}`
  return { kind: 'page', status: notice.dateError === undefined ? 200 : 422, title: consoleText('sandbox.title'), body }
}

/** `path` is that of the sandbox page. */
async function bankFaultSection(
  context: ConsoleContext,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<string> {
  const banks = await context.banks.all()
  const faults = await readFaults(context)
  const columns: Columns<Bank> = {
    'sandbox.bank': ({ bic, name }) => html`<a href="${BANK_FIXTURE_PATH}?bic=${bic}">${name} (${bic})</a>`,
    'sandbox.country': ({ countryCode }) => html`${countryCode}`,
    'sandbox.fault': actionColumn((bank) => switches(bank, faults.get(bank.bic) ?? new Set(), { path, token })),
  }
  return html`<h2>${consoleText('sandbox.banks')}</h2>
<p>${consoleText('sandbox.faultsExplain')}</p>
!${dataTable(banks, columns, consoleText('sandbox.noBanks'))}
!${buttonForm({ path: `${path}/clear-faults`, token, label: consoleText('sandbox.clearFaults'), isPrimary: true, isBlock: true })}`
}

/** A gateway in sandbox mode may run without the sandbox bank. */
async function readFaults(context: ConsoleContext): Promise<ReadonlyMap<string, ReadonlySet<BankFault['effect']>>> {
  const { bank } = context.simulation ?? { bank: null }
  return bank === null ? new Map() : await listBankFaults(requireSandboxBank(requireSimulation(context)))
}

function switches(
  { bic, name }: Bank,
  on: ReadonlySet<BankFault['effect']>,
  { path, token }: { readonly path: string; readonly token: string },
): string {
  const buttons = BANK_FAULTS.map((fault) => {
    const [text, isOn] = [consoleText(`sandbox.faults.${fault}`), on.has(fault)]
    const value = `${fault} ${isOn ? 'off' : 'on'}`
    return html`<button class="second switch" name="switch" value="${value}" aria-pressed="${String(isOn)}" aria-label="${name}: ${text}">${text}</button>`
  })
  return html`<form class="row" method="post" action="${path}/bank-fault">!${tokenField(token)}<input type="hidden" name="bic" value="${bic}">!${buttons.join('\n')}</form>`
}
