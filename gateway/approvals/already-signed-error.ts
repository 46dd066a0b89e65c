/** Tells a user who has signed a payment already apart from one whom the bank cannot let sign at this moment. */
import { BankRefusal, type BankRefusalKind } from '../banks/connector/bank-error.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { consentOf } from '../consents/find-consent.ts'
import type { Context } from '../context.ts'
import type { HeldPayment } from '../orders/payment.ts'
import { refuse } from '../platform/http/errors/api-error.ts'
import { listSigners } from './approval-store.ts'

const SAID_TO_BOTH: ReadonlySet<BankRefusalKind> = new Set(['authentication-busy', 'access-denied'])

/** Banks say to both that it cannot be signed now, or not by this user. What this user has not signed with us is left as it was said. */
export async function orSignedBefore(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  payments: readonly HeldPayment[],
  error: unknown,
): Promise<unknown> {
  const mayBeTwice = error instanceof BankRefusal && SAID_TO_BOTH.has(error.kind)
  const waiting = payments.filter(({ statusReason }) => statusReason === 'PartlySigned')
  if (!mayBeTwice || waiting.length === 0) {
    return error
  }
  for (const { paymentId, consentId } of await listSigners(context.database, partnerId, waiting)) {
    const signer = consentId === consent.id ? consent : await consentOf(context, { partnerId, consentId })
    if (signer?.id === consent.id || (signer?.userId != null && signer.userId === consent.userId)) {
      const order = waiting.find(({ id }) => id === paymentId)
      const what = order?.payrollId == null ? `payment ${paymentId}` : `payroll ${order.payrollId}`
      const message = `This user has signed the ${what} already; somebody else has to sign it now`
      return refuse('ACCESS_DENIED', message)
    }
  }
  return error
}
