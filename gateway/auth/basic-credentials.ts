/** Reads client credentials from an `Authorization: Basic` header (RFC 6749). */

/** The client id and secret of a request. */
export type ClientCredentials = { readonly clientId: string; readonly secret: string }

const BASIC = /^Basic ([A-Za-z0-9+/=]+)$/i

/** Undefined when the header is absent or of another scheme. */
export function readBasicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  if (encoded === undefined) {
    return undefined
  }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s)
  return { clientId: formDecoded(id), secret: formDecoded(secret) }
}

/** HTTP Basic carries both parts form-encoded (RFC 6749, 2.3.1). */
function formDecoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}
