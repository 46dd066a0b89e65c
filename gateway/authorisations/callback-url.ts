/** Validates the URLs that users are returned to, and writes the outcome into them. */
import { isForbiddenScheme, isHttpScheme, originOrSchemeOf } from '../auth/callback-origin.ts'
import type { PartnerCaller } from '../auth/partner-caller.ts'
import type { Config } from '../config/config.ts'
import type { ValidationError } from '../platform/http/errors/api-error.ts'
import { isLoopback } from '../platform/http/ip-address.ts'
import type { ScaOutcome } from './sca-session.ts'

/**
 * The origin or scheme must be registered for the partner; the sandbox also accepts any https origin and loopback http.
 */
export function validateCallbackUrl(
  { mode }: Pick<Config, 'mode'>,
  { callbackOrigins }: Pick<PartnerCaller, 'callbackOrigins'>,
  url: string,
  path = '.callbackUrl',
): readonly ValidationError[] {
  const reason = invalidReasonOf(mode, callbackOrigins, url)
  return reason === undefined ? [] : [{ code: 'InvalidRequest', reason, path }]
}

function invalidReasonOf(mode: Config['mode'], registered: readonly string[], text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (isHttpScheme(url.protocol) && url.hostname === '')) {
    return 'must be a URI, for example https://erp.example/back or myerp://back'
  }
  if (isForbiddenScheme(url.protocol)) {
    return `must not have the scheme ${url.protocol}`
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain credentials'
  }
  // Browsers skip or replace them, other programs do not: these would find another host in the same URL.
  if (/[\p{Cc}\\]/u.test(text)) {
    return 'must not contain control characters or backslashes'
  }
  const isSandboxUrl = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
  const origin = originOrSchemeOf(url)
  if (registered.includes(origin) || (mode === 'sandbox' && isSandboxUrl)) {
    return undefined
  }
  const reason = `must begin with an origin or scheme that is registered for you; ${origin} is not: ask the operator`
  return mode === 'sandbox' && isHttpScheme(url.protocol) ? `${reason}, or use https or a loopback address` : reason
}

/**
 * The partner's URL as it was written, with the confirmed outcome in its query: in place of a `status` that it has, else
 * as the last parameter. Partners compare and sign these URLs, so nothing else changes, as parsing it would (`%20`).
 */
export function withStatusParameter(url: string, outcome: ScaOutcome): string {
  // URLs are parsed without the blanks around them.
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)\??([^#]*)(#.*)?$/s.exec(url.trim()) ?? []
  const status = `status=${outcome}`
  const parameters = query.split('&')
  const first = parameters.findIndex(isStatus)
  if (first < 0) {
    return `${address}?${query}${/[^&]$/.test(query) ? '&' : ''}${status}${fragment}`
  }
  const others = parameters.filter((parameter, index) => index === first || !isStatus(parameter))
  return `${address}?${others.with(first, status).join('&')}${fragment}`
}

/** Whether the parameter is named `status`, in whatever encoding. */
function isStatus(parameter: string): boolean {
  // A leading question mark would be taken for the beginning of the query.
  return new URLSearchParams(`&${parameter}`).has('status')
}
