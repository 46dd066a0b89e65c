/** Simulates a user's browser at the bank: from the redirect URL until it is redirected to the third party. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { isId } from '../../../gateway/platform/ids.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import { authorisationByLink } from '../authorisations/authorisation-store.ts'
import type { Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { isCustomer } from '../fixture-lookup.ts'
import { completeGrant, denyGrant, findPendingLogin, type GrantResult } from '../oauth/complete-grant.ts'
import type { GrantLink } from '../oauth/oauth-store.ts'
import { startGrant } from '../oauth/start-grant.ts'
import { oauthBankAt } from '../oauth/token-routes.ts'
import { decisions, simulateSigner } from './authorisation-control.ts'

const Journey = closed({
  address: Type.String({ maxLength: 4_000 }),
  decision: Type.Union([Type.Literal('sign'), Type.Literal('reject'), Type.Literal('leave')]),
  userId: Type.Optional(Type.String()),
})
type Journey = Static<typeof Journey>

/** Through the authorisation server, the SCA page, and the server again. */
const STEPS_MAX = 5
const SIGNING = /^\/sca\/([^/]+)\/([^/]+)$/
const AUTHORISE = /^\/oauth\/([^/]+)\/authorize$/
const GRANT_REQUEST = /^\/oauth\/([^/]+)\/requests\/([^/]+)\/([^/]+)$/

export function browserControl(context: Context, scope: FastifyInstance): void {
  onPost(scope, '/browser', Journey, async (journey) => ({ redirect: await followRedirects(context, journey) }))
}

/** Follows redirects while they are at the bank; returns the final redirect. */
async function followRedirects(context: Context, journey: Journey): Promise<string> {
  const { origin } = new URL(context.addresses.pagesUrl)
  let address = journey.address
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const url = URL.parse(address)
    if (url?.origin !== origin) {
      if (step === 0) {
        throw new ControlError(400, `${JSON.stringify(address)} is not a URL of the bank's pages`)
      }
      return address
    }
    address = await followStep(context, url, journey)
  }
  throw new Error('The bank redirects the browser in circles')
}

async function followStep(context: Context, url: URL, journey: Journey): Promise<string> {
  const [, id, token] = SIGNING.exec(url.pathname) ?? []
  if (id !== undefined && token !== undefined) {
    return await sign(context, id, token, journey)
  }
  const [, serverName] = AUTHORISE.exec(url.pathname) ?? []
  if (serverName !== undefined) {
    return redirectOf(await startGrant(context, requireServer(context, serverName), queryOf(url)))
  }
  const [, basePath, requestId, linkToken] = GRANT_REQUEST.exec(url.pathname) ?? []
  if (basePath !== undefined && requestId !== undefined && linkToken !== undefined && isId(requestId)) {
    const bank = requireServer(context, basePath)
    return redirectOf(await grant(context, bank, { bank: bank.bic, id: requestId, token: linkToken }, journey))
  }
  throw new ControlError(404, 'There is nothing to sign at this URL')
}

async function sign(context: Context, id: string, token: string, journey: Journey): Promise<string> {
  const found = requireFound(await authorisationByLink(context, id, token), 'There is nothing to sign at this URL')
  const redirect = await simulateSigner(context, found, {
    decision: decisions[journey.decision],
    userId: journey.userId,
  })
  if (redirect === null) {
    throw new ControlError(409, 'The bank has no redirect URI for the browser')
  }
  return redirect
}

/** Logs in where the grant requires it; after an SCA there is nothing left to decide. */
async function grant(context: Context, bank: BankProfile, link: GrantLink, journey: Journey): Promise<GrantResult> {
  const waiting = await findPendingLogin(context, link)
  if (waiting === undefined) {
    return await completeGrant(context, link)
  }
  const userId = journey.userId ?? waiting.login_hint ?? firstCustomer(context, bank)
  return journey.decision === 'sign' ? await completeGrant(context, link, userId) : await denyGrant(context, link)
}

function redirectOf(answered: GrantResult): string {
  if (answered === null || 'validationError' in answered) {
    throw new ControlError(409, answered?.validationError ?? 'The authorisation is not finished')
  }
  return answered.redirect
}

function firstCustomer({ fixture }: Context, { bic }: BankProfile): string {
  return fixture.users.find(({ id }) => isCustomer(fixture, bic, id))?.id ?? ''
}

function requireServer(context: Context, basePath: string): BankProfile {
  return requireFound(oauthBankAt(context, basePath), 'There is no authorisation server at this URL')
}

function queryOf(url: URL): Readonly<Record<string, string | readonly string[]>> {
  const names = [...new Set(url.searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...others] = url.searchParams.getAll(name)
      return [name, others.length === 0 ? first : [first, ...others]]
    }),
  )
}
