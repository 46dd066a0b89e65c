/** Reads where a browser goes after signing in: to a page of the console, never elsewhere. */
import { CONSOLE_PATH } from '../sessions/session-cookie.ts'
import { SIGN_IN_PATH, type SignInTarget } from './sign-in-page.ts'

/** Only path and query of it are used. */
const BASE = 'http://console.invalid'

/** As long as an URL of the console gets; longer ones are not stored. */
const PATH_CHARACTERS_MAX = 2_000

/** The start page, with nothing to send again. */
export const START: SignInTarget = { next: CONSOLE_PATH, interrupted: undefined }

/** The path and query of a page of the console; its start page for anything else. */
export function consolePathOf(text: string): string {
  const url = text.length > PATH_CHARACTERS_MAX ? null : URL.parse(text, BASE)
  const isOfConsole =
    url?.origin === BASE && (url.pathname === CONSOLE_PATH || url.pathname.startsWith(`${CONSOLE_PATH}/`))
  return url !== null && isOfConsole && url.pathname !== SIGN_IN_PATH ? `${url.pathname}${url.search}` : CONSOLE_PATH
}

/** The query of a request's URL; a question mark may stand in it, too (RFC 3986, 3.4). */
export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.replace(/^[^?]*/, ''))
}

/** The page whose form was sent, as browsers name it: with the host. */
export function consolePathOfReferer(referer = ''): string {
  const url = URL.parse(referer)
  return url === null ? CONSOLE_PATH : consolePathOf(`${url.pathname}${url.search}`)
}

/** The sign-in page that leads on to a page of the console. */
export function signInPathFor(next: string): string {
  return `${SIGN_IN_PATH}?${new URLSearchParams({ next })}`
}

/** Reads the target from the hidden fields of the sign-in form. */
export function signInTargetOf(text: (name: string) => string): SignInTarget {
  const path = text('resumePath')
  return {
    next: consolePathOf(text('next')),
    interrupted:
      path === '' ? undefined : { path: consolePathOf(path), fields: new URLSearchParams(text('resumeFields')) },
  }
}
