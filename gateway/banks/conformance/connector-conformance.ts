/** The suite that every connector passes unchanged, run over a bank that a harness opens. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { BankCaller } from '../connector/connector.ts'
import { accountConformance } from './account-conformance.ts'
import { basketConformance } from './basket-conformance.ts'
import { bulkConformance } from './bulk-conformance.ts'
import { cancellationConformance } from './cancellation-conformance.ts'
import { agree, type ConformanceHarness, type Opened, required } from './conformance-harness.ts'
import { consentConformance } from './consent-conformance.ts'
import { crossBorderConformance } from './cross-border-conformance.ts'
import { entryConformance } from './entry-conformance.ts'
import { paymentConformance } from './payment-conformance.ts'
import { wayConformance } from './sca-approach-conformance.ts'
import { signInConformance } from './sign-in-conformance.ts'

/** Registers the suite for one connector. */
export function connectorConformance(name: string, open: () => Promise<ConformanceHarness>): void {
  describe(`connector ${name}`, () => {
    let opened: ConformanceHarness | undefined
    let consent: Promise<BankCaller> | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    const harness = () => required(opened, 'The harness is not open')
    const tools: Opened = {
      harness,
      payments: () => required(harness().connector.domesticPayments, 'The connector offers no domestic payments'),
      consented: () => {
        consent ??= agree(harness())
        return consent
      },
    }
    consentConformance(tools)
    accountConformance(tools)
    // Later parts end the consent, and these read the account that pays.
    bulkConformance(tools)
    entryConformance(tools)
    paymentConformance(tools)
    wayConformance(tools)
    crossBorderConformance(tools)
    cancellationConformance(tools)
    basketConformance(tools)
    signInConformance(tools)
  })
}
