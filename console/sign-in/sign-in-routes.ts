/** Serves signing in: at the OpenID Connect provider of the settings, or in the sandbox by choosing a user. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../gateway/config/config.ts'
import type { Context } from '../../gateway/context.ts'
import { parseFormFields } from '../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../gateway/platform/http/pages/form-token.ts'
import { sendAnswer } from '../layout/console-page.ts'
import { staleFormPage } from '../layout/error-pages.ts'
import { ensureSessionToken, readSessionToken } from '../sessions/session-cookie.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { providerSignInPage } from './provider/provider-pages.ts'
import { serveProviderSignIn } from './provider/provider-routes.ts'
import { listSandboxUsers } from './sandbox-users.ts'
import { SIGN_IN_PATH, type SignInTarget, signInPage } from './sign-in-page.ts'
import { consolePathOf, signInTargetOf } from './sign-in-target.ts'

/** Whether anybody can sign in. */
export function isSignInConfigured({ mode, consoleProvider }: Config): boolean {
  return mode === 'sandbox' || consoleProvider !== null
}

/** With a provider there is no other way, also in the sandbox. */
export function serveSignIn(server: FastifyInstance, context: Context): void {
  server.get<{ Querystring: { next?: string } }>(SIGN_IN_PATH, async (request, reply) => {
    const next = consolePathOf(request.query.next ?? '')
    return await sendSignInPage(context, request, reply, { next, interrupted: undefined })
  })
  if (context.config.consoleProvider === null) {
    server.post(SIGN_IN_PATH, async (request, reply) => await signInToSandbox(context, request, reply))
  } else {
    serveProviderSignIn(server, context, context.config.consoleProvider)
  }
}

export async function sendSignInPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  target: SignInTarget,
): Promise<FastifyReply> {
  const token = ensureSessionToken(context, request, reply)
  const { consoleProvider } = context.config
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
