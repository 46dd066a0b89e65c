/** Cancels those orders of a payroll that its bank still cancels. */
import type {
  PayrollCancellationRequest,
  PayrollCancellation as PayrollCancellationResponse,
} from '../../../contract/payrolls/payroll-approval-operations.ts'
import { bankOf } from '../../accounts/require-consent-account.ts'
import { requestedCancellationError } from '../../cancellations/requested-cancellation-error.ts'
import type { ConsentActor } from '../../consents/consent.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { createPayrollCancellation } from './create-payroll-cancellation.ts'
import {
  currentPayrollCancellation,
  renderPayrollCancellation,
  requirePayrollCancellation,
  requirePayrollCancellationAnswered,
} from './get-payroll-cancellation.ts'
import { joinPayrollCancellation } from './join-payroll-cancellation.ts'
import { findOpenPayrollCancellation } from './payroll-cancellation-store.ts'
import { type RequestedCancellation, requestPayrollBankCancellations } from './request-payroll-bank-cancellations.ts'
import type { RequestedPayrollCancellation } from './requested-payroll-cancellation.ts'
import { requireCancellablePayroll } from './require-cancellable-payroll.ts'

/** A request that meets a cancellation which is just ending starts another one; this limits the retries. */
const ATTEMPTS_MAX = 3
/** A user cannot wait for a thousand orders. */
const WAIT = { seconds: 20 }

/**
 * The user of the caller's consent cancels, who need not be the one who ordered the payroll. While a cancellation is open,
 * it is returned instead of a new one. One that takes longer is returned with its progress. Throws 503 when the bank did
 * not answer for some of the orders.
 */
export async function cancelPayroll(
  context: Context,
  caller: ConsentActor,
  request: PayrollCancellationRequest,
): Promise<PayrollCancellationResponse> {
  const waitUntil = context.clock.real().add(WAIT)
  const bank = await bankOf(context, caller)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const cancellable = await requireCancellablePayroll(context, caller, request.payrollId)
    const requested = { caller, bank, request, waitUntil, ...cancellable }
    const begun = await beginOrJoinCancellation(context, requested)
    if (begun !== undefined) {
      const stored = await requirePayrollCancellation(context, { partnerId: caller.partnerId, id: begun.id })
      if (begun.isUnanswered) {
        requirePayrollCancellationAnswered(stored)
      }
      return await renderPayrollCancellation(context, await currentPayrollCancellation(context, stored))
    }
  }
  throw apiError('conflict', 'Another user is cancelling the payroll. Try again in a moment')
}

/** The cancellation; undefined if a concurrent one ended or started in the meantime. */
async function beginOrJoinCancellation(
  context: Context,
  requested: RequestedPayrollCancellation,
): Promise<RequestedCancellation | undefined> {
  const { partnerId, id: payrollId } = requested.payroll
  const open = await findOpenPayrollCancellation(context.database, { partnerId, payrollId })
  if (open !== undefined) {
    return await joinPayrollCancellation(context, requested, await requirePayrollCancellation(context, open))
  }
  const payrollCancellation = await createPayrollCancellation(context, requested)
  if (payrollCancellation === undefined) {
    return undefined
  }
  try {
    return await requestPayrollBankCancellations(context, requested, payrollCancellation, { isRepeated: false })
  } catch (error) {
    throw requestedCancellationError(error, { payrollId })
  }
}
