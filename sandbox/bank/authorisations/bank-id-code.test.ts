/** Tests BankID codes against the published example. */
import { expect, test } from 'vitest'
import vectors from '../../../data/test-vectors.json' with { type: 'json' }
import { bankIdCode } from './app-code.ts'

test.each(vectors.suites.bankIdQr)('after $seconds seconds', ({ token, secret, seconds, qr }) => {
  expect(bankIdCode({ token, secret }, seconds)).toBe(qr)
})
