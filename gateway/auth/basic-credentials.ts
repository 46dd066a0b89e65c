/** Reads credentials from an `Authorization: Basic` header, as OAuth 2.0 writes them. */

/** Who a client says it is, and how it shows it. */
export type ClientCredentials = { readonly clientId: string; readonly secret: string }

const BASIC = /^Basic ([A-Za-z0-9+/=]+)$/i

/** Undefined when the header is absent or of another scheme. */
export function readBasicCredentials(authorization: string | undefined): ClientCredentials | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? []
  if (encoded === undefined) {
    return undefined
  }
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s)
  return { clientId: decoded(id), secret: decoded(secret) }
}

/** HTTP Basic carries both parts form-encoded (RFC 6749, 2.3.1). */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    return part
  }
}
