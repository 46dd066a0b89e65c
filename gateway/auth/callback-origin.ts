/** Validates callback origins of partners (https, or schemes of desktop and mobile applications) and URLs that begin with them. */

import type { Config } from '../config/config.ts'
import { writeAuditEntry } from '../operators/audit-log.ts'
import type { Partner } from '../partners/partner.ts'
import { updateCallbackOrigins } from '../partners/partner-store.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { apiError, type ValidationError } from '../platform/http/errors/api-error.ts'
import { isLoopback } from '../platform/http/ip-address.ts'
import type { ProgramContext } from '../platform/program-context.ts'
import type { PartnerCaller } from './partner-caller.ts'

/** Browsers execute these URLs, or read data with them, instead of leaving the page. */
const FORBIDDEN_SCHEMES: readonly string[] = [
  'javascript:',
  'data:',
  'file:',
  'vbscript:',
  'blob:',
  'filesystem:',
  'about:',
  'view-source:',
]
const SCHEME = /^[a-z][a-z0-9+.-]*:$/
const HTTP_SCHEME = /^https?:$/
/** Without the slashes, browsers take the rest for a path of the page that redirects. */
const WITH_SLASHES = /^https?:\/\//i

/** What a URL is registered by: its origin, or its scheme if it has none. */
export function originOrSchemeOf(url: URL): string {
  return HTTP_SCHEME.test(url.protocol) ? url.origin : url.protocol
}

/** Normalises an origin or scheme for registration. Throws an error that says what is wrong with it. */
export function parseCallbackOrigin(text: string): string {
  const scheme = text.toLowerCase().replace(/(?<!\/)\/+$/, '')
  if (SCHEME.test(scheme) && !HTTP_SCHEME.test(scheme)) {
    if (FORBIDDEN_SCHEMES.includes(scheme)) {
      throw apiError('bad-request', `The scheme ${scheme} cannot be registered: browsers execute or read such URLs`)
    }
    return scheme
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && HTTP_SCHEME.test(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw apiError(
      'bad-request',
      `${text} is neither an origin, such as https://erp.example, nor a scheme, such as myerp:`,
    )
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw apiError('bad-request', `${text} must be https; http is allowed for loopback addresses only`)
  }
  return url.origin
}

/** Returns the normalised origins. Throws for an invalid one. */
export async function replaceCallbackOrigins(
  context: ProgramContext,
  actor: string,
  { id }: Pick<Partner, 'id'>,
  origins: readonly string[],
): Promise<readonly string[]> {
  const registered = [...new Set(origins.map(parseCallbackOrigin))]
  await inTransaction(context, async (context) => {
    await updateCallbackOrigins(context.database, id, registered)
    const entry = { partnerId: id, actor, action: 'callback origins replaced', subject: ['partner', id] } as const
    await writeAuditEntry(context, { ...entry, detail: { origins: registered } })
  })
  return registered
}

/**
 * The origin or scheme must be registered for the partner; the sandbox also accepts any https origin and loopback http.
 */
export function validateCallbackUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  text: string,
  path = '.callbackUrl',
): readonly ValidationError[] {
  const invalid = (reason: string) => [{ code: 'InvalidRequest', reason, path }] as const
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (HTTP_SCHEME.test(url.protocol) && !WITH_SLASHES.test(text.trim()))) {
    return invalid('must be a URI, for example https://erp.example/back or myerp://back')
  }
  if (FORBIDDEN_SCHEMES.includes(url.protocol)) {
    return invalid(`must not have the scheme ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    return invalid('must not contain credentials')
  }
  // Browsers skip or replace them, other programs do not: these would find another host in the same URL.
  if (/[\p{Cc}\\]/u.test(text)) {
    return invalid('must not contain control characters or backslashes')
  }
  const isSandboxUrl = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  const origin = originOrSchemeOf(url)
  if (callbackOrigins.includes(origin) || (mode === 'sandbox' && isSandboxUrl)) {
    return []
  }
  const reason = `must begin with an origin or scheme that is registered for you; ${origin} is not: ask the operator`
  const isHttpInSandbox = mode === 'sandbox' && HTTP_SCHEME.test(url.protocol)
  return invalid(isHttpInSandbox ? `${reason}, or use https or a loopback address` : reason)
}
