/** The conformance suite that every FX connector must pass unchanged. */
import { afterAll, beforeAll, describe } from 'vitest'
import { beneficiaryConformance } from './beneficiary-conformance.ts'
import { conversionConformance } from './conversion-conformance.ts'
import { faultConformance } from './fault-conformance.ts'
import { type FxConformanceHarness, fxConformanceTools } from './fx-conformance-harness.ts'
import { payoutConformance } from './payout-conformance.ts'
import { rateConformance } from './rate-conformance.ts'

/** Registers the suite for one connector, with that many cases of random faults for each operation. */
export function fxProviderConformance(
  name: string,
  faultCases: number,
  open: () => Promise<FxConformanceHarness>,
): void {
  describe(`provider ${name}`, () => {
    let opened: FxConformanceHarness | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.end())
    const tools = fxConformanceTools(() => {
      if (opened === undefined) {
        throw new Error('The harness is not open')
      }
      return opened
    })
    rateConformance(tools)
    conversionConformance(tools)
    beneficiaryConformance(tools)
    payoutConformance(tools)
    faultConformance(tools, faultCases)
  })
}
