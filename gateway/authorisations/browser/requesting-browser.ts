/** Tells one browser from another by a cookie of ours, and knows what a browser only looks at in passing. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type CookiePlace, cookieHeader, readCookie } from '../../platform/http/pages/page-cookie.ts'
import { languageOf } from '../../platform/http/pages/page-language.ts'
import { hashToken } from '../../platform/ids.ts'
import type { Browser } from '../../signing/leave-for-bank.ts'
import type { Signing } from '../../signing/signing.ts'
import { basePathOf } from '../../signing/signing-view.ts'

const COOKIE = 'havn_signing'
type SigningKey = Pick<Signing, 'partnerId' | 'id'>

/** Longer than anything that a bank gives a browser to bring. */
const QUERY_VALUE_CHARACTERS_MAX = 4096
/** What our own address already holds. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(['refused'])

/** The browser that asks. */
export function browserOf(context: Pick<Context, 'config'>, signing: SigningKey, request: FastifyRequest): Browser {
  const token = readCookie(request.headers, placeOf(context, signing))
  const userAgent = request.headers['user-agent'] ?? ''
  return { token, ipAddress: request.ip, userAgent, language: languageOf(request.headers) }
}

/** The header by which a browser is known from now on. */
export function cookieOf(context: Pick<Context, 'config'>, signing: SigningKey, token: string): string {
  return cookieHeader({ ...placeOf(context, signing), token })
}

/** By https one cookie serves all signings of a browser, because `__Host-` wants the path `/`; by http each has its own. */
function placeOf({ config }: Pick<Context, 'config'>, { partnerId, id }: SigningKey): CookiePlace {
  const path = `${basePathOf(config)}/signing/${partnerId}/${id}`
  return { name: COOKIE, path, isSecure: config.baseUrl.startsWith('https:') }
}

/** Whether it is the browser that used the link. */
export function isOwnBrowser({ browserHash }: Pick<Signing, 'browserHash'>, token: string | undefined): boolean {
  return browserHash !== null && token !== undefined && hashToken(token) === browserHash
}

/** What the bank had the browser bring; a name that comes twice says nothing. */
export function broughtBy(query: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(typeof query === 'object' && query !== null ? query : {})
  const isBrought = ([name, value]: [string, unknown]) =>
    !OWN_PARAMETERS.has(name) && typeof value === 'string' && value.length <= QUERY_VALUE_CHARACTERS_MAX
  return Object.fromEntries(entries.filter(isBrought).map(([name, value]) => [name, String(value)]))
}

/** Whether nobody is there to see the answer: it is asked for its headers alone, or ahead of time. */
export function isInPassing({ headers, method }: FastifyRequest): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']]
  return method === 'HEAD' || purposes.some((purpose) => /prefetch|preview|prerender/i.test(String(purpose ?? '')))
}
