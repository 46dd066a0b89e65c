/** Scripted outcomes of calls: late, lost and error responses. */
import { atPayment, bookedInAnHour, executing, type Outcome } from './scripted-outcome.ts'

/** An outage that begins once the authorisation has been seen, and ends before the payment is booked. */
const afterSigning = { from: 'PT10S', until: 'PT30M' }
/** Long enough to be noticed; a gateway must not time out this early. */
const SLOW_MILLISECONDS = 3_000

const bookedDespiteFault: Outcome['seen'] = atPayment(
  ['signed', 'ACSP', 'InProgress'],
  ['PT1M', null, 'InProgress'],
  ['PT1H', 'ACSC', 'Completed'],
)

export const callFaultOutcomes: readonly Outcome[] = [
  {
    amount: 7750,
    name: 'A slow order',
    tells: `The bank takes ${SLOW_MILLISECONDS / 1000} seconds to respond to the order.`,
    script: {
      callFaults: [{ operation: 'initiatePayment', effect: 'slow', milliseconds: SLOW_MILLISECONDS }],
      signed: [executing, bookedInAnHour],
    },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned'], ['signed', 'ACSP', 'InProgress'], ['PT1H', 'ACSC', 'Completed']),
  },
  {
    amount: 7751,
    name: 'A lost response',
    tells:
      'The bank accepts the order, and its response is lost. A minute later the order is signed in the online bank.',
    script: {
      callFaults: [{ operation: 'initiatePayment', effect: 'withhold-answer' }],
      unsigned: [{ after: 'PT1M', action: { type: 'sign' } }],
      signed: [executing, bookedInAnHour],
    },
    seen: atPayment(
      ['ordered', 'RCVD', 'Unsigned', { unknown: true }],
      ['PT1M', 'ACSP', 'InProgress'],
      ['PT1H', 'ACSC', 'Completed'],
    ),
  },
  {
    amount: 7752,
    name: 'A connection that breaks',
    tells: 'The bank accepts the order, the connection breaks before its response, and the order stays unsigned.',
    script: { callFaults: [{ operation: 'initiatePayment', effect: 'drop-connection' }] },
    seen: atPayment(['ordered', 'RCVD', 'Unsigned', { unknown: true }]),
  },
  {
    amount: 7753,
    name: 'An internal error',
    tells: 'The bank returns an internal error, 500, and has not accepted the order, which the gateway cannot know.',
    script: { callFaults: [{ operation: 'initiatePayment', effect: 'status', status: 500 }] },
    seen: atPayment(['ordered', null, 'Unsigned', { unknown: true }]),
  },
  {
    amount: 7755,
    name: 'Unavailable after signing',
    tells: 'For half an hour after signing the bank returns 503 to polls of this payment.',
    script: {
      callFaults: [{ operation: 'getPaymentStatus', effect: 'status', status: 503, between: afterSigning }],
      signed: [executing, bookedInAnHour],
    },
    seen: bookedDespiteFault,
  },
  {
    amount: 7756,
    name: 'Unreachable after signing',
    tells: 'For half an hour after signing the bank cuts the connection at each poll of this payment.',
    script: {
      callFaults: [{ operation: 'getPaymentStatus', effect: 'drop-request', between: afterSigning }],
      signed: [executing, bookedInAnHour],
    },
    seen: bookedDespiteFault,
  },
  {
    amount: 7757,
    name: 'Slow responses after signing',
    tells: `For a minute after signing the bank takes ${SLOW_MILLISECONDS / 1000} seconds to respond to each poll of this payment.`,
    script: {
      callFaults: [
        {
          operation: 'getPaymentStatus',
          effect: 'slow',
          milliseconds: SLOW_MILLISECONDS,
          between: { from: 'PT10S', until: 'PT1M' },
        },
      ],
      signed: [executing, bookedInAnHour],
    },
    seen: atPayment(['signed', 'ACSP', 'InProgress'], ['PT1H', 'ACSC', 'Completed']),
  },
]
