/** Serves the simulated app: its list of orders, the scanning of a code, and an opened order. */

import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { type Static, Type } from 'typebox'
import { isId } from '../../../gateway/platform/ids.ts'
import { renderQrImage } from '../../../gateway/platform/render-qr-image.ts'
import { sendPage } from '../../page-server.ts'
import { findRow } from '../../rows.ts'
import { findAuthorisationByAppCode } from '../authorisations/app-authorisations.ts'
import { currentAppCode } from '../authorisations/app-code.ts'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationByLink, authorisationsInApps } from '../authorisations/authorisation-store.ts'
import { openAuthorisation } from '../authorisations/identify-signer.ts'
import type { Context } from '../context.ts'
import { requireBankByBic, userById } from '../fixture-lookup.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import type { Payment } from '../payments/payment.ts'
import { amountText, errorNote, page } from './layout.ts'
import { paymentsToSign, subjectTexts } from './sca-page.ts'
import { Answer, renderAuthorisationPage, submitAnswer } from './sca-page-routes.ts'

const Scan = Type.Object({ code: Type.Optional(Type.String({ maxLength: 2_000 })) })

export function appRoutes(context: Context, server: FastifyInstance): void {
  server.get('/app', async (_request, reply) => sendPage(reply, 200, await appPage(context, null)))
  server.post<{ Body: Static<typeof Scan> }>('/app', { schema: { body: Scan } }, async (request, reply) =>
    scan(context, reply, request.body.code ?? ''),
  )
  orderRoutes(context, server)
  server.get<{ Params: { id: string; token: string } }>('/codes/:id/:token', async ({ params }, reply) => {
    const found = await authorisationByLink(context, params.id, params.token)
    const code = found === undefined ? null : currentAppCode(context, found)
    return code === null ? reply.callNotFound() : reply.type('image/png').send(renderQrImage(code))
  })
}

/** One order: opened from the list, answered with a user and a decision. */
function orderRoutes(context: Context, server: FastifyInstance): void {
  server.get<{ Params: { id: string } }>('/app/:id', async ({ params }, reply) => {
    const found = await appOrder(context, params.id)
    return found === undefined
      ? reply.callNotFound()
      : sendPage(reply, 200, await renderAuthorisationPage(context, found, null))
  })
  server.post<{ Params: { id: string }; Body: Answer }>(
    '/app/:id',
    { schema: { body: Answer } },
    async (request, reply) => {
      const found = await appOrder(context, request.params.id)
      if (found === undefined) {
        return reply.callNotFound()
      }
      await openAuthorisation(context, found)
      const isFromList = request.body.decision === undefined && request.body.userId === undefined
      return await (isFromList ? reply.redirect(request.url, 303) : submitAnswer(context, request, reply, found))
    },
  )
}

/** Simulates the scan of a code: opens the order if the code is valid and was not scanned before. */
async function scan(context: Context, reply: FastifyReply, code: string): Promise<FastifyReply> {
  const found = await findAuthorisationByAppCode(context, code)
  if (found === undefined) {
    const validationError =
      'The app does not recognise this code. Copy the whole code again: codes change every second.'
    return sendPage(reply, 404, await appPage(context, validationError))
  }
  await openAuthorisation(context, found)
  return await reply.redirect(`/app/${found.id}`, 303)
}

async function appOrder(context: Context, id: string): Promise<Authorisation | undefined> {
  const found = isId(id) ? await findRow(context, 'authorisations', { id }) : undefined
  return found?.approach === 'app' ? found : undefined
}

/** Maximum number of orders in the list. */
const AUTHORISATIONS_SHOWN = 30

/** `validationError` is the error of the previous code. */
async function appPage(context: Context, validationError: string | null): Promise<string> {
  const orders = await authorisationsInApps(context, AUTHORISATIONS_SHOWN)
  const items = await Promise.all(orders.map((order) => authorisationItem(context, order)))
  const content = html`<h1>Sign in the app</h1>
<p>This page simulates the app on a phone: BankID in Sweden, MitID in Denmark. In the sandbox you select the user.</p>
!${errorNote(validationError)}
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
<strong>${subjectTexts[order.subject].heading}</strong><span>${(await paymentsToSign(context, order)).map(paymentText).join('; ')}</span>
<span class="quiet">${bank.name}${named === undefined ? '' : `, for ${named.name}`}</span></button></form></li>`
}

/** Of a bulk only the number and total. */
function paymentText(payment: Payment): string {
  const amount = amountText({ minor: payment.amount_minor, currency: payment.currency })
  return isBulk(payment) ? `${payment.creditor_name}, ${amount} in all` : `${amount} to ${payment.creditor_name}`
}
