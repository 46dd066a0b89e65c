/** Conformance suite: beneficiaries and funding accounts. */
import { describe, expect, test } from 'vitest'
import { type FxConformanceTools, fxErrorOf } from './fx-conformance-harness.ts'

export function beneficiaryConformance({ harness }: FxConformanceTools): void {
  describe('a beneficiary', () => {
    test('that is valid is accepted, by validating as by creating it', async () => {
      const { provider, receiver } = harness()
      await provider.validateBeneficiary(receiver)
      const requestId = crypto.randomUUID()
      const made = await provider.createBeneficiary(receiver, requestId)
      expect(await provider.createBeneficiary(receiver, requestId)).toEqual(made)
      expect(await provider.createBeneficiary(receiver, crypto.randomUUID())).not.toEqual(made)
    })

    test('that is invalid is rejected with what is wrong', async () => {
      const { provider, unsound } = harness()
      expect(unsound).not.toEqual([])
      for (const [part, receiver] of unsound) {
        for (const requested of [
          provider.validateBeneficiary(receiver),
          provider.createBeneficiary(receiver, crypto.randomUUID()),
        ]) {
          const { kind, validationErrors } = await fxErrorOf(requested)
          expect({ part, kind }).toEqual({ part, kind: 'invalid' })
          expect(validationErrors.map((validationError) => validationError.part)).toContain(part)
        }
      }
    })
  })

  describe('a funding account', () => {
    test('is domestic to the payer', async () => {
      const { provider, pair } = harness()
      const account = await provider.intermediaryAccount({ currency: pair.sell, country: pair.country })
      expect(account).toMatchObject({ currency: pair.sell, country: pair.country })
      expect(account?.iban ?? account?.bban).toBeTruthy()
      expect(account?.holder.name).toBeTruthy()
    })

    test('does not exist in every country', async () => {
      const { provider, pair } = harness()
      expect(await provider.intermediaryAccount({ currency: pair.sell, country: 'ZZ' })).toBeNull()
    })
  })
}
