/** Reads and writes the cookies of our pages: those that identify a browser, and that of the chosen language. */
import type { IncomingHttpHeaders } from 'node:http'

/** The name of a cookie, and its scope. */
export type CookieSettings = {
  readonly name: string
  /** The cookie path where the browser does not connect by https. */
  readonly path: string
  /** Whether browsers reach us by https. */
  readonly isSecure: boolean
}

/** A cookie; the token of one that identifies a browser is 256 random bits in base64url. */
export type PageCookie = CookieSettings & { readonly token: string }

/** The token of a cookie that the browser sent, or undefined. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, place: CookieSettings): string | undefined {
  const [, token] = new RegExp(`(?:^|; *)${nameOf(place)}=([\\w-]{43})(?:;|$)`).exec(cookie) ?? []
  return token
}

/** The cookie of the language that a user has chosen on our pages. */
export const LANGUAGE_COOKIE = 'havn_language'

/** The language that the browser sent, whether it connects by https or not: it protects nothing. */
export function readLanguageCookie({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const [, language] = new RegExp(`(?:^|; *)(?:__Host-)?${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`).exec(cookie) ?? []
  return language
}

/** The header that sets a session cookie. Links from other sites send it, their form posts do not (SameSite=Lax). */
export function cookieHeader({ token, ...place }: PageCookie): string {
  const where = place.isSecure ? 'Path=/; Secure' : `Path=${place.path}`
  return `${nameOf(place)}=${token}; ${where}; HttpOnly; SameSite=Lax`
}

/**
 * By https, no other host of the same domain can set or read it: browsers accept the `__Host-` prefix only from the
 * host itself, and only for all of its paths (RFC 6265bis, 4.1.3.2).
 */
function nameOf({ name, isSecure }: CookieSettings): string {
  return isSecure ? `__Host-${name}` : name
}
