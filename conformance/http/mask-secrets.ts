/** Masks secrets and personal identifiers of recorded requests before they are written to a report. */

const MASK = '***'
const SECRET_FIELDS = 'client_secret|access_token|signingSecret|bearerToken'
const JSON_FIELD = new RegExp(`("(?:${SECRET_FIELDS})"\\s*:\\s*")[^"]*`, 'g')
/** Of a form, or of the query of a URL. */
const FORM_FIELD = new RegExp(`((?:^|[?&])(?:${SECRET_FIELDS})=)[^&\\s]*`, 'g')
const AUTHORIZATION = /^(Bearer|Basic) .+$/i
/** The random part of a link that gives access to an authorisation or an onboarding: no other part is as long. */
const LINK_TOKEN = /\/[A-Za-z0-9_-]{40,}/g

/** The value of a header without the credentials in it. */
export function maskHeader(name: string, value: string): string {
  return name.toLowerCase() === 'authorization' ? value.replace(AUTHORIZATION, `$1 ${MASK}`) : maskText(value)
}

/** A body or URL without the secrets in it. */
export function maskText(text: string): string {
  return text.replaceAll(JSON_FIELD, `$1${MASK}`).replaceAll(FORM_FIELD, `$1${MASK}`).replaceAll(LINK_TOKEN, `/${MASK}`)
}
