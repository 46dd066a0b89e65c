/** Binds the forms of our pages to the browser's session, so that no other site can send them in its name (CSRF). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { html } from 'ghtml'

const FIELD = 'formToken'

/** The hidden field that every form of a session carries. The token tells nobody the session's own. */
export function tokenField(sessionToken: string): string {
  return html`<input type="hidden" name="${FIELD}" value="${tokenOf(sessionToken)}">`
}

/** Whether a form was made for this session; a session that is not there has made none. */
export function isOwnForm(text: (name: string) => string, sessionToken: string | undefined): boolean {
  const given = Buffer.from(text(FIELD))
  const own = Buffer.from(sessionToken === undefined ? '' : tokenOf(sessionToken))
  return own.length > 0 && given.length === own.length && timingSafeEqual(given, own)
}

function tokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('form').digest('base64url')
}
