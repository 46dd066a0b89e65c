/** Serves signing in: at the OpenID Connect provider of the settings, with a passkey, or in the sandbox by choosing a user. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../gateway/context.ts'
import { clientNetwork } from '../../gateway/platform/http/ip-address.ts'
import { parseFormFields } from '../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../gateway/platform/http/pages/form-token.ts'
import { openRateLimit } from '../../gateway/platform/http/rate-limit.ts'
import { isRoleLookupDue } from '../access/console-session.ts'
import { sendAnswer } from '../layout/console-page.ts'
import { staleFormPage } from '../layout/error-pages.ts'
import { findOpenSession } from '../sessions/find-current-session.ts'
import { ensureSessionToken, readSessionToken } from '../sessions/session-cookie.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { sendPasskeyPage, servePasskeySignIn } from './passkey/passkey-routes.ts'
import { providerSignInPage, RENEWAL_PATH } from './provider/provider-pages.ts'
import { serveProviderSignIn } from './provider/provider-routes.ts'
import { listSandboxUsers, SIGN_IN_PATH, type SignInTarget, signInPage } from './sign-in-page.ts'
import { consolePathOf, signInTargetOf } from './sign-in-target.ts'

/** Each request may store a sign-in; a person needs three or four for one, and an office may share an address. */
const REQUESTS_PER_MINUTE = 300

/** Limits the requests that may store a sign-in, those of all routes together. */
export type LimitSignIns = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** A sandbox has no strangers. */
export function openSignInLimit({ config }: Context): LimitSignIns {
  const limitRate = openRateLimit({ max: REQUESTS_PER_MINUTE, windowSeconds: 60 })
  return config.mode === 'sandbox'
    ? async () => undefined
    : async (request, reply) => limitRate(request, reply, clientNetwork(request.ip))
}

export function serveSignIn(server: FastifyInstance, context: Context, limitSignIns: LimitSignIns): void {
  server.register(async (scope) => {
    scope.addHook('preHandler', limitSignIns)
    serveWaysToSignIn(scope, context)
  })
}

/** With a provider there is no other way. Without one there are passkeys, and in the sandbox users to choose from. */
function serveWaysToSignIn(server: FastifyInstance, context: Context): void {
  const { consoleProvider, mode } = context.config
  server.get<{ Querystring: { next?: string } }>(SIGN_IN_PATH, async (request, reply) => {
    const next = consolePathOf(request.query.next ?? '')
    if (consoleProvider !== null && (await isRenewable(context, request))) {
      const to = `${RENEWAL_PATH}?${new URLSearchParams({ next })}`
      return sendAnswer(reply, { kind: 'redirect', to }, undefined)
    }
    return await sendSignInPage(context, request, reply, { next, interrupted: undefined })
  })
  if (consoleProvider !== null) {
    serveProviderSignIn(server, context, consoleProvider)
    return
  }
  servePasskeySignIn(server, context)
  if (mode === 'sandbox') {
    server.post(SIGN_IN_PATH, async (request, reply) => await signInToSandbox(context, request, reply))
  }
}

/** Whether the browser has a session that continues once the provider has confirmed its user. */
async function isRenewable(context: Context, request: FastifyRequest): Promise<boolean> {
  const found = await findOpenSession(context, request)
  return found !== undefined && isRoleLookupDue(context.config, found.session, context.clock.real())
}

export async function sendSignInPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  target: SignInTarget,
): Promise<FastifyReply> {
  const { consoleProvider, mode } = context.config
  if (consoleProvider === null && mode === 'production') {
    return await sendPasskeyPage(context, { request, reply }, target)
  }
  const token = ensureSessionToken(context, request, reply)
  const page =
    consoleProvider === null
      ? signInPage(await listSandboxUsers(context), token, target)
      : providerSignInPage(consoleProvider, token, target)
  return sendAnswer(reply, page, undefined)
}

async function signInToSandbox(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const users = await listSandboxUsers(context)
  const user = users.find(({ role }) => role === form.text('user'))
  if (!hasValidFormToken(form.text, readSessionToken(context, request)) || user === undefined) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  return await completeSignIn(context, { request, reply }, user, signInTargetOf(form.text))
}
