/** Checks on request that the ledger of FX deals balances. */

import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { checkLedger } from '../../gateway/fx/ledger/ledger.ts'
import type { LedgerDiscrepancy } from '../../gateway/fx/ledger/ledger-lines.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { buttonForm } from '../markup/action-form.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

export const LEDGER_PATH = '/console/ledger'

/** `found` is markup of what a check has found; it reads the whole ledger, so only a form starts one. */
export function ledgerPage({ viewer }: ConsoleRequest, found = ''): ConsolePage {
  const body = html`<p>${consoleText('ledger.explain')}</p>
!${buttonForm({ path: `${LEDGER_PATH}/check`, token: viewer.token, label: consoleText('ledger.check'), isPrimary: true, isBlock: true })}
!${found}`
  return { kind: 'page', title: consoleText('ledger.title'), body }
}

export async function checkedLedger(context: Context): Promise<string> {
  const found = await checkLedger(context.database)
  const partners = await listPartnersWithClients(context)
  const names = new Map(partners.map(({ partner }) => [partner.id, partner.name]))
  const columns: Columns<LedgerDiscrepancy> = {
    'ledger.subject': ({ id }) => idMarkup(id),
    'ledger.partner': ({ partnerId }) => html`${names.get(partnerId) ?? partnerId}`,
    'ledger.amount': (amount) => html`${formatMoneyForReaders(amount)}`,
    'ledger.discrepancy': ({ what }) => html`${what}`,
  }
  return html`<div role="status"><h2>${consoleText('ledger.result')} !${timeMarkup(context.clock.real())}</h2>
!${dataTable(found, columns, consoleText('ledger.balances'))}</div>`
}
