/** Proof Key for Code Exchange (RFC 7636), by S256 only: a code is worth something only to whoever began. */
import { createHash } from 'node:crypto'
import { newToken } from '../platform/ids.ts'

/** As many characters as RFC 7636, 4.1 asks for at least; a token of ours has exactly so many. */
export const VERIFIER_CHARACTERS_MIN = 43

/** A secret that stays here until the code is exchanged. */
export function newVerifier(): string {
  return newToken()
}

/** What the authorisation server is told of a verifier: SHA-256 in base64url (RFC 7636, 4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url')
}
