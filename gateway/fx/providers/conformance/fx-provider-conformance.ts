/** The suite that every connector to a provider of exchange passes unchanged, run over a provider that a harness opens. */
import { afterAll, beforeAll, describe } from 'vitest'
import { receiverConformance } from './beneficiary-conformance.ts'
import { conversionConformance } from './conversion-conformance.ts'
import { mishapConformance } from './fault-conformance.ts'
import { type FxHarness, openedFx } from './fx-conformance-harness.ts'
import { payoutConformance } from './payout-conformance.ts'
import { rateConformance } from './rate-conformance.ts'

/** Registers the suite for one connector. */
export function fxConformance(name: string, open: () => Promise<FxHarness>): void {
  describe(`provider ${name}`, () => {
    let opened: FxHarness | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.end())
    const tools = openedFx(() => {
      if (opened === undefined) {
        throw new Error('The harness is not open')
      }
      return opened
    })
    rateConformance(tools)
    conversionConformance(tools)
    receiverConformance(tools)
    payoutConformance(tools)
    mishapConformance(tools)
  })
}
