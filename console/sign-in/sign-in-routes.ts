/** Serves signing in to the sandbox's console: the user chooses who they are. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../gateway/context.ts'
import { parseFormFields } from '../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../gateway/platform/http/pages/form-token.ts'
import { sendAnswer } from '../layout/console-page.ts'
import { staleFormPage } from '../layout/error-pages.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { findCurrentSession } from '../sessions/find-current-session.ts'
import { ensureSessionToken, readSessionToken, setSessionToken } from '../sessions/session-cookie.ts'
import { listSandboxUsers } from './sandbox-users.ts'
import { resumePage, SIGN_IN_PATH, type SignInTarget, signInPage } from './sign-in-page.ts'
import { consolePathOf, signInTargetOf } from './sign-in-target.ts'

export function serveSignIn(server: FastifyInstance, context: Context): void {
  server.get<{ Querystring: { next?: string } }>(SIGN_IN_PATH, async (request, reply) => {
    const next = consolePathOf(request.query.next ?? '')
    return await sendSignInPage(context, request, reply, { next, interrupted: undefined })
  })
  server.post(SIGN_IN_PATH, async (request, reply) => await signIn(context, request, reply))
}

/** Shows who can be chosen. */
export async function sendSignInPage(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  target: SignInTarget,
): Promise<FastifyReply> {
  const token = ensureSessionToken(context, request, reply)
  return sendAnswer(reply, signInPage(await listSandboxUsers(context), token, target), undefined)
}

async function signIn(context: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const users = await listSandboxUsers(context)
  const user = users.find(({ role }) => role === form.text('user'))
  if (!hasValidFormToken(form.text, readSessionToken(context, request)) || user === undefined) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const former = await findCurrentSession(context, request)
  const userAgent = request.headers['user-agent'] ?? ''
  const { token } = await beginSession(context, user, { userAgent, former: former?.session })
  setSessionToken(context, reply, token)
  const { next, interrupted } = signInTargetOf(form.text)
  const answer =
    interrupted === undefined ? ({ kind: 'redirect', to: next } as const) : resumePage(interrupted, token, next)
  return sendAnswer(reply, answer, undefined)
}
