/** Binds browsers of the hosted onboarding flow to their sessions with one cookie per link. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type CookieSettings, cookieHeader, readCookie } from '../../platform/http/pages/page-cookie.ts'
import { hashToken, newId, newToken } from '../../platform/ids.ts'
import { maySign, type Onboarding, type OnboardingKey } from '../store/onboarding.ts'
import { type OnboardingSession, SESSION_HOURS } from '../store/onboarding-session.ts'
import { findSession, insertSession } from '../store/onboarding-session-store.ts'

/** Before any session expired. */
const LONG_AGO = Temporal.Instant.fromEpochMilliseconds(0)

/** The link that a browser used; `signerId` is null for the company's link. */
export type LinkKey = OnboardingKey & { readonly signerId: string | null }

/** The cookie's token and its session; there is no session before the link was used. */
export type Browser = { readonly token: string | undefined; readonly session: OnboardingSession | undefined }

/** Finds the browser's token and session for this link. */
export async function findBrowser(context: Context, { headers }: FastifyRequest, link: LinkKey): Promise<Browser> {
  const { clock, database } = context
  const { partnerId, id: onboardingId, signerId } = link
  const token = readCookie(headers, cookieOf(context, link))
  const key = token === undefined ? undefined : { partnerId, onboardingId, tokenHash: hashToken(token) }
  const session = key && (await findSession(database, key, clock.real()))
  return { token, session: session?.signerId === signerId ? session : undefined }
}

/** Sets a cookie for this link when there is none, so that the form is bound to the browser (CSRF protection). */
export function ensureBrowserToken(context: Context, reply: FastifyReply, link: LinkKey, { token }: Browser): string {
  const known = token ?? newToken()
  if (token === undefined) {
    setBrowserToken(context, reply, link, known)
  }
  return known
}

/**
 * Starts the session of a browser that used a link. Reuses the token of the page, so that a double click or another tab
 * shares the session; a token whose session has expired is replaced.
 */
export async function beginSession(context: Context, reply: FastifyReply, link: LinkKey, known: string): Promise<void> {
  const { clock, database } = context
  const { partnerId, id: onboardingId, signerId } = link
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
  setBrowserToken(context, reply, link, token)
}

export function setBrowserToken(context: Context, reply: FastifyReply, link: LinkKey, token: string): void {
  reply.header('set-cookie', cookieHeader({ ...cookieOf(context, link), token }))
}

/**
 * Whether a signer's link must not be opened: no signature is awaited, and the user has not identified. The outcome of
 * the onboarding is not disclosed to unidentified users.
 */
export function isSessionExpired(
  onboarding: Pick<Onboarding, 'status' | 'submittedAt'>,
  session: Pick<OnboardingSession, 'trustedAt'> | undefined,
): boolean {
  return !maySign(onboarding) && (session === undefined || session.trustedAt === null)
}

/** The path of a session's pages as browsers see it: a proxy may strip its prefix. */
export function flowPath({ config }: Context, { partnerId, id, signerId }: LinkKey): string {
  const path = `${new URL(config.onboardingUrl).pathname.replace(/\/$/, '')}/onboarding/${partnerId}/${id}`
  return signerId === null ? path : `${path}/signers/${signerId}`
}

/** One cookie per link: a user may have started an onboarding and be a signer of it or of others. */
function cookieOf(context: Context, link: LinkKey): CookieSettings {
  const isSecure = context.config.onboardingUrl.startsWith('https:')
  const name = link.signerId === null ? `havn_onboarding_${link.id}` : `havn_signer_${link.signerId}`
  return { name, path: flowPath(context, { ...link, signerId: null }), isSecure }
}
