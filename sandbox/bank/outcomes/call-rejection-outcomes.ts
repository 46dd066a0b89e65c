/** Scripted outcomes of orders that the bank accepts, and of which it rejects the approval or the cancellation. */
import type { Outcome, ScriptedCallFault } from './scripted-outcome.ts'

type RejectedCall = Pick<Outcome, 'amount' | 'name' | 'tells'> & {
  readonly fault: Pick<ScriptedCallFault, 'operation'> & { readonly status: number; readonly code: string }
  readonly seen: { readonly at: 'approval' | 'cancellation'; readonly code: string }
}

const rejectedCalls: readonly RejectedCall[] = [
  {
    amount: 7754,
    name: 'Another authorisation in progress',
    tells: 'The bank accepts the order, but reports that the user has another authorisation in progress.',
    fault: { operation: 'startPaymentAuthorisation', status: 409, code: 'STATUS_INVALID' },
    seen: { at: 'approval', code: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' },
  },
  {
    amount: 7758,
    name: 'Signing not offered',
    tells: 'The bank accepts the order, but does not offer that this company signs it through a third party.',
    fault: { operation: 'startPaymentAuthorisation', status: 403, code: 'PRODUCT_INVALID' },
    seen: { at: 'approval', code: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    amount: 7759,
    name: 'No right to sign',
    tells: 'The bank accepts the order, but the user has no right to sign it.',
    fault: { operation: 'startPaymentAuthorisation', status: 403, code: 'SERVICE_BLOCKED' },
    seen: { at: 'approval', code: 'ACCESS_DENIED' },
  },
  {
    amount: 7761,
    name: 'Another authorisation in progress at its cancellation',
    tells: 'The bank reports another authorisation in progress when a signed payment of a later day is cancelled.',
    fault: { operation: 'startPaymentCancellationAuthorisation', status: 409, code: 'STATUS_INVALID' },
    seen: { at: 'cancellation', code: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' },
  },
  {
    amount: 7762,
    name: 'Cancelling not offered',
    tells: 'The bank does not offer that this company cancels a payment through a third party.',
    fault: { operation: 'cancelPayment', status: 403, code: 'PRODUCT_INVALID' },
    seen: { at: 'cancellation', code: 'UNSUPPORTED_PRODUCT_BY_BANK' },
  },
  {
    amount: 7763,
    name: 'No right to cancel',
    tells: 'The bank accepts the payment, but the user has no right to cancel it.',
    fault: { operation: 'cancelPayment', status: 403, code: 'SERVICE_BLOCKED' },
    seen: { at: 'cancellation', code: 'ACCESS_DENIED' },
  },
]

export const callRejectionOutcomes: readonly Outcome[] = rejectedCalls.map(({ fault, seen, ...row }) => ({
  ...row,
  script: { callFaults: [{ ...fault, effect: 'status' }] },
  seen: { status: 400, ...seen },
}))
