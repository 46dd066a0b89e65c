/** Plays a user's browser at the bank: from any address that a third party sends it to, until it is sent on. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { isId } from '../../../gateway/platform/ids.ts'
import { authorisationByLink } from '../authorisations/authorisation-store.ts'
import type { BankContext } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { type Answered, answerGrant, denyGrant, waitingLogin } from '../oauth/complete-grant.ts'
import { beginGrant } from '../oauth/start-grant.ts'
import { oauthBankAt } from '../oauth/token-routes.ts'
import { isCustomer } from '../world.ts'
import { decisions } from './authorisation-control.ts'
import { ControlRefusal } from './control-error.ts'
import { playSigner } from './simulate-signer.ts'

const Journey = Type.Object(
  {
    address: Type.String({ maxLength: 4_000 }),
    decision: Type.Union([Type.Literal('sign'), Type.Literal('reject'), Type.Literal('leave')]),
    userId: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
type Journey = Static<typeof Journey>

/** Through the authorisation server, to the signing page, and through the server again. */
const STEPS_MAX = 5
const SIGNING = /^\/sca\/([^/]+)\/([^/]+)$/
const AUTHORISE = /^\/oauth\/([^/]+)\/authorize$/
const GRANT_REQUEST = /^\/oauth\/([^/]+)\/requests\/([^/]+)\/([^/]+)$/

export function browserControl(context: BankContext, scope: FastifyInstance): void {
  scope.post<{ Body: Journey }>('/browser', { schema: { body: Journey } }, async ({ body }) => ({
    redirect: await travel(context, body),
  }))
}

/** Goes on while the browser is at the bank; answers where it is sent in the end. */
async function travel(context: BankContext, journey: Journey): Promise<string> {
  const { origin } = new URL(context.addresses.pagesUrl)
  let address = journey.address
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const url = URL.parse(address)
    if (url?.origin !== origin) {
      if (step === 0) {
        throw new ControlRefusal(400, `${JSON.stringify(address)} is no address of the bank's pages`)
      }
      return address
    }
    address = await stepAt(context, url, journey)
  }
  throw new Error('The bank sends a browser around in circles')
}

async function stepAt(context: BankContext, url: URL, journey: Journey): Promise<string> {
  const [, id, token] = SIGNING.exec(url.pathname) ?? []
  if (id !== undefined && token !== undefined) {
    return await sign(context, id, token, journey)
  }
  const [, serverName] = AUTHORISE.exec(url.pathname) ?? []
  if (serverName !== undefined) {
    return redirectOf(await beginGrant(context, requireServer(context, serverName), queryOf(url)))
  }
  const [, basePath, requestId, linkToken] = GRANT_REQUEST.exec(url.pathname) ?? []
  if (basePath !== undefined && requestId !== undefined && linkToken !== undefined && isId(requestId)) {
    const bank = requireServer(context, basePath)
    return redirectOf(await grant(context, bank, { id: requestId, token: linkToken }, journey))
  }
  throw new ControlRefusal(404, 'There is nothing to sign at this address')
}

async function sign(context: BankContext, id: string, token: string, journey: Journey): Promise<string> {
  const found = isId(id) ? await authorisationByLink(context.database.query, id, token) : undefined
  if (found === undefined) {
    throw new ControlRefusal(404, 'There is nothing to sign at this address')
  }
  const redirect = await playSigner(context, found, { decision: decisions[journey.decision], userId: journey.userId })
  if (redirect === null) {
    throw new ControlRefusal(409, 'The bank has no address to send the browser to')
  }
  return redirect
}

type Link = { readonly id: string; readonly token: string }

/** Logs in where somebody has to; behind a signing there is nothing left to decide. */
async function grant(
  context: BankContext,
  bank: BankProfile,
  { id, token }: Link,
  journey: Journey,
): Promise<Answered> {
  const waiting = await waitingLogin(context, bank, id, token)
  if (waiting === undefined) {
    return await answerGrant(context, bank, id, token)
  }
  const userId = journey.userId ?? waiting.login_hint ?? firstCustomer(context, bank)
  return journey.decision === 'sign'
    ? await answerGrant(context, bank, id, token, userId)
    : await denyGrant(context, bank, id, token)
}

function redirectOf(answered: Answered): string {
  if (answered === null || 'problem' in answered) {
    throw new ControlRefusal(409, answered?.problem ?? 'The signing is not finished')
  }
  return answered.redirect
}

function firstCustomer({ world }: BankContext, { bic }: BankProfile): string {
  return world.users.find(({ id }) => isCustomer(world, bic, id))?.id ?? ''
}

function requireServer(context: BankContext, basePath: string): BankProfile {
  const bank = oauthBankAt(context, basePath)
  if (bank === undefined) {
    throw new ControlRefusal(404, 'There is no authorisation server at this address')
  }
  return bank
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
