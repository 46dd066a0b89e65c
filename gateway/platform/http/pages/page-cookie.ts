/** Reads and writes the cookies by which our pages know a browser again. */
import type { IncomingHttpHeaders } from 'node:http'

/** What a cookie of ours is called, and where browsers send it. */
export type CookiePlace = {
  readonly name: string
  /** Below which path the browser sends it, where it does not come by https. */
  readonly path: string
  /** Whether browsers reach us by https. */
  readonly isSecure: boolean
}

/** A cookie of ours; its token is 256 random bits in base64url. */
export type PageCookie = CookiePlace & { readonly token: string }

/** The token of a cookie that the browser sent, or undefined. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, place: CookiePlace): string | undefined {
  const [, token] = new RegExp(`(?:^|; *)${nameOf(place)}=([\\w-]{43})(?:;|$)`).exec(cookie) ?? []
  return token
}

/** The header that sets it until the browser is closed. Other sites lead here with it, but send no form with it. */
export function cookieHeader({ token, ...place }: PageCookie): string {
  const where = place.isSecure ? 'Path=/; Secure' : `Path=${place.path}`
  return `${nameOf(place)}=${token}; ${where}; HttpOnly; SameSite=Lax`
}

/**
 * By https no other host of the same domain can plant it, and none sees it: browsers take the prefix from the host
 * itself alone, and only for all of its paths (RFC 6265bis, 4.1.3.2).
 */
function nameOf({ name, isSecure }: CookiePlace): string {
  return isSecure ? `__Host-${name}` : name
}
