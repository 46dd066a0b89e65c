/** Lists all calls to the bank for a payment, the newest first: the story of the payment has the newest ones only. */
import { html } from 'ghtml'
import { type LoggedBankCall, listBankCalls } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Context } from '../../gateway/context.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import type { FilterReader } from '../lists/filter-reader.ts'
import { listPage } from '../lists/list-page.ts'
import { AFTER_PARAMETER, pageOf } from '../lists/next-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, leadColumn, numberColumn } from '../markup/data-table.ts'
import { bankTextMarkup } from '../markup/explained-codes.ts'
import { formatMilliseconds, timeMarkup } from '../markup/format-time.ts'
import { httpStatusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'

/** Throws `not-found` as the page of the payment does. */
export async function bankCallsPage(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const payment = await requireVisible(context, request.viewer, PAYMENT_ROWS, request.params['paymentId'])
  const path = `/console/payments/${payment.id}`
  const list = {
    path: `${path}/calls`,
    title: consoleText('bankCallList.title'),
    about: html`<p><a href="${path}">${consoleText('bankCallList.payment')}</a></p>`,
    isOfOnePartner: true,
    fields: [],
    filterOf: (filters: FilterReader) => ({ after: filters.id(AFTER_PARAMETER) }),
    read: async ({ after: beforeId }: { readonly after: string | undefined }, limit: number) => {
      const { rows, last } = pageOf(
        await listBankCalls(context.database, payment, { beforeId, limit: limit + 1 }),
        limit,
      )
      return { rows, next: last?.id }
    },
    columns: COLUMNS,
    none: consoleText('bankCallList.none'),
  } as const
  return await listPage(context, list, request)
}

const COLUMNS: Columns<LoggedBankCall> = {
  'bankCallList.at': ({ at }) => timeMarkup(at),
  'bankCallList.operation': leadColumn(
    ({ operation, method, path }) =>
      html`!${breakableText(operation)} <code class="quiet" title="${path}">${method}</code>`,
  ),
  'bankCallList.status': leadColumn(({ status, error }) =>
    status === null ? html`<strong>${error ?? ''}</strong>` : httpStatusMarkup(status),
  ),
  'bankCallList.answer': ({ bankText }) => bankTextMarkup(bankText),
  'bankCallList.requestId': ({ requestId }) => idMarkup(requestId ?? ''),
  'requests.duration': numberColumn(({ milliseconds }) => html`${formatMilliseconds(milliseconds)}`),
}
