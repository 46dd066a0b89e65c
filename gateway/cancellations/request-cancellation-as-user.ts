/** Requests a cancellation at the bank while the user is present. */
import { supersedeScaSessions } from '../approvals/supersede-sca-sessions.ts'
import type { Context } from '../context.ts'
import { isAcknowledged } from '../orders/payment.ts'
import type { Cancellation, RequestedCancellation } from './cancellation.ts'
import type { CurrentCancellation } from './get-cancellation.ts'
import { requestBankCancellation } from './request-bank-cancellation.ts'
import { startCancellationSca } from './start-cancellation-sca.ts'

/** First ends approvals whose users are not at the bank. Starts SCA if the bank requires it. */
export async function requestCancellationAsUser(
  context: Context,
  cancellation: Cancellation,
  requested: RequestedCancellation,
): Promise<CurrentCancellation> {
  const { caller, payment, isRepeated } = requested
  if (!isAcknowledged(payment)) {
    throw new Error(`The bank does not have payment ${payment.id}, which is being cancelled`)
  }
  return await requestBankCancellation(context, cancellation, payment, {
    consent: caller.consent,
    psu: caller.psu,
    isRepeated,
    endOpenScaSessions: () => supersedeScaSessions(context, caller.partnerId, [payment]),
    startSca: () => startCancellationSca(context, cancellation, { ...requested, payment }),
  })
}
