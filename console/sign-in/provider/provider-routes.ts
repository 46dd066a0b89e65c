/** Serves signing in at the OpenID Connect provider of the settings: the way there, the way back, and the look-up of roles. */
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
import { IdentityProviderError } from '../../../gateway/identity/identity-provider.ts'
import { parseFormFields } from '../../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../gateway/platform/http/pages/form-token.ts'
import { newToken } from '../../../gateway/platform/ids.ts'
import type { ConsoleUser } from '../../access/console-session.ts'
import { type SentAnswer, sendAnswer } from '../../layout/console-page.ts'
import { staleFormPage } from '../../layout/error-pages.ts'
import { deleteSessions, updateSessionUser } from '../../sessions/console-session-store.ts'
import { findOpenSession } from '../../sessions/find-current-session.ts'
import { readSessionToken } from '../../sessions/session-cookie.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import { storableForm } from '../interrupted-form.ts'
import { storePendingSignIn, usePendingSignIn } from '../pending-sign-in.ts'
import type { SignInTarget } from '../sign-in-page.ts'
import { consolePathOf, queryOf, signInPathFor, signInTargetOf } from '../sign-in-target.ts'
import { PROVIDER_PATH, RENEWAL_PATH, RETURN_PATH, type SignInProblem, signInProblemPage } from './provider-pages.ts'
import { userFromClaims } from './user-from-claims.ts'

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }
type Provider = { readonly settings: ConsoleProviderSettings; readonly flow: AuthorisationCodeFlow }
/** `renews` is the id of the session whose user the provider is asked about; null for a sign-in. */
type ProviderSecret = { readonly flow: FlowSecret; readonly renews: string | null }

/** The path of the return is registered at the provider, behind `HAVN_BASE_URL`. */
export function serveProviderSignIn(
  server: FastifyInstance,
  context: Context,
  settings: ConsoleProviderSettings,
): void {
  const { clock, config } = context
  const flow = openAuthorisationCodeFlow(settings, { clock, redirectUri: `${config.baseUrl}${RETURN_PATH}` })
  const provider = { settings, flow }
  server.post(PROVIDER_PATH, async (request, reply) => await beginSignIn(context, provider, { request, reply }))
  server.get(RENEWAL_PATH, async (request, reply) => await beginRenewal(context, provider, { request, reply }))
  server.get(RETURN_PATH, async (request, reply) => await handleReturn(context, provider, { request, reply }))
}

async function beginSignIn(context: Context, { flow }: Provider, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const form = parseFormFields(request.body)
  const token = readSessionToken(context, request)
  if (token === undefined || !hasValidFormToken(form.text, token)) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const { next, interrupted } = signInTargetOf(form.text)
  const target = { next, interrupted: interrupted && (await storableForm(context, token, interrupted)) }
  // Who is signed in must log in again, as before changes of sessions: the provider would answer for anyone at the browser.
  const prompt = (await findOpenSession(context, request)) && 'login'
  const pending = { token, renews: null, prompt, target }
  return await redirectToProvider(context, flow, reply, pending)
}

/** The provider answers without asking the user anything, or says that it would have to. */
async function beginRenewal(context: Context, { flow }: Provider, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const next = consolePathOf(queryOf(request.url).get('next') ?? '')
  const found = await findOpenSession(context, request)
  if (found === undefined) {
    return sendAnswer(reply, { kind: 'redirect', to: signInPathFor(next) }, undefined)
  }
  const target = { next, interrupted: undefined }
  const pending = { token: found.token, renews: found.session.id, prompt: 'none', target }
  return await redirectToProvider(context, flow, reply, pending)
}

async function redirectToProvider(
  context: Context,
  flow: AuthorisationCodeFlow,
  reply: FastifyReply,
  {
    token,
    renews,
    prompt,
    target,
  }: Pick<ProviderSecret, 'renews'> & {
    readonly token: string
    readonly prompt: string | undefined
    readonly target: SignInTarget
  },
): Promise<FastifyReply> {
  const state = newToken()
  const begun = await flow
    .begin({ state, nonce: newToken() }, prompt === undefined ? {} : { prompt })
    .catch((error: unknown) => failure(context, error))
  if (typeof begun === 'string') {
    return sendAnswer(reply, signInProblemPage(begun), undefined)
  }
  const secret: ProviderSecret = { flow: begun.secret, renews }
  await storePendingSignIn(context, { state, token }, { secret, target })
  return sendAnswer(reply, { kind: 'redirect', to: begun.url }, undefined)
}

/** A callback that does not belong to this browser has no effect. */
async function handleReturn(context: Context, { settings, flow }: Provider, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply } = exchange
  const query = Object.fromEntries(queryOf(request.url))
  const { state = '' } = query
  const token = readSessionToken(context, request)
  const pending = token && (await usePendingSignIn<ProviderSecret>(context, { state, token }))
  if (!pending) {
    return sendAnswer(reply, signInProblemPage('over'), undefined)
  }
  const { secret, target } = pending
  const result = await flow.finish(query, secret.flow).catch((error: unknown) => failure(context, error))
  const user = typeof result === 'string' ? result : await userOf(context, settings, result)
  if (secret.renews !== null) {
    const answer = await completeRenewal(context, request, { sessionId: secret.renews, next: target.next, user })
    return sendAnswer(reply, answer, undefined)
  }
  return typeof user === 'string'
    ? sendAnswer(reply, signInProblemPage(user), undefined)
    : await completeSignIn(context, exchange, user, target)
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
  const { partnerId } = user
  return partnerId !== null && (await findPartnerById(context, partnerId)) === undefined ? 'no-role' : user
}

function failure({ log }: Context, error: unknown): SignInProblem {
  if (!(error instanceof IdentityProviderError)) {
    throw error
  }
  log.error({ kind: error.kind, error: error.message }, 'signing in to the console failed at the identity provider')
  return error.kind === 'unavailable' ? 'unavailable' : 'failed'
}

/**
 * The session ends as soon as the provider does not confirm its user: another user has signed in there meanwhile, the
 * user has signed out or lost their groups. While the provider is unavailable, it waits.
 */
async function completeRenewal(
  context: Context,
  request: FastifyRequest,
  {
    sessionId,
    next,
    user,
  }: { readonly sessionId: string; readonly next: string; readonly user: ConsoleUser | SignInProblem },
): Promise<SentAnswer> {
  const found = await findOpenSession(context, request)
  if (found?.session.id !== sessionId) {
    return { kind: 'redirect', to: signInPathFor(next) }
  }
  if (typeof user !== 'string' && user.subject === found.session.subject) {
    await updateSessionUser(context.database, sessionId, user, context.clock.real())
    return { kind: 'redirect', to: next }
  }
  if (user === 'unavailable') {
    return signInProblemPage(user)
  }
  await deleteSessions(context.database, found.session, found.session)
  const isSignedOut = typeof user !== 'string' || user === 'denied'
  return isSignedOut ? { kind: 'redirect', to: signInPathFor(next) } : signInProblemPage(user)
}
