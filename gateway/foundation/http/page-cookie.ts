/** Reads and writes the cookies by which our pages know a browser again. */
import type { IncomingHttpHeaders } from 'node:http'

/** A cookie of ours; its token is 256 random bits in base64url. */
export type PageCookie = {
  readonly name: string
  readonly token: string
  /** Below which path the browser sends it. */
  readonly path: string
  /** Whether browsers reach us by https. */
  readonly isSecure: boolean
}

/** The token of a cookie that the browser sent, or undefined. */
export function readCookie({ cookie = '' }: IncomingHttpHeaders, name: string): string | undefined {
  const [, token] = new RegExp(`(?:^|; *)${name}=([\\w-]{43})(?:;|$)`).exec(cookie) ?? []
  return token
}

/** The header that sets it until the browser is closed. Other sites lead here with it, but send no form with it. */
export function cookieHeader({ name, token, path, isSecure }: PageCookie): string {
  return `${name}=${token}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
}
