/** Compares banks with the database on request, and lists the orders that it does not hold. */

import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { reconcileWithBanks } from '../../gateway/orders/reconcile/reconcile-with-banks.ts'
import type { Reconciliation } from '../../gateway/orders/reconcile/reconciliation.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { actorOf } from '../access/console-session.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterField, NOTHING_ENTERED } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { startOfDayForReaders } from '../markup/format-time.ts'
import { taskKindText } from '../markup/task-kind.ts'
import { valueText } from '../markup/value-text.ts'
import { consoleText } from '../texts/console-texts.ts'

export const RECONCILIATION_PATH = '/console/reconciliation'

/** It reads at banks, so only a form starts it. */
export async function reconcileOfForm(context: Context, request: ConsoleRequest): Promise<ConsolePage> {
  const { viewer, form } = request
  const query = new URLSearchParams({ from: form.text('from'), to: form.text('to'), bank: form.text('bank').trim() })
  const filters = filterReader(query)
  const { from, to } = filters.period()
  const typed = query.get('bank') || undefined
  const bank = typed === undefined ? undefined : await context.banks.find(typed)
  if (query.get('from') === '') {
    filters.reject('from', consoleText('filters.noDay'))
  }
  if (typed !== undefined && bank === undefined) {
    filters.reject('bank', consoleText('reconciliation.noBank'))
  }
  const { errors } = filters
  if (errors.size > 0 || from === undefined) {
    return { ...reconciliationPage(request, { query, errors }), status: 422 }
  }
  const end = to === undefined ? context.clock.now() : startOfDayForReaders(to.add({ days: 1 }))
  const done = await reconcileWithBanks(context, {
    window: { from: startOfDayForReaders(from), to: end },
    actor: actorOf(viewer.session),
    ...(bank === undefined ? {} : { bic: bank.bic }),
  })
  return reconciliationPage(request, { query, errors }, resultOf(done))
}

export function reconciliationPage({ viewer }: ConsoleRequest, state = NOTHING_ENTERED, result = ''): ConsolePage {
  const fields = [
    { name: 'from', label: consoleText('reconciliation.from'), type: 'date', isRequired: true },
    { name: 'to', label: consoleText('reconciliation.to'), type: 'date', hint: consoleText('reconciliation.toHint') },
    { name: 'bank', label: consoleText('reconciliation.bank'), hint: consoleText('reconciliation.bankHint') },
  ] as const
  const body = html`<p>${consoleText('reconciliation.explain')}</p>
<p>${consoleText('reconciliation.log')}</p>
<form class="filters" method="post" action="${RECONCILIATION_PATH}/run">!${tokenField(viewer.token)}
!${fields.map((field) => filterField(field, state)).join('\n')}
<div class="field buttons"><button>${consoleText('reconciliation.run')}</button></div>
</form>
!${result}`
  return { kind: 'page', title: consoleText('reconciliation.title'), body }
}

function resultOf({ accounts, orders }: Reconciliation): string {
  const orderColumns: Columns<Reconciliation['orders'][number]> = {
    'reconciliation.bank': ({ bank }) => html`${bank}`,
    'reconciliation.kind': ({ kind }) => html`<a href="/console/tasks?kind=${kind}">${taskKindText(kind)}</a>`,
    'reconciliation.detail': ({ detail }) => html`<code>${valueText(detail)}</code>`,
    'reconciliation.task': ({ isNew }) =>
      html`${consoleText(isNew ? 'reconciliation.newTask' : 'reconciliation.taskExists')}`,
  }
  const accountColumns: Columns<Reconciliation['accounts'][number]> = {
    'reconciliation.bank': ({ bank }) => html`${bank}`,
    'reconciliation.company': ({ organisationNumber }) => html`${organisationNumber}`,
    'reconciliation.account': ({ account }) => html`<code>${account}</code>`,
    'reconciliation.outcome': ({ outcome, text }) => html`${text === null ? outcome : `${outcome}: ${text}`}`,
    'reconciliation.debits': ({ debits }) => html`${debits}`,
  }
  return html`<div role="status"><h2>${consoleText('reconciliation.found')}</h2>
!${dataTable(orders, orderColumns, consoleText('reconciliation.nothing'))}
<h2>${consoleText('reconciliation.accounts')}</h2>
!${dataTable(accounts, accountColumns, consoleText('reconciliation.noAccounts'))}</div>`
}
