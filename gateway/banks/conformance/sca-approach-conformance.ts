/** Conformance tests of the SCA approaches that each bank has. */
import { describe, expect, test } from 'vitest'
import { chooseScaApproach } from '../connector/bank.ts'
import type { AuthorisationRequest } from '../connector/sca-authorisation.ts'
import { type ConformanceContext, initiateSampleOrder, required, runAuthorisation } from './conformance-harness.ts'

const PREFERENCES = [null, 'redirect', 'qr'] as const
const PNG_BEGINS = 'iVBORw0KGgo'
/** Dynamic codes change every second of wall time. */
const TWO_CODES_MILLISECONDS = 5_000

export function scaApproachConformance({ harness, ordering, payments }: ConformanceContext): void {
  describe('SCA approaches', () => {
    test.each(PREFERENCES)(
      'follow the preference (%s), or else the bank’s own approach, and lead to a signature',
      async (preferred) => {
        const { caller, at } = await placed()
        const { authorisations } = payments()
        const signing = { caller, target: at, preferred }
        const { started, state, by } = await runAuthorisation(harness(), authorisations, signing)
        const approach = chooseScaApproach(caller.bank.profile, preferred)
        if (started.approach.type === 'redirect') {
          expect(approach).toBe('redirect')
          expect(caller.bank.linkHosts).toContain(new URL(started.approach.url).host)
        } else {
          expect(started.approach).toMatchObject({ type: 'decoupled', text: expect.stringMatching(/\S/) })
          expect(approach).toBe('qr' in started.approach && started.approach.qr !== null ? 'qr' : 'decoupled')
        }
        expect(state).toMatchObject({ state: 'signed' })
        const { status } = await payments().read(by, at, { signed: true })
        expect(['InProgress', 'Completed']).toContain(status)
      },
    )

    test('with a QR code return an image, renewed where it is dynamic, until it expires', async (context) => {
      const { caller, at, shows } = await placed()
      context.skip(!shows, 'The bank shows no codes')
      const { authorisations } = payments()
      const started = await authorisations.start(caller, at, { back: harness().back, preferred: 'qr' })
      const begun = { authorisationId: started.authorisationId, partlySigned: false }
      const first = required(
        started.approach.type === 'decoupled' ? (started.approach.qr ?? undefined) : undefined,
        'No code came',
      )
      expect(first.image?.startsWith(PNG_BEGINS)).toBe(true)
      const fresh = async () => (await authorisations.read(caller, at, begun)).qr
      if (first.kind === 'Dynamic') {
        expect(await fresh()).toMatchObject({ kind: 'Dynamic', image: expect.stringContaining(PNG_BEGINS) })
        const other = expect.poll(async () => (await fresh())?.image, { timeout: TWO_CODES_MILLISECONDS })
        await other.not.toBe(first.image)
      } else {
        expect(first.code).toMatch(/\S/)
        expect(await fresh()).toBeNull()
      }
      await harness().expire(started)
      const expired = await authorisations.read(caller, at, begun)
      expect(['expired', ...(harness().tellsRejections ? [] : ['cancelled'])]).toContain(expired.state)
      expect(expired.qr).toBeNull()
      expect(await payments().read(caller, at, { signed: false })).toMatchObject({ status: 'Unsigned' })
    })

    test.for(PREFERENCES)('of consents are the same (%s)', async (preferred, context) => {
      const { caller, connector } = harness()
      const approachFor = (preference: typeof preferred) => chooseScaApproach(caller.bank.profile, preference)
      const isOwn = preferred !== null && approachFor(preferred) === approachFor(null)
      context.skip(isOwn, 'The bank’s own approach is tested without a preference')
      const { consents } = connector
      const validUntil = (await harness().today()).add({ days: 30 })
      const { bankConsentId } = await consents.create(caller, { requestId: crypto.randomUUID(), validUntil })
      const signing = { caller, target: bankConsentId, preferred }
      const { state, by } = await runAuthorisation(harness(), consents.authorisations, signing)
      expect(state).toMatchObject({ state: 'signed' })
      expect(await consents.read(by, bankConsentId)).toMatchObject({ state: 'valid' })
    })

    test('accept no forged callback', async () => {
      const { caller, at } = await placed()
      const { authorisations } = payments()
      const { back } = harness()
      const started = await authorisations.start(caller, at, requested(null))
      const begun = { authorisationId: started.authorisationId, partlySigned: false }
      const query = { code: 'forged', state: 'forged', confirmationCode: 'forged' }
      for (const returnSecret of [started.returnSecret, null, 'forged']) {
        const forged = authorisations.complete(caller, at, begun, { query, returnSecret, back })
        expect(await forged.catch(expectUnavailable)).toBeNull()
      }
      const brought = { query: await harness().decide(started, 'sign'), returnSecret: started.returnSecret, back }
      const forged = Object.fromEntries(Object.keys(brought.query).map((name) => [name, 'forged']))
      expect(await authorisations.complete(caller, at, begun, { ...brought, query: forged })).toBeNull()
      const before = await authorisations.read(caller, at, begun)
      expect(before.state === 'signed' || before.unconfirmed).toBe(true)
      await authorisations.complete(caller, at, begun, brought)
      await authorisations.complete(caller, at, begun, brought)
      expect(await authorisations.read(caller, at, begun)).toMatchObject({ state: 'signed', unconfirmed: false })
    })
  })

  async function placed() {
    const caller = await ordering()
    const { at } = await initiateSampleOrder(harness(), caller)
    return { caller, at, shows: caller.bank.profile.scaApproaches.includes('qr') }
  }

  function requested(preferred: AuthorisationRequest['preferred']): AuthorisationRequest {
    return { back: harness().back, preferred }
  }
}

/** While a bank does not wait for a code, a genuine code cannot be distinguished from a forged one. */
function expectUnavailable(error: unknown): null {
  expect(error).toMatchObject({ kind: 'unavailable' })
  return null
}
