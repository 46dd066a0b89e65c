/** Abandons the cancellation of a payroll whose user does not come back to sign it: what is not withdrawn stays as it is. */
import { requireOrdersOfConsent } from '../../approvals/require-orders-of-consent.ts'
import { abandonOf } from '../../cancellations/abandon-cancellation.ts'
import {
  findPayrollCancellation,
  requireWholeAnswered,
} from '../../cancellations/payrolls/show-payroll-cancellation.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { refuse } from '../../platform/http/errors/api-error.ts'
import { latestSigning } from '../../signing/find-signing.ts'
import { payrollOf } from '../require-payroll.ts'

/** Throws 404, `ACCESS_DENIED`, 409 where any of it was signed or carried out, or what asking the bank throws. */
export async function abandonPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<undefined> {
  const { partnerId } = caller
  const key = { partnerId, id: id.toLowerCase() }
  const whole = await findPayrollCancellation(context, key)
  await requireOrdersOfConsent(context, caller, [await payrollOf(context, partnerId, whole.payrollId)])
  requireWholeAnswered(whole)
  const subject = { partnerId, kind: 'cancellation', subjectId: whole.id } as const
  await abandonOf(context, await latestSigning(context, subject))
  const { parts } = await findPayrollCancellation(context, key)
  const { status: payrollStatus } = await payrollOf(context, partnerId, whole.payrollId)
  if (payrollStatus === 'Cancelled' || parts.some(({ status }) => status === 'ACCEPTED')) {
    throw refuse('conflict', 'Orders of the payroll were cancelled: read the status of the payroll')
  }
  return undefined
}
