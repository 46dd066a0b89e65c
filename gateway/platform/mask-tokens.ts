/** Masks the tokens of links and JWTs in texts by their form, so that none is stored where logs are read. */

/** In place of what is masked. */
export const REDACTED = '[redacted]'

/** 256 bits in base64url, wherever they are. */
const TOKEN_CHARACTERS = 43
const TOKEN = /[A-Za-z0-9_-]{43,}/g

export function maskTokens(text: string): string {
  return text.length < TOKEN_CHARACTERS ? text : text.replaceAll(TOKEN, REDACTED)
}
