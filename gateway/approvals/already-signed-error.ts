/** Detects that a user is rejected because they have already signed, and converts the error of the bank accordingly. */
import { isBankError } from '../banks/connector/bank-error-classification.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { consentIdsOfUser } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import type { AcknowledgedPayment } from '../orders/payment.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { listSignerConsents } from './approval-store.ts'

/** Banks use these errors for other causes, too. Returns the bank's error unchanged unless this user has signed one of these with us. */
export async function toAlreadySignedError(
  context: Context,
  { partnerId, consent }: ConsentCaller,
  payments: readonly AcknowledgedPayment[],
  error: unknown,
): Promise<unknown> {
  const isAmbiguous = isBankError(error, 'authentication-busy', 'access-denied')
  const partlySigned = payments.filter(({ statusReason }) => statusReason === 'PartlySigned')
  if (!isAmbiguous || partlySigned.length === 0) {
    return error
  }
  const ownIds = await consentIdsOfUser(context, consent)
  for (const { paymentId, consentId } of await listSignerConsents(context.database, partnerId, partlySigned)) {
    if (ownIds.includes(consentId)) {
      const order = partlySigned.find(({ id }) => id === paymentId)
      const what = order?.payrollId == null ? `payment ${paymentId}` : `payroll ${order.payrollId}`
      const message = `This user has already signed the ${what}. Another user has to sign it now`
      return apiError('ACCESS_DENIED', message)
    }
  }
  return error
}
