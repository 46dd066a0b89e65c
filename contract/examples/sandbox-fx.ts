/** Examples of the sandbox operations on the FX provider. */
import type { Examples } from '../operation-example.ts'
import type { addSandboxArrival, disturbSandboxExchange, stepSandboxPayout } from '../sandbox/sandbox-fx.ts'
import { exchangePaymentId, quoteCost, quoteReference } from './demo-fixture.ts'

export const disturbSandboxExchangeExamples: Examples<typeof disturbSandboxExchange> = [
  {
    summary: 'The next inbound payment arrives two hours late',
    body: { effect: 'funding-late', seconds: 7_200 },
    answer: undefined,
  },
]

export const stepSandboxPayoutExamples: Examples<typeof stepSandboxPayout> = [
  {
    summary: 'The receiver’s bank returns it, less its charges',
    params: { paymentId: exchangePaymentId, step: 'return' },
    body: { kept: '15.00' },
    answer: { providerStatus: 'failed' },
  },
]

export const addSandboxArrivalExamples: Examples<typeof addSandboxArrival> = [
  {
    summary: 'The company pays from its netbank',
    body: {
      iban: 'NO3380590100009',
      amount: quoteCost.amount,
      reference: quoteReference,
      senderName: 'Nordlys Handel AS',
    },
    answer: { arrived: [{ ...quoteCost, status: 'completed' }] },
  },
]
