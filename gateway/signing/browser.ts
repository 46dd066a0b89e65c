/** Tells one browser from another by a cookie of ours, and knows what a browser only looks at in passing. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { languageOf } from '../foundation/http/page-language.ts'
import { hashToken } from '../foundation/ids.ts'
import type { Browser } from './leave-for-bank.ts'
import type { Signing } from './signing.ts'
import { basePathOf } from './signing-view.ts'

const COOKIE = 'havn_signing'
/** Longer than anything that a bank gives a browser to bring. */
const QUERY_VALUE_CHARACTERS_MAX = 4096
/** What our own address already holds. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(['refused'])

/** The browser that asks. */
export function browserOf(request: FastifyRequest): Browser {
  const [, token] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '') ?? []
  const userAgent = request.headers['user-agent'] ?? ''
  return { token, ipAddress: request.ip, userAgent, language: languageOf(request.headers) }
}

/** Secure wherever browsers reach us by https. */
export function cookieOf({ config }: Context, { partnerId, id }: Signing, token: string): string {
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : ''
  const path = `${basePathOf(config)}/signing/${partnerId}/${id}`
  return `${COOKIE}=${token}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
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
