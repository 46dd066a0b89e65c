/** Reads and sets the console's cookie, whose token identifies a session once its user has signed in. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../gateway/context.ts'
import { type CookieSettings, cookieHeader, readCookie } from '../../gateway/platform/http/pages/page-cookie.ts'
import { newToken } from '../../gateway/platform/ids.ts'

/** The path of the console; its cookie is sent nowhere else where the browser does not connect by https. */
export const CONSOLE_PATH = '/console'

/** The token that the browser sent, or undefined. */
export function readSessionToken({ config }: Context, { headers }: FastifyRequest): string | undefined {
  return readCookie(headers, cookieOf(config))
}

/** Makes the browser send this token from now on. */
export function setSessionToken({ config }: Context, reply: FastifyReply, token: string): void {
  reply.header('set-cookie', cookieHeader({ ...cookieOf(config), token }))
}

/** The browser's token, or a new one, so that the form of the sign-in page is bound to the browser (CSRF). */
export function ensureSessionToken(context: Context, request: FastifyRequest, reply: FastifyReply): string {
  const known = readSessionToken(context, request)
  const token = known ?? newToken()
  if (known === undefined) {
    setSessionToken(context, reply, token)
  }
  return token
}

function cookieOf({ baseUrl }: Context['config']): CookieSettings {
  return { name: 'havn_console', path: CONSOLE_PATH, isSecure: baseUrl.startsWith('https:') }
}
