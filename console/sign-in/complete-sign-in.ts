/** Completes signing in, however the user was authenticated: a new session, and on to where the user wanted to go. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findPartnerById } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import type { ConsoleUser } from '../access/console-session.ts'
import { sendAnswer } from '../layout/console-page.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { findOpenSession } from '../sessions/find-current-session.ts'
import { setSessionToken } from '../sessions/session-cookie.ts'
import { signInProblemPage } from './provider/provider-pages.ts'
import { resumePage, type SignInTarget } from './sign-in-page.ts'

/** A form that was interrupted is shown to the user, who sends it again. */
export async function completeSignIn(
  context: Context,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  user: ConsoleUser,
  { next, interrupted }: SignInTarget,
): Promise<FastifyReply> {
  const partner = user.partnerId === null ? undefined : await findPartnerById(context, user.partnerId)
  if (partner !== undefined && partner.disabledAt !== null) {
    return sendAnswer(reply, signInProblemPage('partner-disabled'), undefined)
  }
  const former = await findOpenSession(context, request)
  const userAgent = request.headers['user-agent'] ?? ''
  const { token } = await beginSession(context, user, { userAgent, former: former?.session })
  setSessionToken(context, reply, token)
  const answer =
    interrupted === undefined ? ({ kind: 'redirect', to: next } as const) : resumePage(interrupted, token, next)
  return sendAnswer(reply, answer, undefined)
}
