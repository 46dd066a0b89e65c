/** Knows the browsers of the hosted flow by a cookie each: of whoever came by the company's link, or by a signer's. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type CookiePlace, cookieHeader, readCookie } from '../../platform/http/pages/page-cookie.ts'
import { hashToken, newId, newToken } from '../../platform/ids.ts'
import { maySign, type Onboarding, type OnboardingKey } from '../onboarding.ts'
import { type OnboardingSession, SESSION_HOURS } from '../sessions/onboarding-session.ts'
import { findSession, insertSession } from '../sessions/onboarding-session-store.ts'

/** At that time no session was over yet. */
const LONG_AGO = Temporal.Instant.fromEpochMilliseconds(0)

/** Whose link a browser came by; null for the company's own. */
export type Came = OnboardingKey & { readonly signerId: string | null }

/** The cookie's token, and the session that was begun with it; a browser that has only looked has none. */
export type Browser = { readonly token: string | undefined; readonly session: OnboardingSession | undefined }

/** The browser that asks. One that came by another link is a stranger to this one. */
export async function browserOf(
  context: Pick<Context, 'clock' | 'config' | 'database'>,
  { headers }: FastifyRequest,
  came: Came,
): Promise<Browser> {
  const { clock, database } = context
  const { partnerId, id: onboardingId, signerId } = came
  const token = readCookie(headers, cookieOf(context, came))
  const key = token === undefined ? undefined : { partnerId, onboardingId, tokenHash: hashToken(token) }
  const session = key && (await findSession(database, key, clock.real()))
  return { token, session: session?.signerId === signerId ? session : undefined }
}

/** Gives a browser that has no cookie of this link one, so that the form it is shown can be told from others. */
export function knownToken(context: Context, reply: FastifyReply, came: Came, { token }: Browser): string {
  const known = token ?? newToken()
  if (token === undefined) {
    giveToken(context, reply, came, known)
  }
  return known
}

/**
 * Begins the session of a browser that used a link. It keeps the token that came with the page, so that a second click,
 * or the same page in another tab, is the same browser's; a token whose session is over is used no more.
 */
export async function beginSession(context: Context, reply: FastifyReply, came: Came, known: string): Promise<void> {
  const { clock, database } = context
  const { partnerId, id: onboardingId, signerId } = came
  const former = await findSession(database, { partnerId, onboardingId, tokenHash: hashToken(known) }, LONG_AGO)
  const token = former === undefined ? known : newToken()
  const session = {
    partnerId,
    id: newId(),
    onboardingId,
    signerId,
    tokenHash: hashToken(token),
    trustedAt: null,
    expiresAt: clock.real().add({ hours: SESSION_HOURS }),
  }
  await insertSession(database, session, clock.now())
  giveToken(context, reply, came, token)
}

/** Has the browser show this token of the link from now on. */
export function giveToken(context: Pick<Context, 'config'>, reply: FastifyReply, came: Came, token: string): void {
  reply.header('set-cookie', cookieHeader({ ...cookieOf(context, came), token }))
}

/**
 * Whether a signer's link has nothing to open for this browser: nothing is signed any more, and whoever asks has not
 * said who they are. What became of it instead is not theirs to know.
 */
export function isOver(
  onboarding: Pick<Onboarding, 'status' | 'submittedAt'>,
  session: Pick<OnboardingSession, 'trustedAt'> | undefined,
): boolean {
  return !maySign(onboarding) && (session === undefined || session.trustedAt === null)
}

/** Where the pages of a session are, as browsers see them: a proxy may take the beginning off. */
export function flowPath({ config }: Pick<Context, 'config'>, { partnerId, id, signerId }: Came): string {
  const path = `${new URL(config.onboardingUrl).pathname.replace(/\/$/, '')}/onboarding/${partnerId}/${id}`
  return signerId === null ? path : `${path}/signers/${signerId}`
}

/** One browser may have used several links: whoever began may be a signer, too, and of other companies. */
function cookieOf(context: Pick<Context, 'config'>, came: Came): CookiePlace {
  const isSecure = context.config.onboardingUrl.startsWith('https:')
  const name = came.signerId === null ? `havn_onboarding_${came.id}` : `havn_signer_${came.signerId}`
  return { name, path: flowPath(context, { ...came, signerId: null }), isSecure }
}
