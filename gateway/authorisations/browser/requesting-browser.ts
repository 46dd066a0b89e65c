/** Identifies a browser by our cookie, and reads what it brings from the bank. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { languageOfCountry } from '../../countries/served-countries.ts'
import { type CookieSettings, cookieHeader, readCookie } from '../../platform/http/pages/page-cookie.ts'
import {
  LANGUAGE_PARAMETER,
  languageOf,
  type PageLanguage,
  type PageRequest,
} from '../../platform/http/pages/page-language.ts'
import { hashToken } from '../../platform/ids.ts'
import type { ScaSession } from '../sca-session.ts'
import type { RequestingBrowser } from './redirect-to-bank.ts'

const COOKIE = 'havn_signing'
type SessionKey = Pick<ScaSession, 'partnerId' | 'id'>
type SignedAt = Pick<ScaSession, 'bic' | 'identityProvider'>

/** Longer than any callback parameter of a bank. */
const QUERY_VALUE_CHARACTERS_MAX = 4096
/** Parameters of our own return URL. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(['refused', LANGUAGE_PARAMETER])

export function requestingBrowserOf(
  context: Context,
  session: SessionKey & SignedAt,
  request: FastifyRequest,
): RequestingBrowser {
  const token = readCookie(request.headers, cookieSettingsOf(context, session))
  const userAgent = request.headers['user-agent'] ?? ''
  return { token, ipAddress: request.ip, userAgent, language: languageOfSession(context, session, request) }
}

/** The browser's language; without one that is supported, that of the country of the bank or identity provider. */
export function languageOfSession(
  { config }: Context,
  { bic, identityProvider }: SignedAt,
  request: PageRequest,
): PageLanguage {
  const [country = ''] = config.identityProviders.find(({ id }) => id === identityProvider)?.countries ?? []
  return languageOf(request, languageOfCountry(bic?.slice(4, 6) ?? country))
}

/** The `Set-Cookie` header that binds a browser. */
export function scaCookieHeader(context: Context, session: SessionKey, token: string): string {
  return cookieHeader({ ...cookieSettingsOf(context, session), token })
}

/**
 * Over https one cookie serves all sessions of a browser, because `__Host-` requires the path `/`; over http each
 * session has one.
 */
function cookieSettingsOf({ config }: Context, { partnerId, id }: SessionKey): CookieSettings {
  const path = `${basePathOf(config)}/signing/${partnerId}/${id}`
  return { name: COOKIE, path, isSecure: config.baseUrl.startsWith('https:') }
}

/** Whether it is the browser that used the link. */
export function isSessionBrowser({ browserHash }: Pick<ScaSession, 'browserHash'>, token: string | undefined): boolean {
  return browserHash !== null && token !== undefined && hashToken(token) === browserHash
}

/** Whether a browser is the one that returned in place of the one that left. */
export function isConfirmingBrowser(
  { confirmHash }: Pick<ScaSession, 'confirmHash'>,
  browserToken: string | undefined,
): boolean {
  return confirmHash !== null && browserToken !== undefined && hashToken(browserToken) === confirmHash
}

/** The query parameters that the bank added; repeated names are ignored. */
export function callbackParametersOf(query: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  const isBankParameter = ([name, value]: [string, unknown]) =>
    !OWN_PARAMETERS.has(name) && typeof value === 'string' && value.length <= QUERY_VALUE_CHARACTERS_MAX
  return Object.fromEntries(entries.filter(isBankParameter).map(([name, value]) => [name, String(value)]))
}

/** The path of `baseUrl`, which a proxy strips; empty without one. */
export function basePathOf({ baseUrl }: Pick<Context['config'], 'baseUrl'>): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}
