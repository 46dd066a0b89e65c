/** The suite that every connector passes unchanged, run over a bank that a harness opens. */
import { afterAll, beforeAll, describe } from 'vitest'
import { accountConformance } from './conformance-accounts.ts'
import { basketConformance } from './conformance-baskets.ts'
import { bulkConformance } from './conformance-bulk.ts'
import { cancellationConformance } from './conformance-cancellations.ts'
import { consentConformance } from './conformance-consents.ts'
import { crossBorderConformance } from './conformance-cross-border.ts'
import { entryConformance } from './conformance-entries.ts'
import { agree, type ConformanceHarness, type Opened, required } from './conformance-harness.ts'
import { paymentConformance } from './conformance-payments.ts'
import { signInConformance } from './conformance-sign-in.ts'
import { wayConformance } from './conformance-ways.ts'
import type { BankCaller } from './connector.ts'

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
