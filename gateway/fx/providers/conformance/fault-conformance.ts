/** The part of the conformance suite in which anything may happen on the way: asked for until it is done, it is done once. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FxRefusal, isPassing } from '../fx-provider-error.ts'
import { type Disturbed, type FxHarness, type OpenedFx, refusal } from './fx-conformance-harness.ts'

const MISHAPS = ['lost', 'cut', 'down', 'tired', 'logged-out'] as const
type Mishap = (typeof MISHAPS)[number]

/** More attempts than mishaps: an attempt may meet several, or none. */
const ATTEMPTS_MAX = 12
const RUNS = 8

export function mishapConformance({ harness, quoted, booked }: OpenedFx): void {
  const mishaps = fc.array(fc.constantFrom(...MISHAPS), { maxLength: 4 })
  const check = (word: string, act: (happened: readonly Mishap[]) => Promise<void>) =>
    test(word, () => fc.assert(fc.asyncProperty(mishaps, act), { numRuns: RUNS }))

  describe('whatever happens on the way', () => {
    check('a conversion is booked once', async (happened) => {
      const { provider, held } = harness()
      const asked = { quote: await quoted(), requestId: crypto.randomUUID(), reason: 'Goods' }
      const conversion = await insist(harness(), 'booking', happened, () => provider.book(asked))
      expect(conversion).toMatchObject({ requestId: asked.requestId, buy: asked.quote.buy, sell: asked.quote.sell })
      expect(await held(asked.requestId)).toBe(1)
    })

    check('a conversion is cancelled, and its loss is the same each time', async (happened) => {
      const { provider } = harness()
      const { id } = await booked()
      const { loss } = await insist(harness(), 'cancelling', happened, () => provider.cancelConversion(id))
      expect(await provider.cancelConversion(id)).toEqual({ loss })
      expect(await provider.readConversion(id)).toMatchObject({ state: 'cancelled' })
    })

    check('a payout is ordered once', async (happened) => {
      const { provider, receiver, held } = harness()
      const { id: conversionId, buy: amount } = await booked()
      const { id: beneficiaryId } = await provider.createBeneficiary(receiver, crypto.randomUUID())
      const requestId = crypto.randomUUID()
      const words = { reference: 'Invoice 7', reason: 'Goods', purposeCode: null, way: 'priority' } as const
      const order = { requestId, beneficiaryId, amount, conversionId, ...words, paymentDate: null, payer: null }
      await insist(harness(), 'paying-out', happened, () => provider.payOut(order))
      expect(await held(requestId)).toBe(1)
    })
  })
}

/** Lets the mishaps happen one after the other, and asks again until it is done, as a worker would. */
async function insist<Result>(
  harness: FxHarness,
  of: Disturbed,
  happened: readonly Mishap[],
  act: () => Promise<Result>,
): Promise<Result> {
  const waiting = [...happened]
  for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
    const next = waiting.shift()
    if (next !== undefined) {
      await letHappen(harness, of, next)
    }
    try {
      return await act()
    } catch (error) {
      const { kind } = error instanceof FxRefusal ? error : await refusal(Promise.reject(error))
      expect(isPassing[kind]).toBe(true)
      // Nobody comes back before the time that was told.
      await harness.pass({ seconds: 0 })
    }
  }
  throw new Error('It was never done')
}

async function letHappen(harness: FxHarness, of: Disturbed, mishap: Mishap): Promise<void> {
  const acts: Readonly<Record<Mishap, () => Promise<void>>> = {
    lost: () => harness.loseAnswer(of, 'whole'),
    cut: () => harness.loseAnswer(of, 'half'),
    down: () => harness.beDown(of),
    tired: () => harness.turnAway(),
    'logged-out': () => harness.endSessions(),
  }
  await acts[mishap]()
}
