/** Serves the browser pages of the authorisation server: authorisation endpoint, login page and redirect. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { type Static, Type } from 'typebox'
import { isId } from '../../../gateway/platform/ids.ts'
import { scriptedUser } from '../authorisations/scripted-user-lookup.ts'
import type { Context } from '../context.ts'
import type { BankProfile, User } from '../fixture.ts'
import { isCustomer } from '../fixture-lookup.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { messagePage, page, printedUserId } from '../pages/layout.ts'
import { completeGrant, denyGrant, findPendingLogin, type GrantResult } from './complete-grant.ts'
import type { GrantRequest } from './oauth-store.ts'
import type { RawQuery } from './parse-authorisation-request.ts'
import { parseScope, type Service } from './scope.ts'
import { startGrant } from './start-grant.ts'
import { oauthBankAt } from './token-routes.ts'

const REQUEST = '/oauth/:bank/requests/:id/:token'
const Parts = Type.Object({ bank: Type.String(), id: Type.String(), token: Type.String() })
type Parts = Static<typeof Parts>

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
      ? await sendProblem(reply, 404, 'Sandbox bank', 'No bank here has app access.')
      : await send(reply, bank, await startGrant(context, bank, request.query))
  })
  server.get<{ Params: Parts }>(REQUEST, { schema: { params: Parts } }, async ({ params }, reply) => {
    const bank = bankOfRequest(context, params)
    if (bank === undefined) {
      return await sendUnknown(reply)
    }
    const waiting = await findPendingLogin(context, bank, params.id, params.token)
    return waiting === undefined
      ? await send(reply, bank, await completeGrant(context, bank, params.id, params.token))
      : await sendPage(reply, 200, loginPage(context, bank, waiting, null))
  })
  server.post<{ Params: Parts; Body: Answer }>(
    REQUEST,
    { schema: { params: Parts, body: Answer } },
    async ({ params, body }, reply) => {
      const bank = bankOfRequest(context, params)
      return bank === undefined ? await sendUnknown(reply) : await decide(context, bank, { ...params, ...body }, reply)
    },
  )
}

async function decide(
  context: Context,
  bank: BankProfile,
  { id, token, decision, userId }: Parts & Answer,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const waiting = await findPendingLogin(context, bank, id, token)
  if (decision === 'reject' || waiting === undefined) {
    const answered = waiting === undefined ? completeGrant : denyGrant
    return await send(reply, bank, await answered(context, bank, id, token))
  }
  const answered = await completeGrant(context, bank, id, token, userId ?? '')
  return answered !== null && 'validationError' in answered
    ? await sendPage(reply, 403, loginPage(context, bank, waiting, answered.validationError))
    : await send(reply, bank, answered)
}

function bankOfRequest(context: Context, { bank, id }: Pick<Parts, 'bank' | 'id'>): BankProfile | undefined {
  return isId(id) ? oauthBankAt(context, bank) : undefined
}

/** Redirects the browser, or shows the error message. */
async function send(reply: FastifyReply, { name }: BankProfile, answered: GrantResult): Promise<FastifyReply> {
  if (answered !== null && 'redirect' in answered) {
    return await reply.redirect(answered.redirect, 303)
  }
  const text =
    answered?.validationError ?? 'The authorisation is not finished. Finish it in the window where you began it.'
  return await sendProblem(reply, answered === null ? 409 : 400, name, text)
}

async function sendUnknown(reply: FastifyReply): Promise<FastifyReply> {
  return await sendProblem(reply, 404, 'Sandbox bank', 'This page does not exist. Go back to the app and start again.')
}

async function sendProblem(reply: FastifyReply, status: number, bankName: string, text: string): Promise<FastifyReply> {
  return await sendPage(reply, status, messagePage(bankName, 'This does not work', text))
}

async function sendPage(reply: FastifyReply, status: number, page: string): Promise<FastifyReply> {
  return await reply.code(status).type('text/html; charset=utf-8').send(page)
}

const serviceTexts: Readonly<Record<Service, string>> = {
  AIS: 'request access to your accounts',
  PIS: 'submit payments, each of which you sign',
}

/** `validationError` is the error of the previous submission. */
function loginPage(context: Context, bank: BankProfile, request: GrantRequest, validationError: string | null): string {
  const { login_hint: hint } = request
  const choices = possibleUsers(context, bank, hint).map(
    (
      user,
      index,
    ) => html`<label class="choice"><input type="radio" name="userId" value="${user.id}" ${index === 0 ? 'checked' : ''}>
<span><strong>${user.name}</strong><span class="quiet">${printedUserId(user.id)}${user.id === hint ? ' – named by the app' : ''}</span></span></label>`,
  )
  const scope = parseScope(bank, request.scope)
  const services = scope?.type === 'services' ? scope.services : []
  const content = html`<h1>Log in with ${rulesOf(bank).words.login}</h1>
<p>The app <strong class="code">${request.client_id}</strong> requests access at ${bank.name}. In the sandbox you select the user.</p>
!${validationError === null ? '' : html`<p class="note stop" role="alert">${validationError}</p>`}
<div class="card"><p>It will be able to:</p><ul class="list">!${services.map((service) => html`<li>${serviceTexts[service]}</li>`).join('')}</ul></div>
<form method="post" class="card">
<fieldset><legend>Who are you?</legend>
!${choices.join('')}
</fieldset>
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
