/** Conformance tests of consents. */
import { describe, expect, test } from 'vitest'
import { type ConformanceContext, grantConsent, runAuthorisation, type UserDecision } from './conformance-harness.ts'

export function consentConformance({ harness }: ConformanceContext): void {
  describe('consents', () => {
    test('are open once requested', async () => {
      const { connector, caller, bankConsentId } = await requested()
      expect(await connector.consents.read(caller, bankConsentId)).toMatchObject({ state: 'pending' })
    })

    test('are valid no longer than requested', async () => {
      const { validUntil, wished } = await requested()
      expect(Temporal.PlainDate.compare(validUntil, wished)).toBeLessThanOrEqual(0)
    })

    test('are open until the user decides', async () => {
      const { connector, caller, bankConsentId, back } = await requested()
      const { authorisations } = connector.consents
      const { authorisationId } = await authorisations.start(caller, bankConsentId, { back, preferred: null })
      const state = await authorisations.read(caller, bankConsentId, { authorisationId, partlySigned: false })
      expect(state).toMatchObject({ state: 'open' })
    })

    test('are valid when their user accepts', async () => {
      const { connector, caller, state, bankConsentId } = await decided('sign')
      expect(state).toMatchObject({ state: 'signed' })
      expect(await connector.consents.read(caller, bankConsentId)).toMatchObject({ state: 'valid' })
    })

    test('are not valid when their user rejects, and are reported as rejected', async () => {
      const { connector, caller, state, bankConsentId } = await decided('reject')
      expect(state).toMatchObject({ state: 'rejected' })
      expect((await connector.consents.read(caller, bankConsentId)).state).not.toBe('valid')
    })

    test('are not valid when their user leaves, which is reported differently from a rejection', async () => {
      const { connector, caller, state, bankConsentId } = await decided('leave')
      expect(state).toMatchObject({ state: 'cancelled' })
      expect((await connector.consents.read(caller, bankConsentId)).state).not.toBe('valid')
    })

    test('end when they are revoked, and revoking again does no harm', async () => {
      const { connector } = harness()
      const caller = await grantConsent(harness())
      const bankConsentId = caller.bankConsentId ?? ''
      await connector.consents.revoke(caller, bankConsentId)
      await connector.consents.revoke(caller, bankConsentId)
      const state = await connector.consents.read(caller, bankConsentId).then(
        (read) => read.state,
        (rejection) => rejection.kind,
      )
      expect(['revoked', 'consent-invalid', 'unknown-resource']).toContain(state)
    })

    test('that do not exist at the bank are rejected', async () => {
      const { connector, caller } = harness()
      await expect(connector.consents.read(caller, crypto.randomUUID())).rejects.toMatchObject({
        kind: expect.stringMatching(/^(consent-invalid|unknown-resource)$/),
      })
      await connector.consents.revoke(caller, crypto.randomUUID())
    })
  })

  async function decided(decision: UserDecision) {
    const { connector, caller, bankConsentId } = await requested()
    const { authorisations } = connector.consents
    const signing = { caller, target: bankConsentId, decision }
    const { state, by } = await runAuthorisation(harness(), authorisations, signing)
    return { connector, caller: by, bankConsentId, state }
  }

  async function requested() {
    const { connector, caller, back, today } = harness()
    const wished = (await today()).add({ days: caller.bank.profile.maxConsentValidityDays })
    const terms = { requestId: crypto.randomUUID(), validUntil: wished }
    return { connector, caller, back, wished, ...(await connector.consents.create(caller, terms)) }
  }
}
