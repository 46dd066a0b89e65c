/** Serves the browser pages of the authorisation server: authorisation endpoint, login page and redirect. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { type Static, Type } from 'typebox'
import { isId } from '../../../gateway/platform/ids.ts'
import { sendPage } from '../../page-server.ts'
import { scriptedUser } from '../authorisations/scripted-user-lookup.ts'
import type { Context } from '../context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { isCustomer } from '../fixture-lookup.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { errorNote, messagePage, page, userChoices } from '../pages/layout.ts'
import { completeGrant, denyGrant, findPendingLogin, type GrantResult } from './complete-grant.ts'
import type { GrantLink, GrantRequest } from './oauth-store.ts'
import { parseScope, type Service } from './scope.ts'
import { type RawQuery, startGrant } from './start-grant.ts'
import { oauthBankAt } from './token-routes.ts'

const REQUEST = '/oauth/:bank/requests/:id/:token'

/** The submitted form. */
const Answer = Type.Object({
  userId: Type.Optional(Type.String()),
  decision: Type.Union([Type.Literal('approve'), Type.Literal('reject')]),
})
type Answer = Static<typeof Answer>

export function oauthPageRoutes(context: Context, server: FastifyInstance): void {
  server.get<{ Params: { bank: string }; Querystring: RawQuery }>('/oauth/:bank/authorize', async (request, reply) => {
    const bank = oauthBankAt(context, request.params.bank)
    return bank === undefined
      ? sendProblem(reply, 404, 'Sandbox bank', 'No bank here has app access.')
      : await send(reply, bank, await startGrant(context, bank, request.query))
  })
  server.get<{ Params: GrantLink }>(REQUEST, async ({ params }, reply) => {
    const bank = bankOfRequest(context, params)
    if (bank === undefined) {
      return sendUnknown(reply)
    }
    const link = { ...params, bank: bank.bic }
    const waiting = await findPendingLogin(context, link)
    return waiting === undefined
      ? await send(reply, bank, await completeGrant(context, link))
      : sendPage(reply, 200, loginPage(context, bank, waiting, null))
  })
  server.post<{ Params: GrantLink; Body: Answer }>(
    REQUEST,
    { schema: { body: Answer } },
    async ({ params, body }, reply) => {
      const bank = bankOfRequest(context, params)
      return bank === undefined ? sendUnknown(reply) : await decide(context, bank, { ...params, ...body }, reply)
    },
  )
}

async function decide(
  context: Context,
  bank: BankProfile,
  { id, token, decision, userId = '' }: GrantLink & Answer,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = { bank: bank.bic, id, token }
  const waiting = await findPendingLogin(context, link)
  if (decision === 'reject' || waiting === undefined) {
    return await send(reply, bank, await (waiting === undefined ? completeGrant : denyGrant)(context, link))
  }
  const answered = await completeGrant(context, link, userId)
  return answered !== null && 'validationError' in answered
    ? sendPage(reply, 403, loginPage(context, bank, waiting, answered.validationError))
    : await send(reply, bank, answered)
}

/** The bank of a link, which names it by its base path. */
function bankOfRequest(context: Context, { bank, id }: GrantLink): BankProfile | undefined {
  return isId(id) ? oauthBankAt(context, bank) : undefined
}

/** Redirects the browser, or shows the error message. */
async function send(reply: FastifyReply, { name }: BankProfile, answered: GrantResult): Promise<FastifyReply> {
  if (answered !== null && 'redirect' in answered) {
    return await reply.redirect(answered.redirect, 303)
  }
  const text =
    answered?.validationError ?? 'The authorisation is not finished. Finish it in the window where you began it.'
  return sendProblem(reply, answered === null ? 409 : 400, name, text)
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  return sendProblem(reply, 404, 'Sandbox bank', 'This page does not exist. Go back to the app and start again.')
}

function sendProblem(reply: FastifyReply, status: number, bankName: string, text: string): FastifyReply {
  return sendPage(reply, status, messagePage(bankName, 'This does not work', text))
}

const serviceTexts: Readonly<Record<Service, string>> = {
  AIS: 'request access to your accounts',
  PIS: 'submit payments, each of which you sign',
}

/** `validationError` is the error of the previous submission. */
function loginPage(context: Context, bank: BankProfile, request: GrantRequest, validationError: string | null): string {
  const scope = parseScope(bank, request.scope)
  const services = scope?.type === 'services' ? scope.services : []
  const content = html`<h1>Log in with ${rulesOf(bank).words.login}</h1>
<p>The app <strong class="code">${request.client_id}</strong> requests access at ${bank.name}. In the sandbox you select the user.</p>
!${errorNote(validationError)}
<div class="card"><p>It will be able to:</p><ul class="list">!${services.map((service) => html`<li>${serviceTexts[service]}</li>`).join('')}</ul></div>
<form method="post" class="card">
!${userChoices(possibleUsers(context, bank, request.login_hint), request.login_hint)}
<div class="buttons"><button class="main" name="decision" value="approve">Log in and give access</button>
<button class="stop" name="decision" value="reject">Decline</button></div>
</form>`
  return page({ title: 'Log in', bankName: bank.name, content })
}

/** The bank's users, with the one of `login_hint` first; scripted users only when they are given there. */
function possibleUsers({ fixture }: Context, { bic }: BankProfile, named: string | null): readonly User[] {
  return fixture.users
    .filter(({ id }) => isCustomer(fixture, bic, id) && (id === named || scriptedUser(id) === undefined))
    .toSorted((one, other) => Number(other.id === named) - Number(one.id === named))
}
