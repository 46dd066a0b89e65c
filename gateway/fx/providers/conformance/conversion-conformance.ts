/** Conformance suite: conversions are booked once, found by request id, and cancelled once. */
import { describe, expect, test } from 'vitest'
import type { ConversionRequest } from '../conversion.ts'
import { type FxConformanceTools, rejectionKindOf } from './fx-conformance-harness.ts'

/** Nothing is held under it. */
const UNKNOWN = 'a6000ce9-46b8-49a7-9f5b-325ed3f047c2'

export function conversionConformance({ harness, quoted, booked }: FxConformanceTools): void {
  const booking = async (): Promise<ConversionRequest> => ({
    quote: await quoted(),
    requestId: crypto.randomUUID(),
    reason: 'Goods',
  })

  describe('booking', () => {
    test('is at the held amounts, and can be found afterwards', async () => {
      const { provider } = harness()
      const request = await booking()
      const { buy, sell } = request.quote
      const conversion = await provider.book(request)
      expect(conversion).toMatchObject({ state: 'awaiting-funds', buy, sell, requestId: request.requestId })
      expect(await provider.readConversion(conversion.id)).toEqual(conversion)
      expect(await provider.findConversion(request.requestId)).toEqual(conversion)
    })

    test('again with the same id is the same conversion, also concurrently', async () => {
      const { provider, held } = harness()
      const request = await booking()
      const all = await Promise.all([1, 2, 3, 4].map(() => provider.book(request)))
      const again = await provider.book(request)
      expect(new Set([...all, again].map(({ id }) => id)).size).toBe(1)
      expect(await held(request.requestId)).toBe(1)
    })

    test('is listed by its time, once, and not outside of the window', async () => {
      const { provider, pass, now } = harness()
      await pass({ minutes: 1 })
      const from = await now()
      const requests = [await booking(), await booking()]
      for (const request of requests) {
        await provider.book(request)
      }
      await pass({ minutes: 1 })
      const to = await now()
      await pass({ minutes: 1 })
      await provider.book(await booking())
      const listed = await Array.fromAsync(provider.conversionsBooked({ from, to }))
      expect(listed.flat().map(({ requestId }) => requestId)).toEqual(requests.map(({ requestId }) => requestId))
    })

    test('when the held rate has expired is rejected, and nothing is booked', async () => {
      const { provider, pass, held } = harness()
      const request = await booking()
      await pass({ minutes: 10 })
      expect(await rejectionKindOf(provider.book(request))).toBe('quote-expired')
      expect(await held(request.requestId)).toBe(0)
    })

    test('that happened before the rate expired is found by repeating it afterwards', async () => {
      const { provider, pass, loseAnswer } = harness()
      const request = await booking()
      await loseAnswer('booking', 'whole')
      expect(await rejectionKindOf(provider.book(request))).toBe('outcome-unknown')
      await pass({ minutes: 10 })
      expect(await provider.book(request)).toMatchObject({ requestId: request.requestId })
    })

    test.each(['whole', 'half'] as const)('whose response was lost (%s) is found, and exists once', async (fault) => {
      const { provider, loseAnswer, held } = harness()
      const request = await booking()
      await loseAnswer('booking', fault)
      expect(await rejectionKindOf(provider.book(request))).toBe('outcome-unknown')
      const found = await provider.findConversion(request.requestId)
      expect(found).toMatchObject({ state: 'awaiting-funds', requestId: request.requestId })
      expect(await provider.book(request)).toEqual(found)
      expect(await held(request.requestId)).toBe(1)
    })

    test('a second time at one quote is rejected', async () => {
      const { provider } = harness()
      const request = await booking()
      await provider.book(request)
      expect(await rejectionKindOf(provider.book({ ...request, requestId: crypto.randomUUID() }))).toBe('quote-expired')
    })

    test('that never happened is not found', async () => {
      expect(await harness().provider.findConversion(crypto.randomUUID())).toBeNull()
      expect(await rejectionKindOf(harness().provider.readConversion(UNKNOWN))).toBe('unknown-resource')
    })
  })

  describe('cancelling', () => {
    test('is idempotent, and reports the cost', async () => {
      const { provider, pair } = harness()
      const { id } = await booked()
      const { loss } = await provider.cancelConversion(id)
      expect(loss?.currency).toBe(pair.sell)
      expect((loss?.minor ?? -1n) >= 0n).toBe(true)
      expect(await provider.readConversion(id)).toMatchObject({ state: 'cancelled' })
      expect(await provider.cancelConversion(id)).toEqual({ loss })
    })

    test.each(['whole', 'half'] as const)(
      'whose response was lost (%s) happened, and is reported so',
      async (fault) => {
        const { provider, loseAnswer } = harness()
        const { id, requestId } = await booked()
        await loseAnswer('cancelling', fault)
        await provider.cancelConversion(id)
        expect(await provider.findConversion(requestId ?? '')).toMatchObject({ id, state: 'cancelled' })
      },
    )

    test('that is temporarily rejected succeeds later', async () => {
      const { provider, rejectCancelling } = harness()
      const { id } = await booked()
      await rejectCancelling()
      expect(await rejectionKindOf(provider.cancelConversion(id))).toBe('unavailable')
      expect(await provider.readConversion(id)).toMatchObject({ state: 'awaiting-funds' })
      await provider.cancelConversion(id)
    })

    test('at an unavailable provider did not happen', async () => {
      const { provider, beDown } = harness()
      const { id } = await booked()
      await beDown('cancelling')
      expect(await rejectionKindOf(provider.cancelConversion(id))).toMatch(/unavailable|outcome-unknown/)
      expect(await provider.readConversion(id)).toMatchObject({ state: 'awaiting-funds' })
    })

    test('a settled conversion is too late', async () => {
      const { provider, send, pass } = harness()
      const { id, sell } = await booked()
      await send(sell, 'No name in it')
      await pass({ hours: 120 })
      expect(await provider.readConversion(id)).toMatchObject({ state: 'settled' })
      expect(await rejectionKindOf(provider.cancelConversion(id))).toBe('too-late')
      expect(await provider.readConversion(id)).toMatchObject({ state: 'settled' })
    })

    test('an unknown conversion is rejected', async () => {
      expect(await rejectionKindOf(harness().provider.cancelConversion(UNKNOWN))).toBe('unknown-resource')
    })
  })
}
