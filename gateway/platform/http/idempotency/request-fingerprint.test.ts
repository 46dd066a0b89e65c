/** Tests that the fingerprint of a request is a digest of its consent and of its body as JSON, for any body. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprintOf } from './serve-idempotent.ts'

const CONSENT_ID = '019a0000-0000-7000-8000-000000000000'
const LONG = Array.from({ length: 5_000 }, (_, n) => ({ endToEndId: `E${n}`, amounts: [n, null, true, [[]], {}] }))

test('the fingerprint is the digest of the consent and of the body without white space', async () => {
  const bodies: fc.Arbitrary<unknown> = fc.option(fc.jsonValue(), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(bodies, fc.uuid(), async (body, consentId) => {
      const text = `${consentId}\n${JSON.stringify(body) ?? ''}`
      expect(await fingerprintOf(body, consentId)).toBe(createHash('sha256').update(text).digest('base64url'))
    }),
    { examples: [[LONG, CONSENT_ID]] },
  )
})
