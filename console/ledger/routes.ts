/** Checks on request that the ledger of FX deals balances. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { checkLedger } from '../../gateway/fx/ledger/ledger.ts'
import type { LedgerDiscrepancy } from '../../gateway/fx/ledger/ledger-lines.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRoute } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { formatMoneyForReaders } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'

const PATH = '/console/ledger'

/** The check reads the whole ledger, so only a form starts it. */
export function ledgerRoutes(context: Context): readonly ConsoleRoute[] {
  const permission = 'operations.read'
  return [
    { method: 'GET', path: PATH, permission, handle: async ({ viewer }) => ledgerPage(viewer, '') },
    {
      method: 'POST',
      path: `${PATH}/check`,
      permission,
      handle: async ({ viewer }) => ledgerPage(viewer, await checkedLedger(context)),
    },
  ]
}

function ledgerPage(viewer: Viewer, result: string): ConsolePage {
  const body = html`<p>${consoleText('ledger.explain')}</p>
<form class="actions" method="post" action="${PATH}/check">!${tokenField(viewer.token)}<button>${consoleText('ledger.check')}</button></form>
!${result}`
  return { kind: 'page', title: consoleText('ledger.title'), body }
}

async function checkedLedger(context: Context): Promise<string> {
  const found = await checkLedger(context.database)
  const partners = await listPartnersWithClients(context)
  const names = new Map(partners.map(({ partner }) => [partner.id, partner.name]))
  const columns = (['subject', 'partner', 'amount', 'discrepancy'] as const).map((name) => ({
    label: consoleText(`ledger.${name}`),
  }))
  const rows = found.map((discrepancy) => cellsOf(discrepancy, names))
  return html`<div role="status"><h2>${consoleText('ledger.result')} !${timeMarkup(context.clock.real())}</h2>
!${dataTable(columns, rows, consoleText('ledger.balances'))}</div>`
}

function cellsOf(
  { id, partnerId, what, currency, minor }: LedgerDiscrepancy,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  return [
    idMarkup(id),
    html`${names.get(partnerId) ?? partnerId}`,
    html`${formatMoneyForReaders({ minor, currency })}`,
    html`${what}`,
  ]
}
