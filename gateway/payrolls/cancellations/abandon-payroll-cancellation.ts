/** Abandons the cancellation of a payroll whose user does not return to sign it; orders that are not cancelled stay as they are. */
import { requireOrdersOfConsent } from '../../approvals/require-orders-of-consent.ts'
import { findLatestScaSession } from '../../authorisations/find-sca-sessions.ts'
import { abandonCancellationSca } from '../../cancellations/abandon-cancellation.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { requirePayroll } from '../../orders/require-payroll.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { requirePayrollCancellation, requirePayrollCancellationAnswered } from './get-payroll-cancellation.ts'

/** Throws 404, `ACCESS_DENIED`, 409 if any part was signed or executed, or the error of a call to the bank. */
export async function abandonPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<undefined> {
  const { partnerId } = caller
  const key = { partnerId, id: id.toLowerCase() }
  const whole = await requirePayrollCancellation(context, key)
  const payroll = await requirePayroll(context, partnerId, whole.payrollId)
  await requireOrdersOfConsent(context, caller, [{ ...payroll, consentIds: [whole.consentId, payroll.consentId] }])
  requirePayrollCancellationAnswered(whole)
  const subject = { partnerId, kind: 'cancellation', subjectId: whole.id } as const
  await abandonCancellationSca(context, await findLatestScaSession(context, subject))
  const { parts } = await requirePayrollCancellation(context, key)
  const { status: payrollStatus } = await requirePayroll(context, partnerId, whole.payrollId)
  if (payrollStatus === 'Cancelled' || parts.some(({ status }) => status === 'ACCEPTED')) {
    throw apiError('conflict', 'Orders of the payroll were cancelled already. Read the status of the payroll')
  }
  return undefined
}
