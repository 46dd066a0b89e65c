/** Proof Key for Code Exchange (RFC 7636), S256 only: a stolen authorisation code is useless without its verifier. */
import { createHash } from 'node:crypto'
import { newToken } from '../ids.ts'

/** The minimum length of RFC 7636, 4.1; our random tokens have exactly this length. */
export const CODE_VERIFIER_CHARACTERS_MIN = 43

/** Creates the verifier, a secret that is not sent before the code is exchanged. */
export function newCodeVerifier(): string {
  return newToken()
}

/** The code challenge of a verifier: SHA-256 in base64url (RFC 7636, 4.2). */
export function codeChallengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url')
}
