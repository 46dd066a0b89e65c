/** Which callback URLs may be registered for a partner: by origin, or by scheme for desktop and mobile applications. */
import { isLoopback } from '../platform/http/loopback.ts'

/** A browser runs them or reads with them instead of leaving the page. */
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

/** What a URL is registered by: its origin, or the scheme of a URL that has none. */
export function registeredBy(url: URL): string {
  return isWeb(url.protocol) ? url.origin : url.protocol
}

export function isWeb(scheme: string): boolean {
  return scheme === 'http:' || scheme === 'https:'
}

export function isForbiddenScheme(scheme: string): boolean {
  return FORBIDDEN_SCHEMES.includes(scheme)
}

/** Normalises what an operator registers. Throws what is wrong with it. */
export function parseCallbackOrigin(text: string): string {
  const scheme = text.toLowerCase().replace(/\/+$/, '')
  if (SCHEME.test(scheme) && !isWeb(scheme)) {
    if (isForbiddenScheme(scheme)) {
      throw new Error(`The scheme ${scheme} cannot be registered: browsers run or read it themselves`)
    }
    return scheme
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && isWeb(url.protocol) && url.href === `${url.origin}/`
  if (!isOrigin) {
    throw new Error(`${text} is neither an origin, such as https://erp.example, nor a scheme, such as myerp:`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(`${text} must be https; http is possible for loopback addresses only`)
  }
  return url.origin
}
