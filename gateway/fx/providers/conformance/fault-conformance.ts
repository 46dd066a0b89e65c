/** Conformance suite: with random faults, a repeated request is executed exactly once. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FxProviderError, isTransient } from '../fx-provider-error.ts'
import {
  type FaultTarget,
  type FxConformanceHarness,
  type FxConformanceTools,
  fxErrorOf,
} from './fx-conformance-harness.ts'

const FAULTS = ['lost', 'cut', 'down', 'tired', 'logged-out'] as const
type InjectedFault = (typeof FAULTS)[number]

/** More attempts than faults: an attempt may meet several, or none. */
const ATTEMPTS_MAX = 12

export function faultConformance({ harness, quoted, booked }: FxConformanceTools, numRuns: number): void {
  const faults = fc.array(fc.constantFrom(...FAULTS), { maxLength: 4 })
  const check = (word: string, act: (happened: readonly InjectedFault[]) => Promise<void>) =>
    test(word, () => fc.assert(fc.asyncProperty(faults, act), { numRuns }))

  describe('any fault on the way', () => {
    check('a conversion is booked once', async (happened) => {
      const { provider, held } = harness()
      const request = { quote: await quoted(), requestId: crypto.randomUUID(), reason: 'Goods' }
      const conversion = await retryUntilDone(harness(), 'booking', happened, () => provider.book(request))
      expect(conversion).toMatchObject({
        requestId: request.requestId,
        buy: request.quote.buy,
        sell: request.quote.sell,
      })
      expect(await held(request.requestId)).toBe(1)
    })

    check('a conversion is cancelled, and its loss is the same each time', async (happened) => {
      const { provider } = harness()
      const { id } = await booked()
      const { loss } = await retryUntilDone(harness(), 'cancelling', happened, () => provider.cancelConversion(id))
      expect(await provider.cancelConversion(id)).toEqual({ loss })
      expect(await provider.readConversion(id)).toMatchObject({ state: 'cancelled' })
    })

    check('a payout is ordered once', async (happened) => {
      const { provider, receiver, held } = harness()
      const { id: conversionId, buy: amount } = await booked()
      const { id: beneficiaryId } = await provider.createBeneficiary(receiver, crypto.randomUUID())
      const requestId = crypto.randomUUID()
      const words = { reference: 'Invoice 7', reason: 'Goods', purposeCode: null, method: 'priority' } as const
      const order = { requestId, beneficiaryId, amount, conversionId, ...words, payer: null }
      await retryUntilDone(harness(), 'paying-out', happened, () => provider.orderPayout(order))
      expect(await held(requestId)).toBe(1)
    })
  })
}

/** Injects the faults one after the other, and retries until success, as a worker would. */
async function retryUntilDone<Result>(
  harness: FxConformanceHarness,
  of: FaultTarget,
  happened: readonly InjectedFault[],
  act: () => Promise<Result>,
): Promise<Result> {
  const waiting = [...happened]
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const next = waiting.shift()
    if (next !== undefined) {
      await injectFault(harness, of, next)
    }
    try {
      return await act()
    } catch (error) {
      const { kind } = error instanceof FxProviderError ? error : await fxErrorOf(Promise.reject(error))
      expect(isTransient[kind]).toBe(true)
      // The next attempt waits as long as the provider requested.
      await harness.pass({ seconds: 0 })
    }
  }
  throw new Error('No attempt succeeded')
}

async function injectFault(harness: FxConformanceHarness, of: FaultTarget, fault: InjectedFault): Promise<void> {
  const acts: Readonly<Record<InjectedFault, () => Promise<void>>> = {
    lost: () => harness.loseAnswer(of, 'whole'),
    cut: () => harness.loseAnswer(of, 'half'),
    down: () => harness.beDown(of),
    tired: () => harness.turnAway(),
    'logged-out': () => harness.endSessions(),
  }
  await acts[fault]()
}
