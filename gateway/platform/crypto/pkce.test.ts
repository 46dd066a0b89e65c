/** Tests PKCE with the standard's example. */
import { expect, test } from 'vitest'
import { CODE_VERIFIER_CHARACTERS_MIN, codeChallengeOf, newCodeVerifier } from './pkce.ts'

test('a challenge matches RFC 7636, appendix B', () => {
  expect(codeChallengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})

test('a verifier has the characters and the length of RFC 7636, 4.1, and is unique', () => {
  const verifiers = Array.from({ length: 100 }, newCodeVerifier)
  expect(new Set(verifiers).size).toBe(100)
  for (const verifier of verifiers) {
    expect(verifier).toMatch(/^[A-Za-z0-9._~-]{43,128}$/)
    expect(verifier.length).toBeGreaterThanOrEqual(CODE_VERIFIER_CHARACTERS_MIN)
  }
})
