/** Lists all calls to the bank for a payment, the newest first: the story of the payment has the newest ones only. */
import { html } from 'ghtml'
import { listBankCalls } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { LoggedBankCall } from '../../gateway/banks/calls/logged-bank-call.ts'
import type { Context } from '../../gateway/context.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Column, dataTable } from '../markup/data-table.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, timeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Throws `not-found` as the page of the payment does. */
export async function bankCallsPage(
  context: Context,
  { viewer, query, params: { paymentId = '' } }: ConsoleRequest,
): Promise<ConsolePage> {
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, paymentId)
  const filters = filterReader(query)
  const beforeId = filters.id(AFTER_PARAMETER)
  const isValid = filters.errors.size === 0
  const calls = isValid ? await listBankCalls(context.database, key, { beforeId, limit: LIST_ROWS + 1 }) : []
  const { rows, last } = pageOf(calls)
  const path = `/console/payments/${key.id}`
  const body = html`<p><a href="${path}">${consoleText('bankCallList.payment')}</a></p>
!${dataTable(COLUMNS, rows.map(cellsOf), consoleText(isValid ? 'bankCallList.none' : 'filters.correct'))}
!${nextPageLink(`${path}/calls`, query, last?.id)}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('bankCallList.title'), body }
}

const COLUMNS: readonly Column[] = [
  { label: consoleText('bankCallList.at') },
  { label: consoleText('bankCallList.operation'), isLead: true },
  { label: consoleText('bankCallList.status'), isLead: true },
  { label: consoleText('bankCallList.answer') },
  { label: consoleText('bankCallList.requestId') },
  { label: consoleText('requests.duration'), kind: 'number' },
]

function cellsOf(call: LoggedBankCall): readonly string[] {
  return [
    timeMarkup(call.at),
    html`!${breakableText(call.operation)} <code class="quiet" title="${call.path}">${call.method}</code>`,
    call.status === null ? html`<strong>${call.error ?? ''}</strong>` : httpStatusMarkup(call.status),
    bankTextMarkup(call.bankText),
    idMarkup(call.requestId ?? ''),
    html`${formatMilliseconds(call.milliseconds)}`,
  ]
}
