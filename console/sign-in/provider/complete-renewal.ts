/** Completes the look-up of a user at the provider: their session continues with the roles of now, or ends. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../gateway/context.ts'
import type { ConsoleUser } from '../../access/console-session.ts'
import type { SentAnswer } from '../../layout/console-page.ts'
import { deleteSession, updateSessionUser } from '../../sessions/console-session-store.ts'
import { findOpenSession } from '../../sessions/find-current-session.ts'
import { signInPathFor } from '../sign-in-target.ts'
import { type SignInProblem, signInProblemPage } from './provider-pages.ts'

/**
 * The session ends as soon as the provider does not confirm its user: another user has signed in there meanwhile, the
 * user has signed out or lost their groups. While the provider is unavailable, it waits.
 */
export async function completeRenewal(
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
  await deleteSession(context.database, found.session)
  const isSignedOut = typeof user !== 'string' || user === 'denied'
  return isSignedOut ? { kind: 'redirect', to: signInPathFor(next) } : signInProblemPage(user)
}
