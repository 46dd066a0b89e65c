/** The conformance suite that every connector must pass unchanged, with the bank of a harness. */
import { afterAll, beforeAll, describe } from 'vitest'
import type { BankCaller } from '../connector/connector.ts'
import { accountConformance } from './account-conformance.ts'
import { basketConformance } from './basket-conformance.ts'
import { bulkConformance } from './bulk-conformance.ts'
import { cancellationConformance } from './cancellation-conformance.ts'
import {
  type ConformanceContext,
  type ConformanceHarness,
  callerOfOrders,
  grantConsent,
  required,
} from './conformance-harness.ts'
import { consentConformance } from './consent-conformance.ts'
import { crossBorderConformance } from './cross-border-conformance.ts'
import { entryConformance } from './entry-conformance.ts'
import { paymentConformance } from './payment-conformance.ts'
import { scaApproachConformance } from './sca-approach-conformance.ts'
import { signInConformance } from './sign-in-conformance.ts'

type Group = (tools: ConformanceContext) => void

/** What depends on how the users of a bank sign in and sign. */
const SCA_GROUPS: readonly Group[] = [consentConformance, scaApproachConformance, signInConformance]
/** The groups after those of entries end the consent, and the ones before read the debtor account. */
const ALL_GROUPS: readonly Group[] = [
  consentConformance,
  accountConformance,
  bulkConformance,
  entryConformance,
  paymentConformance,
  scaApproachConformance,
  crossBorderConformance,
  cancellationConformance,
  basketConformance,
  signInConformance,
]

/** Registers the suite for one connector. */
export function connectorConformance(name: string, open: () => Promise<ConformanceHarness>): void {
  registerGroups(name, open, ALL_GROUPS)
}

/** Registers its part that depends on how users sign, for a further bank of a connector that passes the whole suite. */
export function connectorScaConformance(name: string, open: () => Promise<ConformanceHarness>): void {
  registerGroups(name, open, SCA_GROUPS)
}

function registerGroups(name: string, open: () => Promise<ConformanceHarness>, groups: readonly Group[]): void {
  describe(`connector ${name}`, () => {
    let opened: ConformanceHarness | undefined
    let consent: Promise<BankCaller> | undefined
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened?.close())
    const harness = () => required(opened, 'The harness is not open')
    const tools: ConformanceContext = {
      harness,
      payments: () => required(harness().connector.domesticPayments, 'The connector offers no domestic payments'),
      consented: () => {
        consent ??= grantConsent(harness())
        return consent
      },
      ordering: async () => callerOfOrders(await tools.consented(), harness().caller),
    }
    for (const register of groups) {
      register(tools)
    }
  })
}
