/** The front page: traded currencies, balances, conversions and payments. */

import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import { page, table } from '../bank/pages/layout.ts'
import { sendPage, serveStyle } from '../page-server.ts'
import { listRows } from './books/rows.ts'
import type { Context } from './context.ts'
import { fundingAccounts } from './funds/receive-inbound-funds.ts'
import { formatAmount } from './market/market.ts'
import { formatInstant } from './protocol/format-time.ts'

const LATEST = { number: 1, size: 50, isDescending: true }

export function pageRoutes(context: Context, scope: FastifyInstance): void {
  serveStyle(scope)
  scope.get('/', async (_request, reply) => sendPage(reply, 200, await frontPage(context)))
}

async function frontPage(context: Context): Promise<string> {
  const content = html`<h1>An FX provider</h1>
<p>It exists on this machine only. It holds rates, exchanges inbound funds, and pays beneficiaries, with the API that Currencycloud publishes. No money here is real.</p>
<p class="quiet">Its clock says ${formatInstant(context.clock.now())}. Its API is below <span class="code">/v2</span>, and its control API below <span class="code">/control</span>.</p>
<h2 id="conversions">Conversions</h2>!${await conversionTable(context)}
<h2 id="payments">Payments</h2>!${await paymentTable(context)}
<h2 id="arrivals">Inbound funds</h2>!${await inboundFundsTable(context)}
<h2 id="accounts">Funding accounts</h2>!${accountTable()}`
  return page({ title: 'Overview', bankName: 'Sandbox exchange', content, isWide: true })
}

async function conversionTable(context: Context): Promise<string> {
  const { rows } = await listRows(context, 'conversions', LATEST)
  return tableOrNone(
    ['Booked', 'Buys', 'Sells', 'Reason', 'Settles', 'Status'],
    rows.map((row) => [
      formatInstant(row.created_at),
      `${formatAmount(row.buy_minor, row.buy_currency)} ${row.buy_currency}`,
      `${formatAmount(row.sell_minor, row.sell_currency)} ${row.sell_currency}`,
      row.reason,
      formatInstant(row.settles_at),
      row.loss_minor === null ? row.status : 'cancelled',
    ]),
  )
}

async function paymentTable(context: Context): Promise<string> {
  const { rows } = await listRows(context, 'payments', LATEST)
  return tableOrNone(
    ['Ordered', 'Amount', 'Reference', 'Day', 'Status'],
    rows.map((row) => [
      formatInstant(row.created_at),
      `${formatAmount(row.amount_minor, row.currency)} ${row.currency}`,
      row.reference,
      row.payment_on.toString(),
      row.failure_reason === '' ? row.status : `${row.status}: ${row.failure_reason}`,
    ]),
  )
}

async function inboundFundsTable(context: Context): Promise<string> {
  const { rows } = await listRows(context, 'arrivals', LATEST)
  return tableOrNone(
    ['Sent', 'Amount', 'From', 'Reference', 'Status'],
    rows.map((row) => [
      formatInstant(row.created_at),
      `${formatAmount(row.amount_minor, row.currency)} ${row.currency}`,
      row.sender.name,
      row.reference,
      row.status,
    ]),
  )
}

function accountTable(): string {
  return tableOrNone(
    ['Currency', 'From banks in', 'IBAN', 'BIC', 'Bank'],
    fundingAccounts.map(({ currency, country, iban, bic, bankName }) => [currency, country, iban, bic, bankName]),
  )
}

function tableOrNone(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((text) => html`${text}`))
  return rows.length === 0 ? '<p>None yet.</p>' : table(head, cells)
}
