/** Shows the cancellation of a payroll to partners, and abandons it. */

import type { PayrollCancellation as PayrollCancellationResponse } from '../../contract/payrolls/payroll-approval-operations.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { Context } from '../context.ts'
import { progressOf, reasonOfCancellation, statusOfCancellation } from '../orders/cancel/cancellation.ts'
import {
  abandonCancellation,
  type CurrentCancellation,
  currentCancellation,
  requireCancellation,
} from '../orders/cancel/get-cancellation.ts'
import { requireSameCompany } from '../orders/sign/require-payer.ts'
import { apiError } from '../platform/http/errors/api-error.ts'
import { requirePayroll } from './get-payroll.ts'

/** While the user may be signing, the bank is polled first, at most once a second. Throws 404 or `ACCESS_DENIED`. */
export async function getPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<PayrollCancellationResponse> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind: 'payroll', id })
  requireSameCompany(caller, [await requirePayroll(context, partnerId, cancellation.instructionId)])
  return await renderPayrollCancellation(context, await currentCancellation(context, cancellation))
}

/** The status, or the progress until the bank has answered for every order. */
export async function renderPayrollCancellation(
  context: Context,
  { cancellation, sca }: CurrentCancellation,
): Promise<PayrollCancellationResponse> {
  const { id, partnerId, instructionId } = cancellation
  const status = statusOfCancellation(cancellation)
  const { status: currentPayrollStatus } = await requirePayroll(context, partnerId, instructionId)
  return {
    id,
    ...(sca?.type === 'redirect' ? { sca } : {}),
    ...(status === 'REQUESTED' ? {} : { cancellationRequestStatus: status }),
    currentPayrollStatus,
    reason: reasonOfCancellation(cancellation),
    ...(status === 'REQUESTED' ? { progress: progressOf(cancellation) } : {}),
  }
}

/** Orders that are not cancelled stay as they are. Throws 404, `ACCESS_DENIED`, 409 if any part was signed or executed, or the error of a call to the bank. */
export async function abandonPayrollCancellation(
  context: Context,
  caller: ConsentCaller,
  id: string,
): Promise<undefined> {
  const { partnerId } = caller
  const cancellation = await requireCancellation(context, { partnerId, kind: 'payroll', id })
  const findPayroll = () => requirePayroll(context, partnerId, cancellation.instructionId)
  const { parts } = await abandonCancellation(context, caller, cancellation, await findPayroll())
  if (parts.some(({ status }) => status === 'ACCEPTED') || (await findPayroll()).status === 'Cancelled') {
    throw apiError('conflict', 'Orders of the payroll were cancelled already. Read the status of the payroll')
  }
  return undefined
}
