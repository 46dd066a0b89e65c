/** The first page of the simulated app: an input for a code, and the open orders. */
import { html } from 'ghtml'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationsInApps } from '../authorisations/authorisation-store.ts'
import type { Context } from '../context.ts'
import { requireBankByBic, userById } from '../fixture-lookup.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import type { Payment } from '../payments/payment.ts'
import { amountText, page } from './layout.ts'
import { headings, paymentsToSign } from './sca-page.ts'

/** Maximum number of orders in the list. */
const AUTHORISATIONS_SHOWN = 30

/** `validationError` is the error of the previous code. */
export async function appPage(context: Context, validationError: string | null): Promise<string> {
  const orders = await authorisationsInApps(context.database.query, AUTHORISATIONS_SHOWN)
  const items = await Promise.all(orders.map((order) => authorisationItem(context, order)))
  const content = html`<h1>Sign in the app</h1>
<p>This page simulates the app on a phone: BankID in Sweden, MitID in Denmark. In the sandbox you select the user.</p>
!${validationError === null ? '' : html`<p class="note stop" role="alert">${validationError}</p>`}
<form method="post" class="card">
<label for="code" class="field">Scan a code</label>
<p class="quiet" id="code-help">Paste the text of the code, or the start token.</p>
<input type="text" id="code" name="code" aria-describedby="code-help" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="bankid.…">
<div class="buttons"><button class="main">Scan</button></div>
</form>
<h2 id="orders">Pending on this phone</h2>
!${items.length === 0 ? '<p>There is nothing to sign.</p>' : html`<ul class="orders">!${items.join('')}</ul>`}`
  return page({ title: 'App', bankName: 'Sandbox banks', content })
}

async function authorisationItem(context: Context, order: Authorisation): Promise<string> {
  const bank = requireBankByBic(context.fixture, order.bank)
  const named = order.psu_id === null ? undefined : userById(context.fixture, order.psu_id)
  return html`<li><form method="post" action="/app/${order.id}"><button class="order">
<strong>${headings[order.subject]}</strong><span>${(await paymentsToSign(context, order)).map(paymentText).join('; ')}</span>
<span class="quiet">${bank.name}${named === undefined ? '' : `, for ${named.name}`}</span></button></form></li>`
}

/** Of a bulk only the number and total. */
function paymentText(payment: Payment): string {
  const amount = amountText({ minor: payment.amount_minor, currency: payment.currency })
  return isBulk(payment) ? `${payment.creditor_name}, ${amount} in all` : `${amount} to ${payment.creditor_name}`
}
