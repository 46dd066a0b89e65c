/** CSRF tokens: bind the forms of our pages to the browser's session, so that no other site can submit them. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { html } from 'ghtml'

/** The name of the hidden field. */
export const FORM_TOKEN_FIELD = 'formToken'

/** The hidden field of every form of a session. The session's own token cannot be derived from it. */
export function tokenField(sessionToken: string): string {
  return html`<input type="hidden" name="${FORM_TOKEN_FIELD}" value="${tokenOf(sessionToken)}">`
}

/** Whether a form was rendered for this session; false without a session. */
export function hasValidFormToken(text: (name: string) => string, sessionToken: string | undefined): boolean {
  const given = Buffer.from(text(FORM_TOKEN_FIELD))
  const own = Buffer.from(sessionToken === undefined ? '' : tokenOf(sessionToken))
  return own.length > 0 && given.length === own.length && timingSafeEqual(given, own)
}

function tokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('form').digest('base64url')
}
