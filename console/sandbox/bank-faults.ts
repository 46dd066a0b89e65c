/** Shows the faults of banks as switches. */

import { html } from 'ghtml'
import type { Bank } from '../../gateway/banks/connector/bank.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { BANK_FAULTS, type BankFault, listBankFaults } from '../../gateway/simulation/simulate-bank-events.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import { buttonForm } from '../markup/action-form.ts'
import { actionColumn, type Columns, dataTable } from '../markup/data-table.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANK_FIXTURE_PATH } from './bank-fixture-page.ts'

/** `path` is that of the sandbox page. */
export async function bankFaultSection(
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
