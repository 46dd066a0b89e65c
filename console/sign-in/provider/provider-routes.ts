/** Serves signing in at the OpenID Connect provider of the settings: the way there, and the way back. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findPartnerById } from '../../../gateway/auth/list-partners.ts'
import type { ConsoleProviderSettings } from '../../../gateway/config/console-settings.ts'
import type { Context } from '../../../gateway/context.ts'
import {
  type AuthorisationCodeFlow,
  type FlowResult,
  type FlowSecret,
  openAuthorisationCodeFlow,
} from '../../../gateway/identity/authorisation-code-flow.ts'
import { IdentityProviderError } from '../../../gateway/identity/identity-provider-error.ts'
import { parseFormFields } from '../../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../gateway/platform/http/pages/form-token.ts'
import { newToken } from '../../../gateway/platform/ids.ts'
import { sendAnswer } from '../../layout/console-page.ts'
import { staleFormPage } from '../../layout/error-pages.ts'
import type { ConsoleUser } from '../../sessions/console-session.ts'
import { readSessionToken } from '../../sessions/session-cookie.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import { storableForm } from '../interrupted-form.ts'
import { storePendingSignIn, usePendingSignIn } from '../pending-sign-in.ts'
import { signInTargetOf } from '../sign-in-target.ts'
import { PROVIDER_PATH, RETURN_PATH, type SignInProblem, signInProblemPage } from './provider-pages.ts'
import { userFromClaims } from './user-from-claims.ts'

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }
type Provider = { readonly settings: ConsoleProviderSettings; readonly flow: AuthorisationCodeFlow }

/** The path of the return is registered at the provider, behind `HAVN_BASE_URL`. */
export function serveProviderSignIn(
  server: FastifyInstance,
  context: Context,
  settings: ConsoleProviderSettings,
): void {
  const { clock, config } = context
  const flow = openAuthorisationCodeFlow(settings, { clock, redirectUri: `${config.baseUrl}${RETURN_PATH}` })
  const provider = { settings, flow }
  server.post(PROVIDER_PATH, async (request, reply) => await redirectToProvider(context, provider, { request, reply }))
  server.get(RETURN_PATH, async (request, reply) => await handleReturn(context, provider, { request, reply }))
}

async function redirectToProvider(context: Context, { flow }: Provider, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const form = parseFormFields(request.body)
  const token = readSessionToken(context, request)
  if (token === undefined || !hasValidFormToken(form.text, token)) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const state = newToken()
  const begun = await flow.begin({ state, nonce: newToken() }, {}).catch((error: unknown) => failure(context, error))
  if (typeof begun === 'string') {
    return sendAnswer(reply, signInProblemPage(begun), undefined)
  }
  const { next, interrupted } = signInTargetOf(form.text)
  const target = { next, interrupted: interrupted && (await storableForm(context, token, interrupted)) }
  await storePendingSignIn(context, { state, token }, { secret: begun.secret, target })
  return sendAnswer(reply, { kind: 'redirect', to: begun.url }, undefined)
}

/** A callback that does not belong to this browser has no effect. */
async function handleReturn(context: Context, { settings, flow }: Provider, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const problem = (name: SignInProblem) => sendAnswer(reply, signInProblemPage(name), undefined)
  const query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1] ?? ''))
  const { state = '' } = query
  const token = readSessionToken(context, request)
  const pending = token && (await usePendingSignIn<FlowSecret>(context, { state, token }))
  if (!pending) {
    return problem('over')
  }
  const result = await flow.finish(query, pending.secret).catch((error: unknown) => failure(context, error))
  const user = typeof result === 'string' ? result : await userOf(context, settings, result)
  return typeof user === 'string' ? problem(user) : await completeSignIn(context, exchange, user, pending.target)
}

async function userOf(
  context: Context,
  settings: ConsoleProviderSettings,
  result: FlowResult,
): Promise<ConsoleUser | SignInProblem> {
  if (result.outcome !== 'verified') {
    return result.outcome === 'denied' ? 'denied' : 'over'
  }
  const user = userFromClaims(settings, result.claims)
  if (typeof user === 'string') {
    context.log.warn({ subject: result.claims.sub, problem: user }, 'a user of the console was not let in')
    return user
  }
  const partner = user.partnerId === null ? null : await findPartnerById(context, user.partnerId)
  return partner === undefined || (partner !== null && partner.disabledAt !== null) ? 'no-role' : user
}

function failure({ log }: Context, error: unknown): SignInProblem {
  if (!(error instanceof IdentityProviderError)) {
    throw error
  }
  log.error({ kind: error.kind, error: error.message }, 'signing in to the console failed at the identity provider')
  return error.kind === 'unavailable' ? 'unavailable' : 'failed'
}
