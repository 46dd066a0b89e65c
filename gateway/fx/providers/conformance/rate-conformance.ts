/** Conformance suite: rates, held rates, and a provider that is down, closed or rate limiting. */
import { describe, expect, test } from 'vitest'
import { type FxConformanceTools, fxErrorOf, rejectionKindOf } from './fx-conformance-harness.ts'

export function rateConformance({ harness, quoted }: FxConformanceTools): void {
  const requested = (fixedSide: 'buy' | 'sell', minor = 123_457n) => {
    const { pair } = harness()
    const currency = fixedSide === 'buy' ? pair.buy : pair.sell
    const pairRequested = { buyCurrency: pair.buy, sellCurrency: pair.sell }
    return { ...pairRequested, fixedSide, amount: { minor, currency }, conversionDate: null } as const
  }

  describe('a rate', () => {
    test.each(['buy', 'sell'] as const)('keeps the amount of the fixed side: %s', async (fixedSide) => {
      const order = requested(fixedSide)
      const rate = await harness().provider.rate(order)
      expect(rate[fixedSide]).toEqual(order.amount)
      expect(rate.fixedSide).toBe(fixedSide)
      expect([rate.buy.currency, rate.sell.currency]).toEqual([order.buyCurrency, order.sellCurrency])
      expect(rate.buy.minor > 0n && rate.sell.minor > 0n).toBe(true)
    })

    test('does not exist for an unsupported currency', async () => {
      const { provider, untraded } = harness()
      const order = { ...requested('sell'), buyCurrency: untraded }
      expect(await rejectionKindOf(provider.rate(order))).toBe('currency-not-traded')
    })

    test('does not exist for a day in the past', async () => {
      const { provider } = harness()
      const conversionDate = Temporal.PlainDate.from('2020-01-07')
      expect(await rejectionKindOf(provider.rate({ ...requested('buy'), conversionDate }))).toBe('due-date-rejected')
    })

    test('does not exist while the market is closed, and exists afterwards', async () => {
      await harness().close('market')
      expect(await rejectionKindOf(harness().provider.rate(requested('buy')))).toBe('closed')
      await harness().provider.rate(requested('buy'))
    })
  })

  describe('a held rate', () => {
    test.each(['buy', 'sell'] as const)('is for the requested amounts and duration: %s', async (fixedSide) => {
      const order = requested(fixedSide)
      const quote = await harness().provider.quote({ ...order, holdSeconds: 120 })
      expect(quote[fixedSide]).toEqual(order.amount)
      const heldFor = (await harness().now()).until(quote.holdsUntil).total('seconds')
      expect(heldFor).toBeGreaterThan(90)
      expect(heldFor).toBeLessThanOrEqual(301)
    })

    test('is a new one each time', async () => {
      const [one, other] = [await quoted(), await quoted()]
      expect(one.providerQuoteId).not.toBe(other.providerQuoteId)
    })
  })

  describe('a provider', () => {
    test('that is unavailable has done nothing, and is called again', async () => {
      await harness().beDown('reading')
      expect(await rejectionKindOf(harness().provider.rate(requested('buy')))).toBe('unavailable')
      await harness().provider.rate(requested('buy'))
    })

    test('that has ended our login is called with a new one', async () => {
      await harness().endSessions()
      const rates = await Promise.all(Array.from({ length: 10 }, () => harness().provider.rate(requested('buy'))))
      expect(rates).toHaveLength(10)
    })

    test('that rate-limits us says when to retry', async () => {
      await harness().turnAway()
      const rejected = await fxErrorOf(harness().provider.rate(requested('buy')))
      expect(rejected).toMatchObject({ kind: 'rate-limited' })
      expect(rejected.retryAfterSeconds).toBeGreaterThan(0)
      await harness().pass({ seconds: 0 })
    })
  })
}
